"""Moves of people are stored as soon as they are made."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Apply the migration."""
    op.create_table(
        "moves",
        sa.Column("match_id", sa.Integer, nullable=False),
        sa.Column("role_index", sa.Integer, nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("move", sa.String, nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name="fk_moves_match_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", "role_index", name="pk_moves"),
    )

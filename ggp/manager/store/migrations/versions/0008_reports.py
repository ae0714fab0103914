"""Reports on matches, and matches that begin in a position of another match."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Apply the migration."""
    op.create_table(
        "reports",
        sa.Column("match_id", sa.Integer, nullable=False),
        sa.Column("status", sa.String(12), nullable=False),
        sa.Column("asked", sa.BigInteger, nullable=False),
        sa.Column("reason", sa.String, nullable=False),
        sa.Column("content", sa.JSON, nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name="fk_reports_match_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", name="pk_reports"),
    )
    op.create_index("ix_reports_status", "reports", ["status"])
    with op.batch_alter_table("matches") as matches:
        matches.add_column(sa.Column("origin", sa.Integer, nullable=True))
        matches.add_column(sa.Column("origin_turn", sa.Integer, nullable=True))

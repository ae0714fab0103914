"""Ratings by name, so that players that are not registered are rated too."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Apply the migration. Ratings are computed again on the next request."""
    op.drop_table("ratings")
    op.create_table(
        "ratings",
        sa.Column("player_name", sa.String(length=60), nullable=False),
        sa.Column("elo", sa.Double(), nullable=False),
        sa.Column("low", sa.Double(), nullable=False),
        sa.Column("high", sa.Double(), nullable=False),
        sa.Column("meetings", sa.Integer(), nullable=False),
        sa.Column("computed", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("player_name", name=op.f("pk_ratings")),
    )

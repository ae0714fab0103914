"""Ratings of people and programs in one table, and matches that are not rated."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Apply the migration. Ratings are computed again on the next request, without guests."""
    op.add_column("matches", sa.Column("unrated", sa.String(40), nullable=False, server_default=""))
    op.drop_table("ratings")
    op.create_table(
        "ratings",
        sa.Column("player_name", sa.String(60), nullable=False),
        sa.Column("account_id", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("elo", sa.Double, nullable=False),
        sa.Column("low", sa.Double, nullable=False),
        sa.Column("high", sa.Double, nullable=False),
        sa.Column("meetings", sa.Integer, nullable=False),
        sa.Column("computed", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("player_name", "account_id", name="pk_ratings"),
    )

"""Courses: calendar, held-back results, teams, versions of players, and ratings per game."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"

FIRST_VERSIONS = """
INSERT INTO versions (player_id, number, source, dialect, note, problem, created)
    SELECT id, 1, source, dialect, '', '', created FROM players
"""


def upgrade() -> None:
    """Apply the migration. Everyone still sees the results of earlier tournaments."""
    op.create_table(
        "calendar",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("time", sa.BigInteger, nullable=False),
        sa.Column("note", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_calendar"),
        sa.UniqueConstraint("kind", "time", name="uq_calendar_kind"),
    )
    op.add_column(
        "tournaments",
        sa.Column("visibility", sa.String(12), nullable=False, server_default="everyone"),
    )
    op.add_column("tournaments", sa.Column("held_since", sa.BigInteger))
    op.add_column("tournaments", sa.Column("release", sa.BigInteger))
    op.create_table(
        "versions",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("source", sa.String(500), nullable=False),
        sa.Column("dialect", sa.String(10), nullable=False),
        sa.Column("note", sa.String(500), nullable=False),
        sa.Column("problem", sa.String, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_versions"),
        sa.UniqueConstraint("player_id", "number", name="uq_versions_player_id"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], ondelete="CASCADE", name="fk_versions_player_id"
        ),
    )
    op.add_column("players", sa.Column("version", sa.Integer, nullable=False, server_default="1"))
    op.add_column("seats", sa.Column("version", sa.Integer))
    op.execute(FIRST_VERSIONS)
    op.add_column("accounts", sa.Column("team_id", sa.Integer))
    op.create_index("ix_accounts_team_id", "accounts", ["team_id"])
    op.add_column(
        "accounts", sa.Column("join_key", sa.String(40), nullable=False, server_default="")
    )
    op.add_column(
        "accounts",
        sa.Column("scrimmages", sa.String(8), nullable=False, server_default="ask"),
    )
    op.create_table(
        "scrimmages",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("game", sa.String(100), nullable=False),
        sa.Column("player", sa.String(60), nullable=False),
        sa.Column("opponent", sa.String(60), nullable=False),
        sa.Column("owner_id", sa.Integer, nullable=False, index=True),
        sa.Column("opponent_owner_id", sa.Integer, nullable=False, index=True),
        sa.Column("is_rated", sa.Boolean, nullable=False),
        sa.Column("startclock", sa.Integer, nullable=False),
        sa.Column("playclock", sa.Integer, nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.Column("match_id", sa.Integer),
        sa.PrimaryKeyConstraint("id", name="pk_scrimmages"),
    )
    # All ratings are computed again, so their rows need not be kept.
    op.drop_table("ratings")
    op.create_table(
        "ratings",
        sa.Column("player_name", sa.String(60), nullable=False),
        sa.Column("account_id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("game", sa.String(100), nullable=False),
        sa.Column("elo", sa.Float, nullable=False),
        sa.Column("low", sa.Float, nullable=False),
        sa.Column("high", sa.Float, nullable=False),
        sa.Column("meetings", sa.Integer, nullable=False),
        sa.Column("computed", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("player_name", "account_id", "game", name="pk_ratings"),
    )

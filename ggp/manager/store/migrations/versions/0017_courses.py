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


def _of_account(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["account_id"], ["accounts.id"], ondelete="CASCADE", name=f"fk_{table}_account_id"
    )


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
    op.add_column(
        "tournaments",
        sa.Column("is_announced", sa.Boolean, nullable=False, server_default=sa.true()),
    )
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
    op.create_table(
        "subscriptions",
        sa.Column("account_id", sa.Integer, nullable=False),
        sa.Column("about", sa.JSON, nullable=False),
        sa.Column("webhook", sa.String(500), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("mail", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("account_id", name="pk_subscriptions"),
        _of_account("subscriptions"),
    )
    op.create_table(
        "messages",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("account_id", sa.Integer, nullable=False),
        sa.Column("channel", sa.String(8), nullable=False),
        sa.Column("about", sa.String(12), nullable=False),
        sa.Column("subject", sa.String(100), nullable=False),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("path", sa.String(200), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("due", sa.BigInteger),
        sa.Column("problem", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_messages"),
        sa.UniqueConstraint("account_id", "channel", "subject", name="uq_messages_account_id"),
        _of_account("messages"),
    )
    op.create_table(
        "pass_marks",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("reference", sa.String(500), nullable=False),
        sa.Column("games", sa.JSON, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("startclock", sa.Integer, nullable=False),
        sa.Column("playclock", sa.Integer, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("is_withdrawn", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_pass_marks"),
        sa.UniqueConstraint("name", name="uq_pass_marks_name"),
    )
    op.create_table(
        "trials",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("mark_id", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("status", sa.String(12), nullable=False, index=True),
        sa.Column("problem", sa.String, nullable=False),
        sa.Column("results", sa.JSON, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("ended", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_trials"),
        sa.UniqueConstraint("mark_id", "player_id", "version", name="uq_trials_mark_id"),
        sa.ForeignKeyConstraint(
            ["mark_id"], ["pass_marks.id"], ondelete="CASCADE", name="fk_trials_mark_id"
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], ondelete="CASCADE", name="fk_trials_player_id"
        ),
    )
    op.add_column(
        "tournaments",
        sa.Column("is_open", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.add_column("tournaments", sa.Column("clock", sa.JSON))
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

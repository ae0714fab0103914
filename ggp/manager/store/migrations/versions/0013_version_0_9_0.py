"""The tables of version 0.9.0, whose last revision was 0013. Later migrations start from them."""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa
from alembic import op
from sqlalchemy import JSON, BigInteger, Boolean, Double, Integer, String

revision = "0013"
down_revision = None

NAMING: Final = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}
"""Naming conventions for constraints when this revision was made."""


def upgrade() -> None:
    """Create the tables of a new database."""
    tables = sa.MetaData(naming_convention=NAMING)
    _add_players(tables)
    _add_matches(tables)
    _add_seats_and_turns(tables)
    _add_tournaments(tables)
    _add_accounts(tables)
    _add_challenges(tables)
    tables.create_all(op.get_bind())


def _required(name: str, kind: Any, *more: Any, **options: Any) -> sa.Column[Any]:
    """Return a column that is never null and not part of the primary key."""
    return sa.Column(name, kind, *more, nullable=False, **options)


def _key_of(table: str, column: str, **options: Any) -> sa.Column[Any]:
    """Return a reference to a row. When that row is deleted, so is the one that refers to it."""
    reference = sa.ForeignKey(f"{table}.id", ondelete="CASCADE")
    return sa.Column(column, Integer, reference, **options)


def _add_players(tables: sa.MetaData) -> None:
    sa.Table(
        "players",
        tables,
        sa.Column("id", Integer, primary_key=True),
        _required("name", String(60), unique=True),
        _required("source", String(500)),
        _required("dialect", String(10)),
        _required("created", BigInteger),
        _required("is_retired", Boolean),
        sa.Column("owner_id", Integer, index=True),
    )
    sa.Table(
        "ratings",
        tables,
        sa.Column("player_name", String(60), primary_key=True),
        sa.Column("account_id", Integer, primary_key=True, autoincrement=False),
        *(_required(name, Double) for name in ("elo", "low", "high")),
        _required("meetings", Integer),
        _required("computed", BigInteger),
    )
    sa.Table(
        "uploads",
        tables,
        sa.Column("id", Integer, primary_key=True),
        _required("digest", String(64), index=True),
        sa.Column("owner_id", Integer, index=True),
        _required("num_bytes", Integer),
        _required("created", BigInteger),
        sa.UniqueConstraint("digest", "owner_id"),
    )


def _add_matches(tables: sa.MetaData) -> None:
    sa.Table(
        "rulesheets",
        tables,
        sa.Column("id", Integer, primary_key=True),
        _required("name", String(100), index=True),
        _required("digest", String(64), unique=True),
        _required("text", String),
        _required("is_bundled", Boolean),
        _required("created", BigInteger),
        _required("edition", Integer, server_default="0"),
    )
    sa.Table(
        "matches",
        tables,
        sa.Column("id", Integer, primary_key=True),
        _required("match_id", String(200), unique=True),
        _required("rulesheet_id", Integer, sa.ForeignKey("rulesheets.id")),
        _required("game", String(100), index=True),
        _required("roles", JSON),
        _required("startclock", Integer),
        _required("playclock", Integer),
        _required("dialect", String(10)),
        _required("is_scrambled", Boolean),
        sa.Column("seed", BigInteger),
        sa.Column("move_limit", Integer),
        _required("status", String(12), index=True),
        _required("reason", String),
        sa.Column("goals", JSON),
        _required("random_token", String(32)),
        _required("created", BigInteger, index=True),
        sa.Column("ended", BigInteger),
        sa.Column("tournament_id", Integer, sa.ForeignKey("tournaments.id"), index=True),
        _required("extra", JSON),
        sa.Column("annulled", Integer),
        _required("hides", Boolean, server_default="0"),
        _required("spectators", String(10), server_default="nothing"),
        sa.Column("origin", Integer),
        sa.Column("origin_turn", Integer),
        sa.Column("owner_id", Integer, index=True),
        sa.Column("clock", JSON),
        _required("ending", String(10), server_default=""),
        sa.Column("rematch", Integer),
        _required("is_revealed", Boolean, server_default=sa.false()),
        _required("unrated", String(40), server_default=""),
        sa.Index("ix_matches_annulled", "tournament_id", "annulled"),
    )
    sa.Table(
        "reports",
        tables,
        _key_of("matches", "match_id", primary_key=True),
        _required("status", String(12), index=True),
        _required("asked", BigInteger),
        _required("reason", String),
        _required("content", JSON),
    )


def _add_seats_and_turns(tables: sa.MetaData) -> None:
    sa.Table(
        "seats",
        tables,
        sa.Column("id", Integer, primary_key=True),
        _key_of("matches", "match_id", nullable=False, index=True),
        _required("role_index", Integer),
        _required("role", String(100)),
        sa.Column("player_id", Integer, sa.ForeignKey("players.id"), index=True),
        _required("player_name", String(60)),
        _required("source", String(500)),
        sa.Column("goal", Integer),
        _required("dialect", String(10), server_default="ggp-base"),
        *(
            _required(name, Integer, server_default="0")
            for name in ("timeouts", "illegal", "connection")
        ),
        _required("key", String(32), server_default=""),
        sa.Column("account_id", Integer, index=True),
        sa.Column("clock_left", BigInteger),
        sa.UniqueConstraint("match_id", "role_index"),
    )
    sa.Table(
        "turns",
        tables,
        _key_of("matches", "match_id", primary_key=True),
        sa.Column("number", Integer, primary_key=True),
        *(_required(name, JSON) for name in ("moves", "facts", "errors", "replies")),
        _required("time", BigInteger),
        _required("percepts", JSON, server_default="[]"),
    )
    sa.Table(
        "moves",
        tables,
        _key_of("matches", "match_id", primary_key=True),
        sa.Column("role_index", Integer, primary_key=True),
        _required("turn", Integer),
        _required("move", String),
    )


def _add_tournaments(tables: sa.MetaData) -> None:
    sa.Table(
        "tournaments",
        tables,
        sa.Column("id", Integer, primary_key=True),
        _required("name", String(100), unique=True),
        _required("plan", JSON),
        _required("status", String(12), index=True),
        _required("reason", String),
        _required("created", BigInteger),
        sa.Column("ended", BigInteger),
        sa.Column("closes", BigInteger),
    )
    sa.Table(
        "fixtures",
        tables,
        sa.Column("id", Integer, primary_key=True),
        _key_of("tournaments", "tournament_id", nullable=False),
        _required("number", Integer),
        _required("round", Integer),
        _required("game", String(100)),
        _required("players", JSON),
        _required("seed", BigInteger),
        sa.Column("match_id", Integer, sa.ForeignKey("matches.id")),
        sa.Column("points", JSON),
        _required("is_counted", Boolean, server_default=sa.false()),
        sa.Index("ix_fixtures_order", "tournament_id", "number", unique=True),
        sa.Index("ix_fixtures_open", "tournament_id", "is_counted"),
    )
    sa.Table(
        "entrants",
        tables,
        _key_of("tournaments", "tournament_id", primary_key=True),
        sa.Column("name", String(100), primary_key=True),
        _required("place", Integer),
        _required("player", String(500)),
        _required("dialect", String(10)),
        _required("state", String(10)),
        _required("reason", String),
        _required("since", BigInteger),
        sa.Column("retry", BigInteger),
        _required("rest", Integer),
        _required("last_over", BigInteger),
        *(_required(name, JSON) for name in ("last_met", "seatings")),
        *(
            _required(name, Integer)
            for name in ("matches", "goals", "timeouts", "illegal", "connection")
        ),
    )
    sa.Table(
        "encounters",
        tables,
        _key_of("tournaments", "tournament_id", primary_key=True),
        *(sa.Column(name, String(100), primary_key=True) for name in ("first", "second")),
        *(_required(name, Integer) for name in ("wins", "draws", "losses")),
    )


def _add_accounts(tables: sa.MetaData) -> None:
    # Rows of `players` and `matches` name accounts without a foreign key: no account is deleted.
    sa.Table(
        "accounts",
        tables,
        sa.Column("id", Integer, primary_key=True),
        _required("name", String(60)),
        _required("folded_name", String(120), unique=True),
        _required("role", String(12), index=True),
        _required("password_hash", String(200)),
        _required("is_locked", Boolean),
        _required("created", BigInteger),
    )
    sa.Table(
        "account_keys",
        tables,
        sa.Column("id", Integer, primary_key=True),
        _required("digest", String(64), unique=True),
        _required("kind", String(12), index=True),
        _key_of("accounts", "account_id", index=True),
        _required("role", String(12)),
        _required("label", String(60)),
        _required("uses_left", Integer),
        _required("created", BigInteger),
        sa.Column("expires", BigInteger),
    )


def _add_challenges(tables: sa.MetaData) -> None:
    sa.Table(
        "challenges",
        tables,
        sa.Column("id", Integer, primary_key=True),
        _required("game", String(100)),
        _required("plan", JSON),
        _required("sides", String(10)),
        _required("places", JSON),
        _required("key", String(32)),
        sa.Column("owner_id", Integer, index=True),
        _required("owner_name", String(60)),
        _required("address", String(64), index=True),
        _required("status", String(10), index=True),
        _required("created", BigInteger),
        _required("expires", BigInteger),
        sa.Column("match_id", Integer),
    )

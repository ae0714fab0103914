"""A database of an earlier version is brought up to date with all that is in it."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine

from ggp.manager.store import matches, players
from ggp.manager.store.database import MIGRATIONS, opened

MATCH = """
INSERT INTO rulesheets VALUES (1, 'g', 'd', '(role me)', 1, 1);
INSERT INTO matches (id, match_id, rulesheet_id, game, roles, startclock, playclock, dialect,
    is_scrambled, status, reason, random_token, created, extra)
    VALUES (1, 'm', 1, 'g', '["me"]', 1, 1, 'kif', 0, 'completed', '', 'x', 1, '{}');
INSERT INTO seats (id, match_id, role_index, role, player_name, source)
    VALUES (1, 1, 0, 'me', 'ann', 'http://127.0.0.1:1');
INSERT INTO players VALUES (1, 'a', 'http://127.0.0.1:1', 'kif', 1, 0);
INSERT INTO players VALUES (2, 'b', 'http://127.0.0.1:2', 'epilog', 1, 0);
INSERT INTO players VALUES (3, 'c', 'http://127.0.0.1:3', 'dresden', 1, 0);
"""


def as_of(revision: str, file: Path) -> None:
    """A database of that version, with a match and players in it."""
    engine = create_engine(f"sqlite:///{file}")
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()
    with contextlib.closing(sqlite3.connect(file)) as filled:
        filled.executescript(MATCH)


async def test_seats_get_a_dialect(tmp_path: Path) -> None:
    """That of GGP-Base, in which all were spoken to; what players are registered with stays."""
    as_of("0002", tmp_path / "ggp.db")

    async with opened(f"sqlite:///{tmp_path}/ggp.db") as database, database.reading() as session:
        match = await matches.find(session, 1)
        found = await players.listed(session)

    assert [seat.dialect for seat in match.seats] == ["ggp-base"]
    assert [row.dialect for row in found] == ["ggp-base", "gamemaster", "dresden"]

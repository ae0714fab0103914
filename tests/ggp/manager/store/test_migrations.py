"""A database of an earlier version is brought up to date with all that is in it."""

from __future__ import annotations

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import create_async_engine

from ggp.manager.domain.rights import Role
from ggp.manager.store import accounts, challenges, entrants, matches, players, uploads
from ggp.manager.store.accounts import KeyKind
from ggp.manager.store.database import opened
from ggp.manager.store.location import DatabaseError
from ggp.manager.store.schema import MIGRATIONS
from tests.ggp.manager.desk import Home

MATCH = """
INSERT INTO rulesheets (id, name, digest, text, is_bundled, created)
    VALUES (8, 'g', 'd', '(role me)', true, 3);
INSERT INTO matches (id, match_id, rulesheet_id, game, roles, startclock, playclock, dialect,
    is_scrambled, status, reason, random_token, created, extra)
    VALUES (1, 'm', 8, 'g', '["me"]', 1, 1, '', false, 'completed', '', 'x', 1, '{}');
INSERT INTO seats (id, match_id, role_index, role, player_name, source)
    VALUES (1, 1, 0, 'me', 'ann', 'http://127.0.0.1:1');
INSERT INTO turns (match_id, number, moves, facts, errors, replies, time)
    VALUES (1, 0, '[]', '["a"]', '["TO"]', '[]', 1);
INSERT INTO turns (match_id, number, moves, facts, errors, replies, time)
    VALUES (1, 1, '["go"]', '["TO"]', '[""]', '[]', 2);
INSERT INTO turns (match_id, number, moves, facts, errors, replies, time)
    VALUES (1, 2, '["go"]', '["b"]', '["IL (mark 1 1)"]', '[]', 3);
INSERT INTO players (id, name, source, dialect, created, is_retired) VALUES
    (1, 'a', 'http://127.0.0.1:1', 'ggp-base', 1, false),
    (2, 'b', 'http://127.0.0.1:2', 'gamemaster', 1, false),
    (3, 'c', 'http://127.0.0.1:3', 'dresden', 1, false);
"""


ENTRANTS = """
UPDATE seats SET is_absent = true;
INSERT INTO tournaments (id, name, plan, status, reason, created)
    VALUES (1, 't', '{}', 'running', '', 1);
INSERT INTO fixtures (id, tournament_id, number, round, game, players, seed, match_id, is_counted)
    VALUES (1, 1, 0, 0, 'g', '["ann"]', 1, 1, true);
INSERT INTO entrants (tournament_id, name, place, player, dialect, state, reason, since, rest,
    last_over, last_met, seatings, matches, goals, timeouts, illegal, connection) VALUES
    (1, 'ann', 0, 'ann', '', 'in', '', 1, 0, 1, '[]', '{}', 1, 0, 1, 1, 0),
    (1, 'bob', 1, 'bob', '', 'in', '', 1, 0, 1, '[]', '{}', 0, 0, 0, 0, 0);
"""


ACCOUNTS = """
INSERT INTO accounts (id, name, folded_name, role, password_hash, is_locked, created) VALUES
    (1, 'Ann', 'ann', 'host', 'h', false, 1), (2, 'Bob', 'bob', 'student', 'h', true, 2);
INSERT INTO account_keys (id, digest, kind, account_id, role, label, uses_left, created) VALUES
    (1, 'd', 'token', 2, '', 'script', 0, 3);
INSERT INTO uploads (id, digest, owner_id, num_bytes, created) VALUES (1, 'u', 2, 10, 4);
INSERT INTO challenges (id, game, plan, sides, places, key, owner_id, owner_name, address, status,
    created, expires) VALUES
    (1, 'g', '{}', 'random', '[{"player": "person"}]', 'k', 2, 'Bob', '', 'open', 5, 4000000000000);
UPDATE players SET owner_id = 2 WHERE id = 1;
UPDATE matches SET owner_id = 2, ending = 'rules', is_revealed = true, clock = '{"seconds": 60}';
UPDATE seats SET account_id = 2, clock_left = 7;
"""


async def as_of(revision: str, url: str, more: str = "") -> None:
    """A database of that version, with a match and players in it, and what more is said."""

    def fill(connection: Connection) -> None:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        for statement in filter(str.strip, (MATCH + more).split(";")):
            connection.exec_driver_sql(statement)

    engine = create_async_engine(url.replace("sqlite:", "sqlite+aiosqlite:"))
    async with engine.begin() as connection:
        await connection.run_sync(fill)
    await engine.dispose()


async def test_a_database_of_before_0_9_0_is_refused(home: Home) -> None:
    """The message says which version of the program can still upgrade it."""
    await as_of("0013", home.database, "UPDATE alembic_version SET version_num = '0012'")

    with pytest.raises(DatabaseError, match=r"schema 0012: .*upgrade it with ggp-agent 0\.9\.0"):
        async with opened(home.database):
            pass


async def test_all_that_version_0_9_0_kept_is_there(home: Home) -> None:
    """Its schema was 0013: accounts and what is theirs, uploads, challenges, clocks of people."""
    await as_of("0013", home.database, ACCOUNTS)

    async with opened(home.database) as database, database.reading() as session:
        people = await accounts.listed(session, list(Role))
        keys = await accounts.keys_of(session, 2, KeyKind.TOKEN, 6)
        [upload] = await uploads.of_owners(session, {2})
        [challenge] = await challenges.open_ones(session, 6)
        match = await matches.find(session, 1)
        owners = [row.owner_id for row in await players.listed(session)]

    assert [(row.name, row.is_locked) for row in people] == [("Ann", False), ("Bob", True)]
    assert [(key.label, key.digest) for key in keys] == [("script", "d")]
    assert (upload.digest, upload.num_bytes) == ("u", 10)
    assert (challenge.owner_name, challenge.places) == ("Bob", [{"player": "person"}])
    assert (match.owner_id, match.ending, match.clock) == (2, "rules", {"seconds": 60})
    assert [(seat.account_id, seat.clock_left) for seat in match.seats] == [(2, 7)]
    assert owners == [2, None, None]


async def test_matches_not_played_are_added_up(home: Home) -> None:
    """Those, too, that a continuous tournament has counted before."""
    await as_of("0015", home.database, ENTRANTS)

    async with opened(home.database) as database, database.reading() as session:
        rows = await entrants.listed(session, 1)

    assert [(row.name, row.absent) for row in rows] == [("ann", 1), ("bob", 0)]

"""A match in the database is written turn by turn, and read again as it was."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from ggp.manager.errors import NotThereError
from ggp.manager.store import matches, players, rulesheets
from ggp.manager.store.database import Database, opened
from ggp.manager.store.location import DatabaseError
from ggp.manager.store.matches import LongRoleError, MatchFilter, PlayedTurn
from ggp.manager.store.tables import MatchRow, SeatRow, Status
from ggp.records.record import MatchRecord
from tests.ggp.manager.desk import Home

START = PlayedTurn(0, (), ("(count 2)",), ("", "TO"), 10)
FIRST = PlayedTurn(1, ("go", "noop"), ("(count 1)",), ("IL x", ""), 20, ({"seconds": 0.5},))


@pytest.fixture
async def database(home: Home) -> AsyncIterator[Database]:
    """An empty one."""
    async with opened(home.database) as database:
        yield database


async def set_up(
    database: Database, match_id: str = "m.1", player: str = "ann", role: str = "right"
) -> int:
    """A match of a game that nobody knows."""
    async with database.writing() as session:
        rules = await rulesheets.keep(session, "countdown", "(role left)", now=1)
        row = MatchRow(
            match_id=match_id,
            rulesheet_id=rules,
            game="countdown",
            roles=["left", role],
            seats=[
                SeatRow(role_index=0, role="left", player_name=player),
                SeatRow(role_index=1, role=role, player_name="bob"),
            ],
            startclock=10,
            playclock=5,
            seed=2**31 + 7,
            random_token="x" * 32,
            created=1_795_219_311_262,
        )
        return await matches.create(session, row)


async def record_of(database: Database, number: int) -> MatchRecord:
    """The record kept of a match."""
    async with database.reading() as session:
        return await matches.record_of(session, number)


async def test_a_match_is_kept_as_ggp_base_records_it(database: Database) -> None:
    """States, moves, errors, times and goals come back."""
    number = await set_up(database)
    async with database.writing() as session:
        await matches.add_turn(session, number, START)
        await matches.add_turn(session, number, FIRST)
        await matches.complete(session, number, [70, 30], now=30)

    record = await record_of(database, number)

    assert record.states == (("(count 2)",), ("(count 1)",))
    assert record.moves == (("go", "noop"),)
    assert record.errors == (("", "TO"), ("IL x", ""))
    assert record.goals == (70, 30)
    assert record.player_names == ("ann", "bob")
    assert record.is_completed
    assert record.start_time == 1_795_219_311_262


async def test_a_turn_written_twice_stays_as_it_was(database: Database) -> None:
    """After a crash between writing and knowing it, the turn may come again."""
    number = await set_up(database)
    for turn in (START, FIRST, PlayedTurn(1, ("stay", "noop"), ("(count 2)",), ("", ""), 25)):
        async with database.writing() as session:
            await matches.add_turn(session, number, turn)

    assert (await record_of(database, number)).moves == (("go", "noop"),)


async def test_turns_can_be_taken_back(database: Database) -> None:
    """Those after the given one are gone."""
    number = await set_up(database)
    async with database.writing() as session:
        await matches.add_turn(session, number, START)
        await matches.add_turn(session, number, FIRST)
        await matches.take_back(session, number, last_turn=0)

    assert (await record_of(database, number)).moves == ()


async def test_what_fails_half_way_leaves_nothing(database: Database) -> None:
    """All changes of a session, or none."""
    number = await set_up(database)

    async def fail() -> None:
        async with database.writing() as session:
            await matches.add_turn(session, number, START)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()

    assert (await record_of(database, number)).states == ()


async def test_matches_are_listed_the_newest_first(database: Database) -> None:
    """Filters go together; a page ends where the next begins."""
    numbers = [await set_up(database, f"m.{i}", "ann" if i % 2 else "eve") for i in range(6)]
    async with database.writing() as session:
        await matches.set_status(session, numbers[1], Status.ABORTED, "by hand", now=5)

    async with database.reading() as session:
        every = await matches.listed(session, MatchFilter(limit=4))
        rest = await matches.listed(session, MatchFilter(before=every[-1].id))
        found = await matches.listed(session, MatchFilter(player="ann", status="aborted"))

    assert [one.id for one in every + rest] == numbers[::-1]
    assert [one.id for one in found] == [numbers[1]]
    assert [seat.player_name for seat in found[0].seats] == ["ann", "bob"]


async def test_what_was_committed_is_there_when_it_is_opened_again(home: Home) -> None:
    """The tables are made once and found again."""
    async with opened(home.database) as database:
        number = await set_up(database)
    async with opened(home.database) as database:
        record = await record_of(database, number)

    assert record.match_id == "m.1"


async def test_rules_that_many_bring_at_once_are_kept_once(database: Database) -> None:
    """Between looking for them and writing them down nobody else writes."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(set_up(database, f"m.{i}")) for i in range(10)]
    async with database.reading() as session:
        sheets = {(await matches.find(session, task.result())).rulesheet_id for task in tasks}

    assert len(sheets) == 1


async def test_a_turn_reads_as_it_was_written(database: Database) -> None:
    """Times beyond 32 bits, texts in any script, numbers that JSON has no word for."""
    number = await set_up(database, "m.\u00e9\u4e16\U0001f600")
    turn = PlayedTurn(
        0, (), (), ("", ""), 2**41, ({"value": math.inf, "line": ["\ud800", "'\"\\"]},)
    )
    async with database.writing() as session:
        await matches.add_turn(session, number, turn)
    async with database.reading() as session:
        [kept] = await matches.turns_of(session, number)
        row = await matches.find(session, number)

    assert kept == replace(turn, replies=({"value": None, "line": ["\ud800", "'\"\\"]},))
    assert row.match_id == "m.\u00e9\u4e16\U0001f600"


async def test_a_role_with_an_endless_name_is_refused(database: Database) -> None:
    """On every kind of database, and in a line that says why."""
    with pytest.raises(LongRoleError, match="expected at most 100 characters"):
        await set_up(database, role="r" * 101)
    await set_up(database, role="r" * 100)


async def test_an_unknown_match_is_an_error(database: Database) -> None:
    """It is named."""
    with pytest.raises(NotThereError, match="there is no match 7"):
        await record_of(database, 7)


async def test_a_retired_player_can_come_back(database: Database) -> None:
    """A name is taken once; who was retired is not listed."""
    async with database.writing() as session:
        await players.register(session, "ann", "mcts", "kif", now=1)
        with pytest.raises(players.PlayerExistsError, match="already a player 'ann'"):
            await players.register(session, "ann", "legal", "kif", now=2)
        await players.retire(session, "ann")
        assert await players.listed(session) == []
        again = await players.register(session, "ann", "legal", "kif", now=3)

    assert again.source == "legal"


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("nonsense", "expected sqlite:///FILE or postgresql"),
        ("m.db", "expected sqlite:///FILE or postgresql.*; did you mean sqlite:///m.db\\?$"),
        ("mysql://host/ggp", "expected sqlite or postgresql, got mysql"),
        ("sqlite:////nowhere/at/all/ggp.db", "unable to open database file"),
        ("postgresql://ann:secret@127.0.0.1:99999/ggp", "ann:\\*\\*\\*@.*port must be 0-65535"),
        ("postgresql://ann@127.0.0.1:9/ggp?kind=good", "unexpected keyword argument 'kind'"),
        ("postgresql://ann@127.0.0.1:9/ggp", "Connect call failed"),
    ],
)
async def test_a_database_that_cannot_be_is_refused(url: str, message: str) -> None:
    """One line says what would be right."""
    if url.startswith("postgresql"):
        pytest.importorskip("asyncpg", reason="needs asyncpg")
    with pytest.raises(DatabaseError, match=message):
        async with opened(url):
            pass

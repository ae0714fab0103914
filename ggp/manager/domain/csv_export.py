"""Tournaments and ratings as CSV, for spreadsheets."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from datetime import UTC, datetime

from ggp.csv_text import csv_lines
from ggp.manager.store import tournaments
from ggp.manager.store.database import Database
from ggp.manager.store.tables import RatingRow
from ggp.manager.store.tournaments import FixtureEntry
from ggp.tournament.table import Crosstable

PART = 500
"""Matches that are read at once."""
TABLE_HEADINGS = (
    *("place", "player", "points", "matches", "won", "drawn", "lost", "elo", "low", "high"),
    *("timeouts", "illegal", "connection"),
)
MATCH_HEADINGS = (
    *("number", "round", "game", "match", "status", "seat", "player", "goal"),
    *("timeouts", "illegal", "connection"),
)
RATING_HEADINGS = ("player", "elo", "low", "high", "meetings", "computed")


def table_csv(table: Crosstable) -> str:
    """The table of a tournament, a line a player."""
    lines: list[Sequence[object]] = [TABLE_HEADINGS]
    for place, row in enumerate(table.rows, start=1):
        elo = row.rating
        figures = (elo.elo, elo.low, elo.high) if elo is not None else ("", "", "")
        counts = (row.matches, row.wins, row.draws, row.losses)
        faults = (row.faults.timeouts, row.faults.illegal, row.faults.connection)
        lines.append((place, row.name, row.points, *counts, *figures, *faults))
    return csv_lines(lines)


def ratings_csv(rows: Sequence[RatingRow]) -> str:
    """The ratings of all players, a line each."""
    return csv_lines(
        [
            RATING_HEADINGS,
            *(
                (row.player_name, row.elo, row.low, row.high, row.meetings, _moment(row.computed))
                for row in rows
            ),
        ]
    )


async def matches_csv(database: Database, number: int, planned: int) -> AsyncIterator[bytes]:
    """The first matches of a tournament, a line a seat, a part after the other."""
    yield csv_lines([MATCH_HEADINGS]).encode()
    for first in range(0, planned, PART):
        end = min(first + PART, planned)
        async with database.reading() as session:
            found = await tournaments.between(session, number, first, end)
        yield csv_lines([line for entry in found for line in _seats_of(entry)]).encode()


def _seats_of(entry: FixtureEntry) -> Iterable[Sequence[object]]:
    fixture = entry.fixture
    for seat, name in enumerate(fixture.players):
        goal = "" if entry.goals is None else entry.goals[seat]
        faults: tuple[object, ...] = ("", "", "")
        if seat < len(entry.faults):
            some = entry.faults[seat]
            faults = (some.timeouts, some.illegal, some.connection)
        match = "" if entry.match is None else entry.match
        yield (
            *(fixture.number, fixture.round, fixture.game, match, str(entry.status)),
            *(seat, name, goal, *faults),
        )


def _moment(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="seconds")

"""Where a tournament stands: what pages, the API and `ggp tournament` show of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from ggp.manager.domain.continuous import is_continuous, pool_table
from ggp.manager.domain.tournaments import bracket_of, sprt_of, table_of
from ggp.manager.store import pool, tournaments
from ggp.manager.store.database import Database
from ggp.manager.store.tables import EntrantRow, TournamentRow
from ggp.manager.store.tournaments import FixtureEntry
from ggp.tournament.knockout import Bracket
from ggp.tournament.plan import TournamentPlan
from ggp.tournament.sprt import Sprt
from ggp.tournament.table import Crosstable

RECENT = 50
"""Matches of a continuous tournament that are shown."""


@dataclass(frozen=True, slots=True)
class TournamentState:
    """A tournament with all that has come of it."""

    row: TournamentRow
    plan: TournamentPlan
    fixtures: Sequence[FixtureEntry]
    """In the order of play; of a continuous tournament the last `RECENT`."""
    planned: int
    """How many fixtures there are."""
    table: Crosstable
    bracket: Bracket | None
    """Of a knockout."""
    pool: Sequence[EntrantRow]
    """Of a continuous tournament, who takes part or did."""


async def state_of(database: Database, number: int) -> TournamentState:
    """Where a tournament stands now.

    Raises:
        UnavailableError: The database cannot be used now.
        UnknownTournamentError: There is none of this number.
    """
    async with database.reading() as session:
        row = await tournaments.find(session, number)
        plan = TournamentPlan.read(row.plan)
        if is_continuous(row):
            planned = await pool.num_fixtures(session, number)
            first = max(0, planned - RECENT)
            found = await tournaments.between(session, number, first, planned)
            entrants = await pool.listed(session, number)
            met = await pool.encounters(session, number)
        else:
            found = await tournaments.entries(session, number)
            planned = len(found)
            entrants, met = [], []
    if is_continuous(row):
        table = await asyncio.to_thread(pool_table, entrants, met)
    else:
        table = table_of(plan, found)
    return TournamentState(row, plan, found, planned, table, bracket_of(plan, found), entrants)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a tournament is."""

    done: int
    """Matches that are over."""
    planned: int | None
    """Of how many; None of a continuous tournament."""
    test: Sprt | None
    """Of a tournament with a stop rule."""


async def progress_of(database: Database, number: int, plan: TournamentPlan) -> Progress:
    """How far a tournament is; asks for less than `state_of`.

    Raises:
        UnavailableError: The database cannot be used now.
    """
    async with database.reading() as session:
        if plan.form == "continuous":
            planned = await pool.num_fixtures(session, number)
            return Progress(planned - len(await pool.open_fixtures(session, number)), None, None)
        found = await tournaments.entries(session, number)
    done = sum(entry.goals is not None for entry in found)
    return Progress(done, len(found), sprt_of(plan, found))

"""The list of tournaments, and the page of one."""

from __future__ import annotations

import time

from aiohttp import web

from ggp.manager.domain.tournaments import table_of
from ggp.manager.store import tournaments
from ggp.manager.store.tables import OVER
from ggp.manager.store.tournaments import FixtureEntry
from ggp.manager.web.app_keys import CATALOGUE, DATABASE
from ggp.manager.web.rendering import page
from ggp.manager.web.request_parts import number_of
from ggp.tournament.plan import FORMS, TournamentPlan


async def show_tournaments(request: web.Request) -> web.Response:
    """The tournaments, the newest first, and a form for a new one."""
    async with request.app[DATABASE].reading() as session:
        rows = await tournaments.listed(session)
    return page(
        "tournaments.html",
        section="/tournaments",
        tournaments=rows,
        games=await request.app[CATALOGUE].entries(),
        forms=FORMS,
    )


async def show_tournament(request: web.Request) -> web.Response:
    """One tournament: its table, who did how well against whom, and its matches."""
    number = number_of(request)
    async with request.app[DATABASE].reading() as session:
        row = await tournaments.find(session, number)
        found = await tournaments.entries(session, number)
    done = sum(entry.goals is not None for entry in found)
    return page(
        "tournament.html",
        section="/tournaments",
        one=row,
        fixtures=[(entry, _replaced(entry)) for entry in found],
        done=done,
        left="" if row.status in OVER else _left(row.created, done, len(found)),
        table=table_of(TournamentPlan.read(row.plan), found),
    )


def _replaced(entry: FixtureEntry) -> list[str]:
    """Whose answers were replaced, and how many."""
    named = zip(entry.fixture.players, entry.faults, strict=False)
    return [f"{name}: {faults}" for name, faults in named if str(faults)]


def _left(created: int, done: int, planned: int) -> str:
    """Time that it may still take, as matches took so far; empty as long as none is over."""
    if done == 0:
        return ""
    seconds = (time.time() - created / 1000) / done * (planned - done)
    return f"{seconds / 60:.0f} min" if seconds > 90 else f"{seconds:.0f} s"

"""The list of tournaments, and the page of one."""

from __future__ import annotations

import time
from collections.abc import Sequence

from aiohttp import web

from ggp.clock import milliseconds_since_1970
from ggp.manager.domain.rights import Right, current_caller
from ggp.manager.domain.tournaments import TournamentState, state_of
from ggp.manager.store import tournaments
from ggp.manager.store.tables import OVER, PlayerRow, Presence
from ggp.manager.store.tournaments import FixtureEntry
from ggp.manager.web.parts import SERVICE
from ggp.manager.web.request_parts import number_of
from ggp.manager.web.responses import page
from ggp.tournament.plan import FORMS


async def show_tournaments(request: web.Request) -> web.Response:
    """The tournaments, the newest first, and a form for a new one."""
    rows = await request.app[SERVICE].database.read(tournaments.listed)
    return page(
        "tournaments.html",
        section="/tournaments",
        tournaments=rows,
        games=await request.app[SERVICE].catalogue.entries(),
        forms=FORMS,
    )


async def show_tournament(request: web.Request) -> web.Response:
    """One tournament: its table, who did how well against whom, and its matches."""
    state = await state_of(request.app[SERVICE].database, number_of(request))
    if state.plan.form == "continuous":
        return _continuous(state, await request.app[SERVICE].players.visible(current_caller()))
    done = sum(entry.goals is not None for entry in state.fixtures)
    return page(
        "tournament.html",
        section="/tournaments",
        one=state.row,
        fixtures=[(entry, _replaced(entry)) for entry in state.fixtures],
        done=done,
        left="" if state.row.status in OVER else _left(state.row.created, done, state.planned),
        table=state.table,
        bracket=state.bracket,
    )


def _continuous(state: TournamentState, seen: Sequence[PlayerRow]) -> web.Response:
    caller = current_caller()
    presence = {row.name: row for row in state.pool}
    own = {row.name for row in seen if caller.owns(row.owner_id)}
    taking_part = {row.name for row in state.pool if row.state != Presence.LEFT}
    return page(
        "continuous.html",
        section="/tournaments",
        one=state.row,
        now=milliseconds_since_1970(),
        rows=[(row, presence[row.name]) for row in state.table.rows],
        num_in=sum(row.state == Presence.IN for row in state.pool),
        fixtures=[(entry, _replaced(entry)) for entry in reversed(state.fixtures)],
        planned=state.planned,
        own=set(presence) if caller.may(Right.HOLD) else own,
        names=sorted(own - taking_part),
    )


def _replaced(entry: FixtureEntry) -> list[str]:
    named = zip(entry.fixture.players, entry.faults, strict=False)
    return [f"{name}: {faults}" for name, faults in named if str(faults)]


def _left(created: int, done: int, planned: int) -> str:
    """Time that it may still take, as matches took so far; empty as long as none is over."""
    if done == 0:
        return ""
    seconds = (time.time() - created / 1000) / done * (planned - done)
    return f"{seconds / 60:.0f} min" if seconds > 90 else f"{seconds:.0f} s"

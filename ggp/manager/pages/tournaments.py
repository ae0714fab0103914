"""The pages of tournaments."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence

from aiohttp import web

from ggp.clock import milliseconds_since_1970
from ggp.manager.domain.continuous import is_continuous
from ggp.manager.domain.held_results import HELD
from ggp.manager.domain.rights import Right, current_caller
from ggp.manager.domain.tournaments import TournamentState, state_of
from ggp.manager.service import SERVICE
from ggp.manager.store import entrants, players, tournaments
from ggp.manager.store.entrants import PERSON_OF, Presence
from ggp.manager.store.tables import OVER, PlayerRow, TournamentRow, Visibility
from ggp.manager.store.tournaments import FixtureEntry
from ggp.manager.web.request_parts import number_of
from ggp.manager.web.responses import page
from ggp.tournament.fixture import counted_as
from ggp.tournament.plan import FORMS


async def show_tournaments(request: web.Request) -> web.Response:
    """Show the tournaments, newest first, and a form for a new tournament."""
    async with request.app[SERVICE].database.reading() as session:
        rows = await tournaments.listed(session)
        came = await entrants.num_entrants(session)
    service = request.app[SERVICE]
    hidden = await service.held.hidden()
    return page(
        "tournaments.html",
        section="/tournaments",
        tournaments=[
            (row, came.get(row.id, len(row.plan["players"])), _status(row, hidden)) for row in rows
        ],
        calendar=service.calendar,
        visibilities=list(Visibility) if service.config.has_accounts else [],
        games=await request.app[SERVICE].catalogue.entries(),
        forms=FORMS,
    )


def _status(row: TournamentRow, hidden: Collection[int]) -> str:
    return HELD if row.id in hidden else row.status


async def show_tournament(request: web.Request) -> web.Response:
    """Show one tournament: its table, the results of each pair of players, and its matches."""
    held, number = request.app[SERVICE].held, number_of(request)
    if await held.is_hidden(number):
        row = await request.app[SERVICE].database.read(tournaments.find, number)
        return page(
            "held.html",
            section="/tournaments",
            one=row,
            why=held.why(number),
            can_join=is_continuous(row) and row.status not in OVER,
        )
    row = await request.app[SERVICE].database.read(tournaments.find, number)
    if row.is_open:
        return await _sign_up(request, row)
    state = await state_of(request.app[SERVICE].database, number)
    if state.plan.form == "continuous":
        retired = await request.app[SERVICE].database.read(players.retired)
        seen = await request.app[SERVICE].players.visible(current_caller())
        return _continuous(state, seen, retired, _results(request, state.row))
    done = sum(entry.goals is not None for entry in state.fixtures)
    return page(
        "tournament.html",
        section="/tournaments",
        one=state.row,
        fixtures=[(entry, _goals(entry), _replaced(entry)) for entry in state.fixtures],
        done=done,
        left="" if state.row.status in OVER else _left(state.row.created, done, state.planned),
        can_annul=state.can_annul,
        table=state.table,
        bracket=state.bracket,
        **_results(request, state.row),
    )


async def _sign_up(request: web.Request, row: TournamentRow) -> web.Response:
    service, caller = request.app[SERVICE], current_caller()
    found = await service.database.read(entrants.listed, row.id)
    present = [one for one in found if one.state != Presence.LEFT]
    visible = await service.players.visible(caller)
    own = {one.name for one in visible if caller.owns(one.owner_id)}
    return page(
        "sign_up.html",
        section="/tournaments",
        one=row,
        rows=[
            (one, one.player.startswith(PERSON_OF), one.name in own | {caller.name})
            for one in present
        ],
        names=sorted(own - {one.name for one in present}),
        is_in=caller.name in {one.name for one in present},
    )


def _results(request: web.Request, row: TournamentRow) -> dict[str, object]:
    """Return what the template `results.html` needs."""
    service = request.app[SERVICE]
    return {
        "held": service.held.why(row.id) if row.id in service.held.held() else "",
        "visibilities": list(Visibility) if service.config.has_accounts else [],
    }


def _continuous(
    state: TournamentState,
    seen: Sequence[PlayerRow],
    retired: Collection[str],
    results: Mapping[str, object],
) -> web.Response:
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
        num_in=sum(row.state == Presence.IN and row.player not in retired for row in state.pool),
        retired=retired,
        fixtures=[(one, _goals(one), _replaced(one)) for one in reversed(state.fixtures)],
        can_annul=state.can_annul,
        planned=state.planned,
        own=set(presence) if caller.may(Right.HOLD) else own,
        names=sorted(own - taking_part),
        **results,
    )


def _goals(entry: FixtureEntry) -> str:
    """Return a text with the goals as played and, if they count differently, also as counted."""
    goals = entry.goals or ()
    parts = (" : ".join(map(str, goals)), counted_as(goals, entry.absent))
    return ", ".join(filter(None, parts))


def _replaced(entry: FixtureEntry) -> list[str]:
    named = zip(entry.fixture.players, entry.faults, strict=False)
    return [f"{name}: {faults}" for name, faults in named if str(faults)]


def _left(created: int, done: int, planned: int) -> str:
    if done == 0:
        return ""
    seconds = (time.time() - created / 1000) / done * (planned - done)
    return f"{seconds / 60:.0f} min" if seconds > 90 else f"{seconds:.0f} s"

"""The list of matches, and the page of one."""

from __future__ import annotations

from urllib.parse import urlencode

from aiohttp import web

from ggp.manager.domain.sight import has_seat, is_seat_of, sight_of
from ggp.manager.errors import NotAllowedError
from ggp.manager.store import matches
from ggp.manager.web.app_keys import CATALOGUE, DATABASE, PLAYERS
from ggp.manager.web.callers import current_caller
from ggp.manager.web.rendering import page
from ggp.manager.web.request_parts import SEAT, MatchQuery, number_of, query_of
from ggp.manager.web.seat_keys import remember, seat_key
from ggp.match.referee import is_played
from ggp.players import registry


async def show_matches(request: web.Request) -> web.Response:
    """The matches that fit, the newest first, and a form for a new one."""
    match_filter = query_of(request, MatchQuery).match_filter()
    async with request.app[DATABASE].reading() as session:
        found = await matches.listed(session, match_filter)
    known = [row.name for row in await request.app[PLAYERS].visible(current_caller())]
    older = ""
    if len(found) == match_filter.limit:
        asked = {key: value for key, value in request.query.items() if key != "before"}
        older = "/matches?" + urlencode({**asked, "before": found[-1].id})
    return page(
        "matches.html",
        section="/matches",
        matches=found,
        wanted=match_filter,
        older=older,
        games=await request.app[CATALOGUE].entries(),
        players=[*known, *registry.names()],
    )


async def show_match(request: web.Request) -> web.Response:
    """One match, to be watched or played."""
    async with request.app[DATABASE].reading() as session:
        match = await matches.find(session, number_of(request))
    key = seat_key(request)
    if SEAT in request.query:
        if not has_seat(match, key):
            raise NotAllowedError(f"match {match.id} has no seat with this key")
        return remember(request)
    people = [seat.role for seat in match.seats if not seat.source]
    keyed = {seat.role for seat in match.seats if seat.key}
    is_own = current_caller().owns(match.owner_id)
    return page(
        "match.html",
        section="/matches",
        match=match,
        people=[
            role for role in people if is_seat_of(match, role, key) and (is_own or role in keyed)
        ],
        is_own=is_own,
        played=[role for role in match.roles if is_played(role)],
        has_people=bool(people),
        sight=sight_of(match, key),
    )

"""The list of matches, and the page of one."""

from __future__ import annotations

from urllib.parse import urlencode

from aiohttp import web

from ggp.manager.api.route import number_of
from ggp.manager.api.wanted import wanted_of
from ggp.manager.catalogue import all_games
from ggp.manager.keys import service_of
from ggp.manager.pages.rendering import page
from ggp.manager.store import matches, players
from ggp.manager.views import match_view
from ggp.players import registry


async def show_matches(request: web.Request) -> web.Response:
    """The matches that fit, the newest first, and a form for a new one."""
    wanted = wanted_of(request)
    service = service_of(request)
    async with service.database.reading() as session:
        found = await matches.listed(session, wanted)
        known = [row.name for row in await players.listed(session)]
    older = ""
    if len(found) == wanted.limit:
        asked = {key: value for key, value in request.query.items() if key != "before"}
        older = "/matches?" + urlencode({**asked, "before": found[-1].row.id})
    return page(
        "matches.html",
        section="/matches",
        matches=[match_view(match) for match in found],
        wanted=wanted,
        older=older,
        games=await all_games(service),
        players=[*known, *registry.names()],
    )


async def show_match(request: web.Request) -> web.Response:
    """One match, to be watched or played."""
    async with service_of(request).database.reading() as session:
        match = await matches.find(session, number_of(request))
    people = [seat.role for seat in match.seats if not seat.source]
    return page("match.html", section="/matches", match=match_view(match), people=people)

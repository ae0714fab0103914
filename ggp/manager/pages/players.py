"""Who plays here."""

from __future__ import annotations

from aiohttp import web

from ggp.manager.keys import service_of
from ggp.manager.pages.rendering import page
from ggp.manager.store import players
from ggp.manager.views import player_view
from ggp.players import registry


async def show_players(request: web.Request) -> web.Response:
    """Registered players, how they are, and a form for a new one."""
    async with service_of(request).database.reading() as session:
        found = await players.listed(session)
    return page(
        "players.html",
        section="/players",
        players=[player_view(row) for row in found],
        names=registry.names(),
    )

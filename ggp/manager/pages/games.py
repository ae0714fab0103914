"""The catalogue."""

from __future__ import annotations

from aiohttp import web

from ggp.manager.catalogue import all_games
from ggp.manager.keys import service_of
from ggp.manager.pages.rendering import page


async def show_games(request: web.Request) -> web.Response:
    """All games: what they are about, and a picture of the first position."""
    return page("games.html", section="/games", games=await all_games(service_of(request)))

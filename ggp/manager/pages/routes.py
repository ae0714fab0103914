"""Which page stands under which address."""

from __future__ import annotations

from aiohttp import web

from ggp.manager.pages import games, matches, play, players, tournaments
from ggp.manager.pages.rendering import STATIC


async def go_to_matches(_request: web.Request) -> web.Response:
    """The first page is the list of matches."""
    return web.Response(status=303, headers={"Location": "/matches"})


def routes() -> list[web.AbstractRouteDef]:
    """All pages, and the files that they need."""
    return [
        web.get("/", go_to_matches),
        web.get("/matches", matches.show_matches),
        web.get("/matches/{number}", matches.show_match),
        web.get("/games", games.show_games),
        web.get("/play", play.show_play),
        web.get("/editor", play.show_editor),
        web.get("/tournaments", tournaments.show_tournaments),
        web.get("/tournaments/{number}", tournaments.show_tournament),
        web.get("/players", players.show_players),
        web.get("/players/{name}", players.show_player),
        web.static("/static", STATIC),
    ]

"""The catalogue, a form to play one of its games by hand, and the editor of rules."""

from __future__ import annotations

from aiohttp import web

from ggp.errors import UnknownNameError
from ggp.manager.web.app_keys import CATALOGUE, PLAYERS
from ggp.manager.web.callers import current_caller
from ggp.manager.web.rendering import page
from ggp.players import registry

FIRST_RULES = """\
; A game for one: count down from 3.
(role player)
(init (count 3))
(<= (legal player down) (true (count ?n)) (distinct ?n 0))
(<= (legal player wait) (true (count ?n)))
(<= (next (count ?m)) (does player down) (true (count ?n)) (succ ?m ?n))
(<= (next (count ?n)) (does player wait) (true (count ?n)))
(<= terminal (true (count 0)))
(<= (goal player 100) (true (count 0)))
(<= (goal player 0) (true (count ?n)) (distinct ?n 0))
(succ 0 1) (succ 1 2) (succ 2 3)
"""


async def show_games(request: web.Request) -> web.Response:
    """All games: what they are about, and a picture of the first position."""
    return page("games.html", section="/games", games=await request.app[CATALOGUE].entries())


async def show_play(request: web.Request) -> web.Response:
    """A form: game, role, opponent."""
    known = [row.name for row in await request.app[PLAYERS].visible(current_caller())]
    games = await request.app[CATALOGUE].entries()
    names, chosen = [game.name for game in games], request.query.get("game", "ticTacToe")
    if chosen not in names:
        raise UnknownNameError("game", chosen, names)
    return page(
        "play.html",
        section="/play",
        games=games,
        chosen=chosen,
        players=[*known, *registry.names()],
    )


async def show_editor(request: web.Request) -> web.Response:
    """The editor, with the rules of a game to begin with."""
    game = request.query.get("game")
    text = FIRST_RULES
    if game is not None:
        text = (await request.app[CATALOGUE].rules_of(game)).text
    name = f"{game}-mine" if game else "my-game"
    return page("editor.html", section="/editor", text=text, name=name)

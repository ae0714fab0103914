"""Pages of games and matches: the catalogue, the editor, the lists, a match and its report."""

from __future__ import annotations

from urllib.parse import urlencode

from aiohttp import web

from ggp.drawing.sheet import plain_name
from ggp.errors import UnknownNameError
from ggp.manager.domain.rights import current_caller
from ggp.manager.domain.sight import has_seat, is_seat_of, sight_of
from ggp.manager.errors import NotAllowedError, NotThereError
from ggp.manager.store import matches
from ggp.manager.store.database import Database
from ggp.manager.store.tables import OVER, MatchRow
from ggp.manager.web.parts import SERVICE
from ggp.manager.web.request_parts import (
    SEAT,
    MatchQuery,
    number_of,
    query_of,
    remember_seat,
    seat_key,
)
from ggp.manager.web.responses import page
from ggp.match.referee import is_played
from ggp.players import registry
from ggp.report.match_report import Mark, MatchReport
from ggp.report.page import MARK_COLOURS, better, chart, legend, notices, said

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
PLURALS = {Mark.INACCURACY: "inaccuracies", Mark.MISTAKE: "mistakes", Mark.BLUNDER: "blunders"}


async def show_games(request: web.Request) -> web.Response:
    """All games: what they are about, and a picture of the first position."""
    return page(
        "games.html", section="/games", games=await request.app[SERVICE].catalogue.entries()
    )


async def show_play(request: web.Request) -> web.Response:
    """A form: game, role, opponent."""
    known = [row.name for row in await request.app[SERVICE].players.visible(current_caller())]
    games = await request.app[SERVICE].catalogue.entries()
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
        text = (await request.app[SERVICE].catalogue.rules_of(game)).text
    name = f"{game}-mine" if game else "my-game"
    return page("editor.html", section="/editor", text=text, name=name)


async def show_matches(request: web.Request) -> web.Response:
    """The matches that fit, the newest first, and a form for a new one."""
    match_filter = query_of(request, MatchQuery).match_filter()
    found = await request.app[SERVICE].database.read(matches.listed, match_filter)
    known = [row.name for row in await request.app[SERVICE].players.visible(current_caller())]
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
        games=await request.app[SERVICE].catalogue.entries(),
        players=[*known, *registry.names()],
    )


async def show_match(request: web.Request) -> web.Response:
    """One match, to be watched or played."""
    match = await request.app[SERVICE].database.read(matches.find, number_of(request))
    key = seat_key(request)
    if SEAT in request.query:
        if not has_seat(match, key):
            raise NotAllowedError(f"match {match.id} has no seat with this key")
        return remember_seat(request)
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


async def show_report(request: web.Request) -> web.Response:
    """The report; or how far it is, or a button to ask for it."""
    number = number_of(request)
    match = await _match(request.app[SERVICE].database, number)
    if match.status not in OVER:
        raise NotThereError(f"match {number} is {match.status}; a report comes after its end")
    content, is_asked, refusal = None, True, ""
    try:
        content = (await request.app[SERVICE].reports.state(number)).content
    except NotThereError as error:
        is_asked, refusal = False, str(error).partition(": ")[2]
    report = None if content is None else MatchReport.from_json(content)
    return page(
        "report.html",
        section="/matches",
        match=match,
        is_asked=is_asked,
        refusal=refusal,
        report=report,
        played=[role for role in match.roles if is_played(role)],
        **({} if report is None else _words(report)),
    )


async def _match(database: Database, number: int) -> MatchRow:
    return await database.read(matches.find, number)


def _words(report: MatchReport) -> dict[str, object]:
    return {
        "chart": chart(report),
        "legend": legend(report.roles),
        "notices": notices(report),
        "marks": list(PLURALS.items()),
        "colours": MARK_COLOURS,
        "mistakes": [
            {
                "turn": move.turn,
                "before": move.turn - 1,
                "role": report.roles[move.role],
                "name": plain_name(report.roles[move.role]),
                "mark": move.mark,
                "move": plain_name(move.move),
                "cost": said(report, move),
                "better": plain_name(better(move)),
            }
            for move in report.mistakes
        ],
    }

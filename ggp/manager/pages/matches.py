"""The pages of matches and games: lists, boards, reports, the editor and the play form."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlencode

from aiohttp import web

from ggp.drawing.sheet import plain_name
from ggp.errors import UnknownNameError
from ggp.manager.domain.people import is_at_stake, is_staked
from ggp.manager.domain.rights import Right, current_caller, has_seat, held_seats, sight_of
from ggp.manager.errors import NotAllowedError, NotThereError
from ggp.manager.service import SERVICE
from ggp.manager.store import attempts, matches
from ggp.manager.store.attempts import OwnedSeat
from ggp.manager.store.tables import OVER, MatchRow, SeatRow
from ggp.manager.web.request_parts import (
    MAX_SEATS,
    SEAT,
    MatchQuery,
    number_of,
    query_of,
    remember_seat,
    seat_key,
    seat_keys,
)
from ggp.manager.web.responses import page
from ggp.match.referee import is_played
from ggp.players import registry
from ggp.report.match_report import Mark, MatchReport
from ggp.report.page import (
    MADE_FOR_HEADINGS,
    MARK_COLOURS,
    better,
    chart,
    explanations,
    legend,
    made_for_rows,
    notices,
    said,
)

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
    """Show all games, with a description and a picture of the first position."""
    return page(
        "games.html", section="/games", games=await request.app[SERVICE].catalogue.entries()
    )


async def show_play(request: web.Request) -> web.Response:
    """Show the form that sets up a match for the caller, and the lobby."""
    games = await request.app[SERVICE].catalogue.entries()
    names, chosen = [game.name for game in games], request.query.get("game", "ticTacToe")
    if chosen not in names:
        raise UnknownNameError("game", chosen, names)
    return page(
        "play.html",
        section="/play",
        games=games,
        chosen=chosen,
        running=await _own_matches(request),
        players=await _player_names(request),
    )


async def _player_names(request: web.Request) -> list[str]:
    """Return the names of all players that the caller may seat."""
    visible = await request.app[SERVICE].players.visible(current_caller())
    return [*(row.name for row in visible), *registry.names()]


async def _own_matches(request: web.Request) -> list[MatchRow]:
    """Return the unfinished matches in which the caller has a seat."""
    keys, account = seat_keys(request), current_caller().account
    database = request.app[SERVICE].database
    found = await database.read(matches.unfinished, account, list(keys), MAX_SEATS)
    return [match for match in found if has_seat(match, keys.get(match.id, ""))]


async def show_editor(request: web.Request) -> web.Response:
    """Show the editor with the rules of a game, or with a short example."""
    game = request.query.get("game")
    text = FIRST_RULES
    if game is not None:
        text = (await request.app[SERVICE].catalogue.rules_of(game)).text
    name = f"{game}-mine" if game else "my-game"
    return page("editor.html", section="/editor", text=text, name=name)


async def show_matches(request: web.Request) -> web.Response:
    """Show the matches that fit the filter, newest first, and a form for a new match."""
    hidden = await request.app[SERVICE].held.hidden()
    match_filter = query_of(request, MatchQuery).match_filter(hidden)
    found = await request.app[SERVICE].database.read(matches.listed, match_filter)
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
        players=await _player_names(request),
    )


async def show_match(request: web.Request) -> web.Response:
    """Show one match to its spectators and players."""
    match = await request.app[SERVICE].database.read(matches.find, number_of(request))
    key = seat_key(request)
    if SEAT in request.query:
        if not has_seat(match, key):
            raise NotAllowedError(f"match {match.id} has no seat with this key")
        return remember_seat(request)
    mine = [seat.role for seat in held_seats(match, key)]
    persons = [seat.role for seat in match.people]
    caller = current_caller()
    is_own = bool(mine) or caller.is_host if persons else caller.owns(match.owner_id)
    may_lose = bool(mine) or not (persons or caller.may(Right.HOLD))
    return page(
        "match.html",
        section="/matches",
        match=match,
        colours=dict(legend(match.roles)),
        mine=mine,
        persons=persons,
        is_own=is_own,
        reason=request.app[SERVICE].host.why(match),
        is_staked=may_lose and is_staked(match),
        is_at_stake=may_lose and await request.app[SERVICE].database.read(is_at_stake, match),
        played=[role for role in match.roles if is_played(role)],
        names={seat.role: seat.player_name for seat in match.seats},
        sight=sight_of(match, key),
        tried=seen(await request.app[SERVICE].database.read(attempts.of_match, match.id)),
    )


def seen(seats: Iterable[OwnedSeat]) -> list[SeatRow]:
    """Return the seats whose players the caller owns. Lecturers and hosts own all players."""
    return [seat for seat, owner in seats if current_caller().owns(owner)]


async def show_challenge(request: web.Request) -> web.Response:
    """Show a challenge. The page fetches its content with the key from the browser or the link."""
    return page("challenge.html", section="/play", number=number_of(request))


async def show_report(request: web.Request) -> web.Response:
    """Show the report on a match, the progress of the report, or a button that requests it."""
    number = number_of(request)
    match = await request.app[SERVICE].database.read(matches.find, number)
    if match.status not in OVER:
        raise NotThereError(
            f"match {number} is {match.status}; a report can be requested when it is over"
        )
    if not sight_of(match, seat_key(request)).is_whole:
        raise NotAllowedError(f"match {number} is hidden until its people agree to show it")
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


def _words(report: MatchReport) -> dict[str, object]:
    return {
        "chart": chart(report),
        "legend": legend(report.roles),
        "notices": notices(report),
        "explanations": [plain_name(text) for text in explanations(report)],
        "marks": list(PLURALS.items()),
        "colours": MARK_COLOURS,
        "made_for": {"headings": MADE_FOR_HEADINGS, "rows": made_for_rows(report)},
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

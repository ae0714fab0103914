"""The pages: HTML from templates, with small JavaScript modules that talk to the API."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from aiohttp import web

from ggp.clock import milliseconds_since_1970
from ggp.drawing.sheet import plain_name
from ggp.errors import UnknownNameError
from ggp.manager.domain.people import is_at_stake, is_staked
from ggp.manager.domain.ratings import current_ratings, record_of
from ggp.manager.domain.rights import Right, current_caller, has_seat, held_seats, sight_of
from ggp.manager.domain.tournaments import TournamentState, state_of
from ggp.manager.errors import NotAllowedError, NotThereError
from ggp.manager.service import SERVICE
from ggp.manager.store import attempts, entrants, matches, players, tournaments
from ggp.manager.store.attempts import OwnedSeat
from ggp.manager.store.entrants import Presence
from ggp.manager.store.players import RatingRow
from ggp.manager.store.tables import OVER, MatchRow, PlayerRow, SeatRow
from ggp.manager.store.tournaments import FixtureEntry
from ggp.manager.web.request_parts import (
    MAX_SEATS,
    SEAT,
    MatchQuery,
    name_of,
    number_of,
    query_of,
    remember_seat,
    seat_key,
    seat_keys,
)
from ggp.manager.web.responses import page
from ggp.match.referee import is_played
from ggp.players import registry
from ggp.protocol.dialects import DIALECTS
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
from ggp.tournament.fixture import counted_as
from ggp.tournament.plan import FORMS

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
    match_filter = query_of(request, MatchQuery).match_filter()
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
        tried=_seen(await request.app[SERVICE].database.read(attempts.of_match, match.id)),
    )


def _seen(seats: Iterable[OwnedSeat]) -> list[SeatRow]:
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


async def show_tournaments(request: web.Request) -> web.Response:
    """Show the tournaments, newest first, and a form for a new tournament."""
    async with request.app[SERVICE].database.reading() as session:
        rows = await tournaments.listed(session)
        came = await entrants.num_entrants(session)
    return page(
        "tournaments.html",
        section="/tournaments",
        tournaments=[(row, came.get(row.id, len(row.plan["players"]))) for row in rows],
        games=await request.app[SERVICE].catalogue.entries(),
        forms=FORMS,
    )


async def show_tournament(request: web.Request) -> web.Response:
    """Show one tournament: its table, the results of each pair of players, and its matches."""
    state = await state_of(request.app[SERVICE].database, number_of(request))
    if state.plan.form == "continuous":
        retired = await request.app[SERVICE].database.read(players.retired)
        seen = await request.app[SERVICE].players.visible(current_caller())
        return _continuous(state, seen, retired)
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
    )


def _continuous(
    state: TournamentState, seen: Sequence[PlayerRow], retired: Collection[str]
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


RECENT = 20


@dataclass(frozen=True, slots=True)
class Bar:
    """A rating and its interval, as positions in a picture from 0 (left) to 100 (right)."""

    rating: RatingRow
    low: float
    middle: float
    high: float


def bars(ratings: Sequence[RatingRow]) -> list[Bar]:
    """Map all ratings to one scale, from the lowest end of an interval to the highest end."""
    if not ratings:
        return []
    lowest, highest = min(one.low for one in ratings), max(one.high for one in ratings)
    scale = 100 / max(highest - lowest, 1.0)
    return [
        Bar(one, *(round((elo - lowest) * scale, 1) for elo in (one.low, one.elo, one.high)))
        for one in ratings
    ]


async def show_players(request: web.Request) -> web.Response:
    """Show the registered players with their status, a form for a new player, and all ratings."""
    found = await request.app[SERVICE].players.visible(current_caller())
    return page(
        "players.html",
        section="/players",
        players=found,
        names=registry.names(),
        dialects=list(DIALECTS),
        at_addresses=bool(request.app[SERVICE].config.player_networks),
        uploads=request.app[SERVICE].config.submissions is not None,
        bars=bars(await current_ratings(request.app[SERVICE].database)),
    )


async def show_player(request: web.Request) -> web.Response:
    """Show one player: rating, results by game and by opponent, and latest matches."""
    name = name_of(request)
    record = await record_of(request.app[SERVICE].database, name)
    visible = await request.app[SERVICE].players.visible(current_caller())
    known = [row for row in visible if row.name == name]
    return page(
        "player.html",
        section="/players",
        player=known[0] if known else None,
        tried=_seen(await request.app[SERVICE].database.read(attempts.of_player, name)),
        is_others=not known and await request.app[SERVICE].players.is_registered(name),
        swap=await request.app[SERVICE].players.swap_of(name),
        record=record,
        recent=record.results[:RECENT],
    )

"""/matches: set up, listed, watched, broken off, played by hand."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final

from aiohttp import web

from ggp.clock import Deadline
from ggp.manager.api.answers import (
    AnalysisAnswer,
    CreatedAnswer,
    HintAnswer,
    MatchAnswer,
    Nothing,
    PositionAnswer,
    SetUpAnswer,
    TurnAnswer,
)
from ggp.manager.api.requests import (
    HintRequest,
    ImportRequest,
    MatchRequest,
    MoveRequest,
    TakeBackRequest,
    TurnQuery,
    WhyQuery,
)
from ggp.manager.api.route import Route
from ggp.manager.api.rules_answers import WhyAnswer
from ggp.manager.api.setting_up import check_setting_up
from ggp.manager.domain.match_export import record_json, record_xml, turns_json
from ggp.manager.domain.match_import import record_text
from ggp.manager.domain.rights import Right
from ggp.manager.domain.sight import sight_of
from ggp.manager.errors import ConflictError, NotThereError
from ggp.manager.hosting.hints import Hint
from ggp.manager.hosting.live import EventId
from ggp.manager.hosting.page_seat import PageSeat
from ggp.manager.store import matches
from ggp.manager.store.tables import OVER, MatchRow
from ggp.manager.web.app_keys import (
    DATABASE,
    HINTS,
    HOST,
    MATCH_IMPORT,
    MATCH_TABLES,
    POSITIONS,
    REASONS,
    SPECTATORS,
)
from ggp.manager.web.callers import current_caller
from ggp.manager.web.request_parts import MatchQuery, number_of
from ggp.manager.web.seat_keys import check_seat, seat_key
from ggp.manager.web.streaming import stream

PATIENCE_SECONDS: Final = 30.0
"""Longest wait of a person's first move in a match that goes on from another's position."""
LOOK_SECONDS: Final = 0.1


async def list_matches(request: web.Request, query: MatchQuery) -> list[MatchAnswer]:
    """The matches that fit, the newest first."""
    async with request.app[DATABASE].reading() as session:
        found = await matches.listed(session, query.match_filter())
    return [MatchAnswer.of(match) for match in found]


async def create_match(request: web.Request, body: MatchRequest) -> SetUpAnswer:
    """Set a match up; it begins as soon as there are cores."""
    owner = await check_setting_up(request, body.players)
    number = await request.app[HOST].set_up(replace(body.plan(), owner=owner))
    match = await _match(request, number)
    return SetUpAnswer(number=number, keys={one.role: one.key for one in match.seats if one.key})


async def show_match(request: web.Request) -> MatchAnswer:
    """One match, without its turns."""
    return MatchAnswer.of(await _match(request))


async def list_turns(request: web.Request, query: TurnQuery) -> web.StreamResponse:
    """The turns of a match from the one given by `first`."""
    match = await _match(request)
    sight = sight_of(match, seat_key(request))
    turns = turns_json(request.app[DATABASE], match.id, query.first, sight)
    return await stream(request, turns, {"Content-Type": "application/json; charset=utf-8"})


async def show_position(request: web.Request) -> PositionAnswer:
    """The picture of a position, and the legal moves of each role."""
    turn = number_of(request, "turn")
    found = await request.app[POSITIONS].view(number_of(request), turn, seat_key(request))
    return PositionAnswer.model_validate(found)


async def explain(request: web.Request, query: WhyQuery) -> WhyAnswer:
    """Why a fact holds in a position of a match, or why not; who may not see that is refused."""
    number, turn = number_of(request), number_of(request, "turn")
    found = await request.app[REASONS].why(
        number, turn, query.fact, depth=query.depth, key=seat_key(request)
    )
    return WhyAnswer.model_validate(found)


async def show_record(request: web.Request) -> web.StreamResponse:
    """The match as GGP-Base records it; `ggp replay` reads it."""
    text = record_json(request.app[DATABASE], await _told(request))
    return await stream(request, text, _file_headers(request, "json"))


async def show_record_xml(request: web.Request) -> web.StreamResponse:
    """The match in the XML of GGP-Base."""
    text = record_xml(request.app[DATABASE], await _told(request))
    return await stream(request, text, _file_headers(request, "xml"))


async def _match(request: web.Request, number: int | None = None) -> MatchRow:
    """A match that there is: what is sent piece by piece cannot be a 404 later."""
    async with request.app[DATABASE].reading() as session:
        return await matches.find(session, number_of(request) if number is None else number)


async def _told(request: web.Request) -> int:
    """The number of a match that whoever asks may see all of."""
    match = await _match(request)
    if not sight_of(match, seat_key(request)).is_whole:
        raise ConflictError(
            f"match {match.id} is {match.status}, and roles see only a part of it; "
            "expected one that is over"
        )
    return match.id


async def _open_to_all(request: web.Request) -> int:
    """The number of a match in which nobody may know less than its rules and states tell."""
    match = await _match(request)
    if match.hides:
        raise ConflictError(
            f"in {match.game} roles do not see everything; expected a match of another game"
        )
    return match.id


def _check_own(match: MatchRow) -> None:
    """See that who asks set a match up, or holds those of others."""
    current_caller().check_owns(match.owner_id, f"match {match.id}")


def _file_headers(request: web.Request, ending: str) -> dict[str, str]:
    name = f"match-{number_of(request)}.{ending}"
    return {
        "Content-Type": f"application/{ending}; charset=utf-8",
        "Content-Disposition": f'attachment; filename="{name}"',
    }


async def import_match(request: web.Request, body: ImportRequest) -> CreatedAnswer:
    """Keep a match that was played elsewhere; it is played over by the rules first."""
    text = body.record if isinstance(body.record, str) else record_text(body.record)
    return CreatedAnswer(number=await request.app[MATCH_IMPORT].add(body.game, text))


async def give_hint(request: web.Request, body: HintRequest) -> HintAnswer:
    """The move that a short search would make for a person who is to move."""
    found = await _hint(request, body)
    return HintAnswer.model_validate(found)


async def analyze(request: web.Request, body: HintRequest) -> AnalysisAnswer:
    """The moves of a person who is to move, as a short search judges them, the best first."""
    found = await _hint(request, body)
    return AnalysisAnswer.of(found)


async def _hint(request: web.Request, body: HintRequest) -> Hint:
    match = await _match(request, await _open_to_all(request))
    _check_own(match)
    await _until_asked(request, match, body.role)
    return await request.app[HINTS].hint(match.id, body.role, body.seconds)


async def abort_match(request: web.Request) -> Nothing:
    """Break a match off."""
    match = await _match(request)
    _check_own(match)
    if match.status in OVER:
        raise ConflictError(f"match {match.id} is over: {match.status}")
    await request.app[HOST].abort(match.id)
    return Nothing()


async def resume_match(request: web.Request) -> Nothing:
    """Let an interrupted match go on."""
    _check_own(await _match(request))
    await request.app[HOST].resume(number_of(request))
    return Nothing()


async def make_move(request: web.Request, body: MoveRequest) -> Nothing:
    """A person's move."""
    match = await _match(request)
    check_seat(request, match, body.role)
    if not any(seat.key for seat in match.seats if seat.role == body.role):
        _check_own(match)
    await _until_asked(request, match, body.role)
    await _person(request, body.role).move(body.move, body.turn)
    return Nothing()


async def take_back(request: web.Request, body: TakeBackRequest) -> Nothing:
    """Go back to an earlier position, before the person moves."""
    _check_own(await _match(request, await _open_to_all(request)))  # nobody can forget
    _person(request, body.role).take_back(body.turns)
    return Nothing()


async def watch(request: web.Request) -> web.StreamResponse:
    """Server-sent events: `turn` for each turn, then `ended`; after a break only what is new.

    `status` says whether the match waits or runs; `taken-back` which turn is the last one that
    still counts.
    """
    number, place = number_of(request), EventId.read(request.headers.get("Last-Event-ID", ""))
    headers = {"Content-Type": "text/event-stream", "Cache-Control": "no-store"}
    async with request.app[SPECTATORS].watching(number, place, seat_key(request)) as events:
        return await stream(request, events, headers)


async def _until_asked(request: web.Request, match: MatchRow, role: str) -> None:
    """Where a match goes on from another's position, wait until its players have been told.

    That position is shown at once, and whoever sees it may move sooner than the match begins.
    """
    has_person = any(seat.role == role and not seat.source for seat in match.seats)
    if match.origin is None or match.num_turns != match.origin_turn or not has_person:
        return
    deadline = Deadline.after(PATIENCE_SECONDS)
    while request.app[HOST].is_running(match.id) and not deadline.is_over():
        seat = request.app[MATCH_TABLES].person_at(match.id, role)
        if seat is not None and seat.turn is not None:
            break
        await asyncio.sleep(LOOK_SECONDS)


def _person(request: web.Request, role: str) -> PageSeat:
    number = number_of(request)
    seat = request.app[MATCH_TABLES].person_at(number, role)
    if seat is None:
        raise NotThereError(f"nobody plays {role} by hand in match {number} now")
    return seat


ROUTES = (
    Route(
        "GET",
        "/matches/{number}/positions/{turn}",
        show_position,
        "A position as a picture.",
        right=Right.LOOK,
    ),
    Route(
        "GET",
        "/matches/{number}/positions/{turn}/why",
        explain,
        "Why a fact holds there.",
        right=Right.LOOK,
    ),
    Route("GET", "/matches", list_matches, "Matches, the newest first.", right=Right.LOOK),
    Route("POST", "/matches", create_match, "Set up a match.", status=201, right=Right.PLAY),
    Route("GET", "/matches/{number}", show_match, "One match.", right=Right.LOOK),
    Route(
        "GET",
        "/matches/{number}/turns",
        list_turns,
        "Its turns.",
        streamed=list[TurnAnswer],
        right=Right.LOOK,
    ),
    Route(
        "GET",
        "/matches/{number}/record",
        show_record,
        "As GGP-Base records it.",
        streamed=dict[str, object],
        right=Right.LOOK,
    ),
    Route(
        "GET",
        "/matches/{number}/record.xml",
        show_record_xml,
        "The same in XML.",
        media="application/xml",
        right=Right.LOOK,
    ),
    Route(
        "POST",
        "/matches/import",
        import_match,
        "Keep a match that was played elsewhere.",
        201,
        right=Right.HOLD,
    ),
    Route(
        "POST",
        "/matches/{number}/hint",
        give_hint,
        "What a short search would do.",
        right=Right.PLAY,
    ),
    Route(
        "POST",
        "/matches/{number}/analysis",
        analyze,
        "What a short search thinks of the moves.",
        right=Right.PLAY,
    ),
    Route(
        "GET",
        "/matches/{number}/events",
        watch,
        "Its turns as they come.",
        media="text/event-stream",
        right=Right.LOOK,
    ),
    Route("POST", "/matches/{number}/abort", abort_match, "Break it off.", right=Right.PLAY),
    Route("POST", "/matches/{number}/resume", resume_match, "Let it go on.", right=Right.PLAY),
    Route("POST", "/matches/{number}/moves", make_move, "A person's move.", right=Right.PLAY),
    Route(
        "POST",
        "/matches/{number}/take-back",
        take_back,
        "Go back to an earlier position.",
        right=Right.PLAY,
    ),
)

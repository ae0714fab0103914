"""/matches: setting up, listing, watching, aborting and branching matches, and playing by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeVar

from aiohttp import web

from ggp.clock import Deadline
from ggp.manager.api.models import (
    BranchRequest,
    CreatedAnswer,
    HintRequest,
    ImportRequest,
    MatchAnswer,
    MatchRequest,
    MoveRequest,
    NamedTurnAnswer,
    NamesQuery,
    PositionAnswer,
    SetUpAnswer,
    TurnAnswer,
    TurnQuery,
)
from ggp.manager.api.positions import AnalysisAnswer, HintAnswer, WhyAnswer, WhyQuery
from ggp.manager.api.route import Routes
from ggp.manager.domain.match_records import record_json, record_text, record_xml, turns_json
from ggp.manager.domain.matches import BranchPlan, MatchPlan, check_clocks
from ggp.manager.domain.people import Sitter, called, new_key, sitter_of
from ggp.manager.domain.players import PERSON
from ggp.manager.domain.rights import (
    EVERYBODY,
    Right,
    check_people,
    current_caller,
    has_seat,
    sight_of,
)
from ggp.manager.errors import ConflictError, NotThereError, WrongRequestError
from ggp.manager.hosting.live import EventId
from ggp.manager.hosting.page_seat import PageSeat
from ggp.manager.hosting.position_search import Hint
from ggp.manager.service import SERVICE
from ggp.manager.store import matches
from ggp.manager.store.tables import OVER, MatchRow, Unrated
from ggp.manager.web.access import while_allowed
from ggp.manager.web.request_parts import PREFIX, MatchQuery, check_seat, number_of, seat_key
from ggp.manager.web.responses import may_have_left, stream
from ggp.processes.tasks import cancel

Plan = TypeVar("Plan", MatchPlan, BranchPlan)
PATIENCE_SECONDS: Final = 30.0
"""Longest time that a person's first move waits until a match from another position begins."""
LOOK_SECONDS: Final = 0.1
THERE_SECONDS: Final = 0.5
"""Seconds between two checks that a person is still connected."""


async def _completed(
    request: web.Request, plan: Plan, name: str | None, *, all_seats: bool
) -> Plan:
    """Check that the caller may set up such a match. Return the plan with the caller added.

    The caller becomes the owner of the plan and, if it has seats for people, takes one or all.

    Args:
        name: The name under which a caller without an account plays.
        all_seats: Whether the caller takes every seat of a person, or only the first.
    """
    caller = current_caller()
    await request.app[SERVICE].players.check_seats(plan.players, caller)
    sitters = await _sitters(request, plan.players, name, all_seats=all_seats)
    owner = caller.account if caller.owner is None else caller.owner
    return replace(plan, owner=owner, student=caller.owner, sitters=sitters)


async def _sitters(
    request: web.Request, players: Sequence[str], name: str | None, *, all_seats: bool
) -> tuple[Sitter, ...]:
    """Return the caller as a sitter: once or, if `all_seats`, once per seat of a person."""
    places = sum(player == PERSON for player in players)
    if not places:
        if name is not None:
            raise WrongRequestError(f"name: allowed only if {PERSON} is among the players")
        return ()
    known = [row.name for row in await request.app[SERVICE].players.visible(EVERYBODY)]
    own = sitter_of(current_caller(), name, known, new_key())
    return (own,) * (places if all_seats else 1)


routes = Routes()


@routes.add("GET /matches/{number}/positions/{turn}", Right.LOOK)
async def show_position(request: web.Request) -> PositionAnswer:
    """Return the picture of a position and the legal moves of each role."""
    turn = number_of(request, "turn")
    found = await request.app[SERVICE].positions.view(number_of(request), turn, seat_key(request))
    return PositionAnswer.model_validate(found)


@routes.add("GET /matches/{number}/positions/{turn}/why", Right.LOOK)
async def explain(request: web.Request, query: WhyQuery) -> WhyAnswer:
    """Explain why a fact holds in a position of a match or does not, if the caller may see it."""
    number, turn = number_of(request), number_of(request, "turn")
    found = await request.app[SERVICE].reasons.why(
        number, turn, query.fact, depth=query.depth, key=seat_key(request)
    )
    return WhyAnswer.model_validate(found)


@routes.add("GET /matches", Right.LOOK)
async def list_matches(request: web.Request, query: MatchQuery) -> list[MatchAnswer]:
    """Return the matches that the query selects, newest first."""
    hidden = await request.app[SERVICE].held.hidden()
    found = await request.app[SERVICE].database.read(matches.listed, query.match_filter(hidden))
    return [MatchAnswer.of(match) for match in found]


@routes.add("POST /matches", Right.PLAY, status=201)
async def create_match(request: web.Request, body: MatchRequest) -> SetUpAnswer:
    """Set up a match. It begins as soon as there are cores."""
    plan = await _completed(request, body.plan(), body.name, all_seats=body.hold == "all")
    if body.clock is not None and PERSON not in body.players:
        raise WrongRequestError(f"clock: allowed only if {PERSON} is among the players")
    check_clocks(plan.student, startclock=body.startclock, playclock=body.playclock)
    return await _set_up_answer(request, await request.app[SERVICE].host.set_up(plan))


async def _set_up_answer(request: web.Request, number: int) -> SetUpAnswer:
    match = await find_match(request, number)
    return SetUpAnswer(number=number, keys={one.role: one.key for one in match.people})


@routes.add("GET /matches/{number}", Right.LOOK)
async def show_match(request: web.Request) -> MatchAnswer:
    """Return a match without its turns."""
    match = await find_match(request)
    people = request.app[SERVICE].people.of(match)
    sight = sight_of(match, seat_key(request))
    answer = MatchAnswer.of(match, None if people is None else people.state(sight))
    return answer.model_copy(update={"reason": request.app[SERVICE].host.why(match)})


@routes.add("GET /matches/{number}/turns", Right.LOOK, streamed=list[TurnAnswer])
async def list_turns(request: web.Request, query: TurnQuery) -> web.StreamResponse:
    """Return the turns of a match, from turn `first` on."""
    match = await find_match(request)
    sight = sight_of(match, seat_key(request))
    turns = turns_json(request.app[SERVICE].database, match.id, query.first, sight)
    return await stream(request, turns, {"Content-Type": "application/json; charset=utf-8"})


@routes.add("GET /matches/{number}/names", Right.LOOK)
async def name_moves(request: web.Request, query: NamesQuery) -> list[NamedTurnAnswer]:
    """Return the moves of up to 200 turns in a readable form, from turn `first` on."""
    names = request.app[SERVICE].positions.names
    return NamedTurnAnswer.each(await names(number_of(request), query.first, seat_key(request)))


@routes.add("GET /matches/{number}/record", Right.LOOK, streamed=dict[str, object])
async def show_record(request: web.Request) -> web.StreamResponse:
    """Return the record of a match in GGP-Base's format, which `ggp replay` reads."""
    text = record_json(request.app[SERVICE].database, await _open_record(request))
    return await stream(request, text, _file_headers(request, "json"))


@routes.add("GET /matches/{number}/record.xml", Right.LOOK, media="application/xml")
async def show_record_xml(request: web.Request) -> web.StreamResponse:
    """Return the record of a match as GGP-Base's XML."""
    text = record_xml(request.app[SERVICE].database, await _open_record(request))
    return await stream(request, text, _file_headers(request, "xml"))


@routes.add("POST /matches/import", Right.HOLD, status=201)
async def import_match(request: web.Request, body: ImportRequest) -> CreatedAnswer:
    """Import a match that was played elsewhere. The manager first replays it to check it."""
    text = body.record if isinstance(body.record, str) else record_text(body.record)
    return CreatedAnswer(number=await request.app[SERVICE].match_import.add(body.game, text))


@routes.add("POST /matches/{number}/hint", Right.PLAY)
async def give_hint(request: web.Request, body: HintRequest) -> HintAnswer:
    """Return the move that a short search finds for a person who has to move."""
    return HintAnswer.model_validate(await _hint(request, body))


@routes.add("POST /matches/{number}/analysis", Right.PLAY)
async def analyze(request: web.Request, body: HintRequest) -> AnalysisAnswer:
    """Return the moves of a person who has to move, rated by a short search, best first."""
    return AnalysisAnswer.of(await _hint(request, body))


@routes.add("GET /matches/{number}/events", Right.LOOK, media="text/event-stream")
async def watch(request: web.Request) -> web.StreamResponse:
    """Send server-sent events: `turn` for each turn, then `ended`.

    After a reconnection, only new events are sent. The event `status` says whether the match waits
    or runs. The event `taken-back` names the last turn that still counts.
    """
    number, place = number_of(request), EventId.read(request.headers.get("Last-Event-ID", ""))
    headers = {"Content-Type": "text/event-stream", "Cache-Control": "no-store"}
    async with request.app[SERVICE].spectators.watching(number, place, seat_key(request)) as events:
        being_there = asyncio.create_task(_be_there(request))
        try:
            return await stream(request, while_allowed(request, events), headers)
        finally:
            await cancel(being_there)


async def _be_there(request: web.Request) -> None:
    """Show the caller as connected to the match's people until the caller disconnects.

    This loop notices a disconnection soon. Sending events would notice it only with the next event.
    """
    people = request.app[SERVICE].people.find(number_of(request))
    if people is None:
        return
    with people.watching(seat_key(request)) as plays:
        while plays and not may_have_left(request):
            await asyncio.sleep(THERE_SECONDS)


@routes.add("POST /matches/{number}/abort", Right.PLAY)
async def abort_match(request: web.Request) -> None:
    """Abort a match. Once a result is at stake, people and students can no longer do so."""
    match, key = await find_match(request), seat_key(request)
    check_people(match, key)
    if match.status in OVER:
        raise ConflictError(f"match {match.id} is over: {match.status}")
    caller = current_caller()
    is_holder = caller.is_host if match.people else caller.may(Right.HOLD)
    if is_holder and not has_seat(match, key):
        await request.app[SERVICE].host.abort(match.id)
    else:
        await request.app[SERVICE].agreements.break_off(match)


@routes.add("POST /matches/{number}/unrated", Right.HOLD)
async def take_out(request: web.Request) -> None:
    """Remove a match from the ratings. The tables of tournaments keep it unless it is annulled."""
    match = await find_match(request)
    await request.app[SERVICE].database.write(matches.take_out, match.id)


@routes.add("POST /matches/{number}/resume", Right.PLAY)
async def resume_match(request: web.Request) -> None:
    """Resume an interrupted match."""
    check_people(await find_match(request), seat_key(request))
    await request.app[SERVICE].host.resume(number_of(request))


@routes.add("POST /matches/{number}/moves", Right.PLAY)
async def make_move(request: web.Request, body: MoveRequest) -> None:
    """Make a person's move."""
    match = await find_match(request)
    check_seat(request, match, body.role)
    await _until_asked(request, match, body.role)
    await _person(request, body.role).move(body.move, body.turn)


async def find_match(request: web.Request, number: int | None = None) -> MatchRow:
    """Return a match.

    Handlers that stream call this first, because an answer that has begun cannot become a 404.
    """
    return await request.app[SERVICE].database.read(
        matches.find, number_of(request) if number is None else number
    )


async def _open_record(request: web.Request) -> int:
    match = await find_match(request)
    if not sight_of(match, seat_key(request)).is_whole:
        when = "its people agree to show it" if match.status in OVER else "it is over"
        raise ConflictError(
            f"match {match.id} is {match.status} and hides information from roles; its record can "
            f"be read when {when}"
        )
    if match.is_pruned:
        raise NotThereError(f"match {match.id} has no record: {match.known_turns}")
    return match.id


def _file_headers(request: web.Request, ending: str) -> dict[str, str]:
    name = f"match-{number_of(request)}.{ending}"
    return {
        "Content-Type": f"application/{ending}; charset=utf-8",
        "Content-Disposition": f'attachment; filename="{name}"',
    }


async def _hint(request: web.Request, body: HintRequest) -> Hint:
    match = await find_match(request)
    if match.tournament_id is not None:
        raise ConflictError("there are no hints in a match of a tournament")
    if match.hides:
        raise ConflictError(
            f"there are no hints in {match.game}, because the game hides information from roles"
        )
    try:
        check_seat(request, match, body.role)
    except NotThereError as error:
        raise NotThereError(
            f"{error}; POST {PREFIX}/rules/analysis searches any position"
        ) from None
    people = request.app[SERVICE].people.of(match)
    others = [] if people is None else people.others(body.role)
    if others:
        raise ConflictError(
            f"{called(match, others)} plays in this match too; hints are only given "
            "if all other players are programs"
        )
    await _until_asked(request, match, body.role)
    found = await request.app[SERVICE].hints.hint(match.id, body.role, body.seconds)
    await request.app[SERVICE].database.write(matches.set_unrated, match.id, Unrated.HINT)
    return found


async def _until_asked(request: web.Request, match: MatchRow, role: str) -> None:
    """Wait until a match that begins in another match's position asks a person for a move.

    The position is shown at once, so the person may send a move before the match begins.
    """
    has_person = any(seat.role == role and not seat.source for seat in match.seats)
    if match.origin is None or match.num_turns != match.origin_turn or not has_person:
        return
    deadline = Deadline.after(PATIENCE_SECONDS)
    while request.app[SERVICE].host.is_running(match.id) and not deadline.is_over():
        seat = request.app[SERVICE].tables.person_at(match.id, role)
        if seat is not None and seat.turn is not None:
            break
        await asyncio.sleep(LOOK_SECONDS)


def _person(request: web.Request, role: str) -> PageSeat:
    number = number_of(request)
    seat = request.app[SERVICE].tables.person_at(number, role)
    if seat is None:
        raise NotThereError(f"nobody plays {role} by hand in match {number} now")
    return seat


@routes.add("GET /matches/{number}/positions/{turn}/picture", Right.LOOK, media="image/svg+xml")
async def show_picture(request: web.Request) -> web.Response:
    """Return a picture of a position."""
    number, turn = number_of(request), number_of(request, "turn")
    found = await request.app[SERVICE].positions.view(number, turn, seat_key(request))
    if not found.svg:
        raise ConflictError(f"turn {turn} of match {number} is hidden until the match is over")
    return web.Response(text=found.svg, content_type="image/svg+xml")


@routes.add("POST /matches/{number}/branches", Right.PLAY, status=201)
async def branch_off(request: web.Request, body: BranchRequest) -> SetUpAnswer:
    """Set up a match that begins in a position of this match. It counts for no rating."""
    plan = await _completed(request, body.plan(), None, all_seats=True)
    number = await request.app[SERVICE].host.branch_off(number_of(request), plan)
    return await _set_up_answer(request, number)

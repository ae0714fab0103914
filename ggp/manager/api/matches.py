"""/matches: set up, listed, watched, broken off, played by hand."""

from __future__ import annotations

from aiohttp import web

from ggp.manager.api import schemas
from ggp.manager.api.route import Nothing, Route, body_of, number_of, query_of
from ggp.manager.api.wanted import wanted_of
from ggp.manager.broadcast import Broadcast
from ggp.manager.exchange import spelled, take_in
from ggp.manager.export import record_json, record_xml, turns_json
from ggp.manager.keys import service_of
from ggp.manager.live import Place
from ggp.manager.person import PersonSeat
from ggp.manager.problems import ConflictError, NotThereError
from ggp.manager.sending import send
from ggp.manager.service import Proposal
from ggp.manager.store import matches
from ggp.manager.store.status import OVER
from ggp.manager.views import analysis_view, match_view


async def list_matches(request: web.Request) -> web.Response:
    """The matches that fit, the newest first."""
    wanted = wanted_of(request)
    async with service_of(request).database.reading() as session:
        found = await matches.listed(session, wanted)
    return web.json_response([match_view(match) for match in found])


async def create_match(request: web.Request) -> web.Response:
    """Set a match up; it begins as soon as there are cores."""
    body = await body_of(request, schemas.MatchRequest)
    proposal = Proposal(
        game=body.game,
        players=tuple(body.players),
        startclock=body.startclock,
        playclock=body.playclock,
        dialect=body.dialect,
        is_scrambled=body.scrambled,
        seed=body.seed,
        move_limit=body.move_limit,
    )
    number = await service_of(request).set_up(proposal)
    return web.json_response({"number": number}, status=201)


async def show_match(request: web.Request) -> web.Response:
    """One match, without its turns."""
    async with service_of(request).database.reading() as session:
        found = await matches.find(session, number_of(request))
    return web.json_response(match_view(found))


async def list_turns(request: web.Request) -> web.StreamResponse:
    """The turns of a match from the one given by `first`."""
    first = query_of(request, schemas.TurnQuery).first
    turns = turns_json(service_of(request).database, await _existing(request), first)
    return await send(request, turns, {"Content-Type": "application/json; charset=utf-8"})


async def show_position(request: web.Request) -> web.Response:
    """The picture of a position, and the legal moves of each role."""
    turn = number_of(request, "turn")
    return web.json_response(await service_of(request).positions.view(number_of(request), turn))


async def show_record(request: web.Request) -> web.StreamResponse:
    """The match as GGP-Base records it; `ggp replay` reads it."""
    text = record_json(service_of(request).database, await _existing(request))
    return await send(request, text, _file_headers(request, "json"))


async def show_record_xml(request: web.Request) -> web.StreamResponse:
    """The match in the XML of GGP-Base."""
    text = record_xml(service_of(request).database, await _existing(request))
    return await send(request, text, _file_headers(request, "xml"))


async def _existing(request: web.Request) -> int:
    """The number of a match that there is: what is sent piece by piece cannot be a 404 later."""
    number = number_of(request)
    async with service_of(request).database.reading() as session:
        await matches.find(session, number)
    return number


def _file_headers(request: web.Request, ending: str) -> dict[str, str]:
    name = f"match-{number_of(request)}.{ending}"
    return {
        "Content-Type": f"application/{ending}; charset=utf-8",
        "Content-Disposition": f'attachment; filename="{name}"',
    }


async def import_match(request: web.Request) -> web.Response:
    """Keep a match that was played elsewhere; it is played over by the rules first."""
    body = await body_of(request, schemas.ImportRequest)
    text = body.record if isinstance(body.record, str) else spelled(body.record)
    number = await take_in(service_of(request), body.game, text)
    return web.json_response({"number": number}, status=201)


async def give_hint(request: web.Request) -> web.Response:
    """The move that a short search would make for a person who is to move."""
    body = await body_of(request, schemas.HintRequest)
    service, number = service_of(request), number_of(request)
    hint = await service.hints.hint(number, body.role, body.seconds)
    return web.json_response({"move": hint.move, "value": hint.value})


async def analyze(request: web.Request) -> web.Response:
    """The moves of a person who is to move, as a short search judges them, the best first."""
    body = await body_of(request, schemas.HintRequest)
    found = await service_of(request).hints.hint(number_of(request), body.role, body.seconds)
    return web.json_response(analysis_view(found))


async def abort_match(request: web.Request) -> web.Response:
    """Break a match off."""
    number, service = number_of(request), service_of(request)
    async with service.database.reading() as session:
        match = await matches.find(session, number)
    if match.row.status in OVER:
        raise ConflictError(f"match {number} is over: {match.row.status}")
    await service.host.abort(number)
    return web.json_response({})


async def resume_match(request: web.Request) -> web.Response:
    """Let an interrupted match go on."""
    await service_of(request).resume(number_of(request))
    return web.json_response({})


async def make_move(request: web.Request) -> web.Response:
    """A person's move."""
    body = await body_of(request, schemas.MoveRequest)
    await _person(request, body.role).move(body.move, body.turn)
    return web.json_response({})


async def take_back(request: web.Request) -> web.Response:
    """Go back to an earlier position, before the person moves."""
    body = await body_of(request, schemas.TakeBackRequest)
    _person(request, body.role).take_back(body.turns)
    return web.json_response({})


async def watch(request: web.Request) -> web.StreamResponse:
    """Server-sent events: `turn` for each turn, then `ended`; after a break only what is new.

    `status` says whether the match waits or runs; `taken-back` which turn is the last one that
    still counts.
    """
    number, service = number_of(request), service_of(request)
    place = Place.read(request.headers.get("Last-Event-ID", ""))
    headers = {"Content-Type": "text/event-stream", "Cache-Control": "no-store"}
    with service.gallery.place():
        told = await Broadcast.of(service.database, service.hub, number, place)
        return await send(request, told.chunks(), headers)


def _person(request: web.Request, role: str) -> PersonSeat:
    number = number_of(request)
    seat = service_of(request).tables.person_at(number, role)
    if seat is None:
        raise NotThereError(f"nobody plays {role} by hand in match {number} now")
    return seat


ROUTES = (
    Route(
        "GET",
        "/matches/{number}/positions/{turn}",
        show_position,
        "A position as a picture.",
        answer=schemas.Position,
    ),
    Route(
        "GET",
        "/matches",
        list_matches,
        "Matches, the newest first.",
        query=schemas.MatchQuery,
        answer=list[schemas.Match],
    ),
    Route(
        "POST",
        "/matches",
        create_match,
        "Set up a match.",
        body=schemas.MatchRequest,
        answer=schemas.Created,
        status=201,
    ),
    Route("GET", "/matches/{number}", show_match, "One match.", answer=schemas.Match),
    Route(
        "GET",
        "/matches/{number}/turns",
        list_turns,
        "Its turns.",
        query=schemas.TurnQuery,
        answer=list[schemas.Turn],
    ),
    Route(
        "GET",
        "/matches/{number}/record",
        show_record,
        "As GGP-Base records it.",
        answer=dict[str, object],
    ),
    Route(
        "GET",
        "/matches/{number}/record.xml",
        show_record_xml,
        "The same in XML.",
        media="application/xml",
    ),
    Route(
        "POST",
        "/matches/import",
        import_match,
        "Keep a match that was played elsewhere.",
        body=schemas.ImportRequest,
        answer=schemas.Created,
        status=201,
    ),
    Route(
        "POST",
        "/matches/{number}/hint",
        give_hint,
        "What a short search would do.",
        body=schemas.HintRequest,
        answer=schemas.Hint,
    ),
    Route(
        "POST",
        "/matches/{number}/analysis",
        analyze,
        "What a short search thinks of the moves.",
        body=schemas.HintRequest,
        answer=schemas.Analysis,
    ),
    Route(
        "GET",
        "/matches/{number}/events",
        watch,
        "Its turns as they come.",
        media="text/event-stream",
    ),
    Route("POST", "/matches/{number}/abort", abort_match, "Break it off.", answer=Nothing),
    Route("POST", "/matches/{number}/resume", resume_match, "Let it go on.", answer=Nothing),
    Route(
        "POST",
        "/matches/{number}/moves",
        make_move,
        "A person's move.",
        body=schemas.MoveRequest,
        answer=Nothing,
    ),
    Route(
        "POST",
        "/matches/{number}/take-back",
        take_back,
        "Go back to an earlier position.",
        body=schemas.TakeBackRequest,
        answer=Nothing,
    ),
)

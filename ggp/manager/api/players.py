"""/players: registered, asked how they are, retired."""

from __future__ import annotations

from aiohttp import web

from ggp.errors import GgpError
from ggp.manager.api import schemas
from ggp.manager.api.route import Nothing, Route, body_of, name_of
from ggp.manager.keys import service_of
from ggp.manager.performance import record_of
from ggp.manager.rating import current_ratings
from ggp.manager.store import players
from ggp.manager.views import player_view, rating_view, record_view
from ggp.protocol.addresses import is_address
from ggp.protocol.client import info
from ggp.protocol.dialects import MANNERS

INFO_SECONDS = 2.0
CANNOT_BE_ASKED = "in its dialect nobody can ask how it is"


async def list_players(request: web.Request) -> web.Response:
    """All players, by name."""
    async with service_of(request).database.reading() as session:
        found = await players.listed(session)
    return web.json_response([player_view(row) for row in found])


async def register_player(request: web.Request) -> web.Response:
    """Register a player by address or spec."""
    body = await body_of(request, schemas.PlayerRequest)
    row = await service_of(request).register(body.name, body.source, body.dialect)
    return web.json_response(player_view(row), status=201)


async def retire_player(request: web.Request) -> web.Response:
    """Take a player off the list; its matches stay."""
    async with service_of(request).database.writing() as session:
        await players.retire(session, name_of(request))
    return web.json_response({})


async def ask_player(request: web.Request) -> web.Response:
    """Ask a player how it is: INFO, and how long the answer took."""
    service = service_of(request)
    async with service.database.reading() as session:
        row = await players.named(session, name_of(request))
    if not is_address(row.source):
        status = {"name": row.source, "status": "available", "seconds": 0.0, "problem": ""}
        return web.json_response(status)
    service.config.check_address(row.source)
    question = MANNERS[row.dialect].info
    if not question:
        status = {"name": "", "status": "unknown", "seconds": 0.0, "problem": CANNOT_BE_ASKED}
        return web.json_response(status)
    try:
        found = await info(row.source, timeout=INFO_SECONDS, message=question)
    except GgpError as error:
        status = {"name": "", "status": "", "seconds": 0.0, "problem": str(error)}
        return web.json_response(status)
    seconds = round(found.seconds, 4)
    status = {"name": found.name, "status": found.status, "seconds": seconds, "problem": ""}
    return web.json_response(status)


async def list_ratings(request: web.Request) -> web.Response:
    """Ratings of the players, from all matches that were played to their end."""
    found = await current_ratings(service_of(request).database)
    return web.json_response([rating_view(row) for row in found])


async def show_record(request: web.Request) -> web.Response:
    """The record of a player here, registered or not."""
    found = await record_of(service_of(request).database, name_of(request))
    return web.json_response(record_view(found))


ROUTES = (
    Route("GET", "/ratings", list_ratings, "Ratings.", answer=list[schemas.Rating]),
    Route("GET", "/players", list_players, "Players, by name.", answer=list[schemas.Player]),
    Route(
        "POST",
        "/players",
        register_player,
        "Register a player.",
        body=schemas.PlayerRequest,
        answer=schemas.Player,
        status=201,
    ),
    Route("DELETE", "/players/{name}", retire_player, "Take it off the list.", answer=Nothing),
    Route("GET", "/players/{name}/status", ask_player, "Ask how it is.", answer=schemas.Status),
    Route("GET", "/players/{name}/record", show_record, "How it did.", answer=schemas.PlayerRecord),
)

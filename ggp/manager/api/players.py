"""/players: registered, asked how they are, retired."""

from __future__ import annotations

from aiohttp import web

from ggp.errors import GgpError
from ggp.manager.api.answers import (
    Nothing,
    PlayerAnswer,
    PlayerRecordAnswer,
    RatingAnswer,
    StatusAnswer,
)
from ggp.manager.api.requests import PlayerRequest
from ggp.manager.api.route import Route
from ggp.manager.domain.csv_export import ratings_csv
from ggp.manager.domain.ratings import current_ratings, record_of
from ggp.manager.domain.rights import Right
from ggp.manager.web.app_keys import CONFIG, DATABASE, PLAYERS
from ggp.manager.web.callers import current_caller
from ggp.manager.web.csv_answers import CSV, csv_answer
from ggp.manager.web.request_parts import name_of
from ggp.protocol.addresses import is_address
from ggp.protocol.client import info
from ggp.protocol.dialects import MANNERS

INFO_SECONDS = 2.0
CANNOT_BE_ASKED = "in its dialect nobody can ask how it is"


async def list_players(request: web.Request) -> list[PlayerAnswer]:
    """All players, by name; a student's own and those that are everybody's."""
    found = await request.app[PLAYERS].visible(current_caller())
    return [PlayerAnswer.model_validate(row) for row in found]


async def register_player(request: web.Request, body: PlayerRequest) -> PlayerAnswer:
    """Register a player by address or spec."""
    row = await request.app[PLAYERS].register(
        body.name, body.source, body.dialect, current_caller()
    )
    return PlayerAnswer.model_validate(row)


async def retire_player(request: web.Request) -> Nothing:
    """Take a player off the list; its matches stay."""
    await request.app[PLAYERS].retire(name_of(request), current_caller())
    return Nothing()


async def ask_player(request: web.Request) -> StatusAnswer:
    """Ask a player how it is: INFO, and how long the answer took."""
    row = await request.app[PLAYERS].named(name_of(request), current_caller())
    if not is_address(row.source):
        return StatusAnswer(name=row.source, status="available", seconds=0.0, problem="")
    request.app[CONFIG].check_address(row.source)
    question = MANNERS[row.dialect].info
    if not question:
        return StatusAnswer(name="", status="unknown", seconds=0.0, problem=CANNOT_BE_ASKED)
    try:
        found = await info(row.source, timeout=INFO_SECONDS, message=question)
    except GgpError as error:
        return StatusAnswer(name="", status="", seconds=0.0, problem=str(error))
    seconds = round(found.seconds, 4)
    return StatusAnswer(name=found.name, status=found.status, seconds=seconds, problem="")


async def list_ratings(request: web.Request) -> list[RatingAnswer]:
    """Ratings of the players, from all matches that were played to their end."""
    found = await current_ratings(request.app[DATABASE])
    return [RatingAnswer.model_validate(row) for row in found]


async def export_ratings(request: web.Request) -> web.Response:
    """The same, a line a player."""
    return csv_answer(ratings_csv(await current_ratings(request.app[DATABASE])), "ratings")


async def show_record(request: web.Request) -> PlayerRecordAnswer:
    """The record of a player here, registered or not."""
    found = await record_of(request.app[DATABASE], name_of(request))
    return PlayerRecordAnswer.model_validate(found)


ROUTES = (
    Route("GET", "/ratings", list_ratings, "Ratings.", right=Right.LOOK),
    Route("GET", "/ratings.csv", export_ratings, "Ratings.", media=CSV, right=Right.LOOK),
    Route("GET", "/players", list_players, "Players, by name.", right=Right.LOOK),
    Route(
        "POST", "/players", register_player, "Register a player.", status=201, right=Right.REGISTER
    ),
    Route(
        "DELETE", "/players/{name}", retire_player, "Take it off the list.", right=Right.REGISTER
    ),
    Route("GET", "/players/{name}/status", ask_player, "Ask how it is.", right=Right.LOOK),
    Route("GET", "/players/{name}/record", show_record, "How it did.", right=Right.LOOK),
)

"""/players, /submissions and /ratings: registering, uploading, rating and retiring players."""

from __future__ import annotations

import asyncio
import time
from typing import Annotated

from aiohttp import web
from pydantic import Field

from ggp.errors import GgpError
from ggp.manager.api.models import AnswerModel, Dialect, Name, Rounded
from ggp.manager.api.route import Routes
from ggp.manager.domain.ratings import current_ratings, ratings_csv, record_of
from ggp.manager.domain.rights import Right, current_caller
from ggp.manager.service import SERVICE
from ggp.manager.store.failures import in_general, last_failure
from ggp.manager.web.request_parts import RequestModel, name_of
from ggp.manager.web.responses import CSV, csv_answer
from ggp.protocol.addresses import is_address
from ggp.protocol.client import info
from ggp.protocol.dialects import DIALECTS

INFO_SECONDS = 2.0

NO_ANSWER = "it does not answer like a player"
"""Students see this text for every failure, so that they cannot probe addresses for services."""
STATUSES = frozenset({"active", "available", "busy", "idle", "ready"})
"""Known statuses of players. Any other status is shown to students as a failure."""
CANNOT_BE_ASKED = "its dialect has no message that asks for its status"

PLAYER = """\
from ggp.players import Player


class First(Player):
    def choose(self, state, deadline):
        return self.legal_moves(state)[0]
"""


class StrangeReplyError(GgpError):
    """The program at an address answers INFO, but not as a player does."""


class PlayerRequest(RequestModel):
    """A player to register."""

    name: Name
    source: Annotated[str, Field(min_length=1, max_length=500, examples=["http://127.0.0.1:9147"])]
    """The address `http://HOST:PORT` of a running player, or a spec such as `mcts:c=0.7`."""
    dialect: Dialect = "ggp-base"


class SubmissionRequest(RequestModel):
    """A Python file with a player class."""

    text: Annotated[str, Field(min_length=1, max_length=262_144, examples=[PLAYER])]


class PlayerAnswer(AnswerModel):
    """A registered player."""

    name: str
    source: str
    dialect: str
    created: int


class SubmissionAnswer(AnswerModel):
    """The answer to an upload."""

    source: str
    """The source `submission-HASH`, with which the file can be registered as a player."""


class UploadAnswer(AnswerModel):
    """An uploaded file."""

    source: str
    bytes: int
    created: int


class StatusAnswer(AnswerModel):
    """A player's answer to INFO."""

    name: str
    status: str
    seconds: float
    problem: str


class RatingAnswer(AnswerModel):
    """The rating of a program, or of a person with an account, relative to the average of all."""

    name: Annotated[str, Field(validation_alias="player_name")]
    elo: Rounded
    low: Rounded
    high: Rounded
    meetings: int
    kind: str
    """Either `person` or `program`."""
    provisional: Annotated[bool, Field(validation_alias="is_provisional")]
    """Whether the interval is wider than 430 Elo, because there are too few results so far."""


class TallyAnswer(AnswerModel):
    """A player's results in one game, or against one opponent."""

    name: str
    matches: int
    wins: int
    """Number of meetings with other players in which the player got the higher goal."""
    draws: int
    losses: int
    points_percent: Rounded | None
    """Share of the possible points in percent. Null without meetings."""
    mean_goal: Rounded


class SeatResultAnswer(AnswerModel):
    """A role of a match, its player and its goal."""

    role: str
    player: Annotated[str, Field(validation_alias="player_name")]
    goal: int
    absent: Annotated[bool, Field(validation_alias="is_absent")]
    """Whether the player was absent. Then tables and ratings count the match as lost."""


class ResultAnswer(AnswerModel):
    """A completed match."""

    number: Annotated[int, Field(validation_alias="id")]
    game: str
    ended: int
    seats: list[SeatResultAnswer]


class PlayerRecordAnswer(AnswerModel):
    """A player's rating, and its results in its latest completed matches."""

    name: str
    rating: RatingAnswer | None
    games: list[TallyAnswer]
    opponents: list[TallyAnswer]
    results: list[ResultAnswer]


routes = Routes()


@routes.add("GET /ratings", Right.LOOK)
async def list_ratings(request: web.Request) -> list[RatingAnswer]:
    """Return the ratings of all players, from all completed matches."""
    return RatingAnswer.each(await current_ratings(request.app[SERVICE].database))


@routes.add("GET /ratings.csv", Right.LOOK, media=CSV)
async def export_ratings(request: web.Request) -> web.Response:
    """Return the ratings of all players as CSV, one line per player."""
    return csv_answer(ratings_csv(await current_ratings(request.app[SERVICE].database)), "ratings")


@routes.add("GET /players", Right.LOOK)
async def list_players(request: web.Request) -> list[PlayerAnswer]:
    """Return all players, sorted by name. Students see only their own and the shared ones."""
    return PlayerAnswer.each(await request.app[SERVICE].players.visible(current_caller()))


@routes.add("POST /players", Right.REGISTER, status=201)
async def register_player(request: web.Request, body: PlayerRequest) -> PlayerAnswer:
    """Register a player by address or spec."""
    row = await request.app[SERVICE].players.register(
        body.name, body.source, body.dialect, current_caller()
    )
    return PlayerAnswer.model_validate(row)


@routes.add("GET /players/{name}", Right.LOOK)
async def show_player(request: web.Request) -> PlayerAnswer:
    """Return a registered player, if the caller may see it."""
    row = await request.app[SERVICE].players.named(name_of(request), current_caller())
    return PlayerAnswer.model_validate(row)


@routes.add("DELETE /players/{name}", Right.REGISTER)
async def retire_player(request: web.Request) -> None:
    """Retire a player. Its matches are kept."""
    await request.app[SERVICE].players.retire(name_of(request), current_caller())


@routes.add("GET /players/{name}/status", Right.LOOK)
async def ask_player(request: web.Request) -> StatusAnswer:
    """Ask a player for its status with INFO, and measure how long the answer takes.

    If the manager starts the player itself, nothing is sent, and the answer says whether and how
    the player failed in its last match. If a player at an address does not answer, students learn
    this only after two seconds and without the reason.
    """
    begin = time.monotonic()
    players = request.app[SERVICE].players
    row = await players.named(name_of(request), current_caller())
    if not is_address(row.source):
        problem = await request.app[SERVICE].database.read(last_failure, row.id)
        status = "failing" if problem else "available"
        if problem and not current_caller().owns(row.owner_id):
            problem = in_general(problem)
        return StatusAnswer(name=row.source, status=status, seconds=0.0, problem=problem)
    players.check_source(row.source, "address")
    players.check_still_allowed(row, "address")
    question = DIALECTS[row.dialect].info
    if not question:
        return StatusAnswer(name="", status="unknown", seconds=0.0, problem=CANNOT_BE_ASKED)
    may_see_all = current_caller().may(Right.HOLD)
    try:
        found = await info(row.source, timeout=INFO_SECONDS, message=question)
        if not may_see_all and found.status.lower() not in STATUSES:
            raise StrangeReplyError
    except GgpError as error:
        if not may_see_all:
            await asyncio.sleep(begin + INFO_SECONDS - time.monotonic())
            return StatusAnswer(name="", status="", seconds=0.0, problem=NO_ANSWER)
        return StatusAnswer(name="", status="", seconds=0.0, problem=str(error))
    seconds = round(found.seconds, 4)
    return StatusAnswer(name=found.name, status=found.status, seconds=seconds, problem="")


@routes.add("GET /players/{name}/record", Right.LOOK)
async def show_record(request: web.Request) -> PlayerRecordAnswer:
    """Return the record of a player on this manager, registered or not."""
    found = await record_of(request.app[SERVICE].database, name_of(request))
    return PlayerRecordAnswer.model_validate(found)


@routes.add("POST /submissions", Right.REGISTER, status=201)
async def upload(request: web.Request, body: SubmissionRequest) -> SubmissionAnswer:
    """Store a file, and return the source with which it can be registered as a player.

    Students may have up to 20 files.
    """
    uploads = request.app[SERVICE].players.uploads
    return SubmissionAnswer(source=await uploads.keep(body.text, current_caller()))


@routes.add("GET /submissions", Right.REGISTER)
async def list_uploads(request: web.Request) -> list[UploadAnswer]:
    """Return the caller's files or, for lecturers, the shared files, newest first."""
    found = await request.app[SERVICE].players.uploads.listed(current_caller())
    return [
        UploadAnswer(source=f"submission-{row.digest}", bytes=row.num_bytes, created=row.created)
        for row in found
    ]


@routes.add("DELETE /submissions/{name}", Right.REGISTER)
async def delete_upload(request: web.Request) -> None:
    """Delete one of the caller's files, given its source `submission-HASH`.

    Fails if a player of the same owner still uses the file.
    """
    await request.app[SERVICE].players.uploads.delete(name_of(request), current_caller())

"""/players: registered, uploaded, asked how they are, rated, retired."""

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

NO_ANSWER = "it does not answer as a player does"
"""Whatever it is: who registers addresses is not to learn what else listens there."""
STATUSES = frozenset({"active", "available", "busy", "idle", "ready"})
"""Of players; who has another is none, as far as is told to students."""
CANNOT_BE_ASKED = "in its dialect nobody can ask how it is"

PLAYER = """\
from ggp.players import Player


class First(Player):
    def choose(self, state, deadline):
        return self.legal_moves(state)[0]
"""


class StrangeReplyError(GgpError):
    """The address answers, but not as a player does."""


class PlayerRequest(RequestModel):
    """A player to register."""

    name: Name
    source: Annotated[str, Field(min_length=1, max_length=500, examples=["http://127.0.0.1:9147"])]
    """`http://HOST:PORT` of a running player, or a spec such as `mcts:c=0.7`."""
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
    """A file that was uploaded."""

    source: str


class UploadAnswer(AnswerModel):
    """A file that is kept."""

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
    """The strength of a program, or a person with an account, against the average of all."""

    name: Annotated[str, Field(validation_alias="player_name")]
    elo: Rounded
    low: Rounded
    high: Rounded
    meetings: int
    kind: str
    """`person` or `program`."""
    provisional: Annotated[bool, Field(validation_alias="is_provisional")]
    """Whether too little is known yet: the interval is wider than 430 Elo."""


class TallyAnswer(AnswerModel):
    """A player's results in a game, or against an opponent."""

    name: str
    matches: int
    wins: int
    """Meetings with other players of which it got the higher goal."""
    draws: int
    losses: int
    points_percent: Rounded | None
    """Share of the points; null if it met nobody."""
    mean_goal: Rounded


class SeatResultAnswer(AnswerModel):
    """A role of a match, its player, and the goal that came of it."""

    role: str
    player: Annotated[str, Field(validation_alias="player_name")]
    goal: int
    absent: Annotated[bool, Field(validation_alias="is_absent")]
    """Whether it did not play, and has lost as far as tables and ratings go."""


class ResultAnswer(AnswerModel):
    """A match that was played to its end."""

    number: Annotated[int, Field(validation_alias="id")]
    game: str
    ended: int
    seats: list[SeatResultAnswer]


class PlayerRecordAnswer(AnswerModel):
    """A player's record, from its last matches that were played to their end."""

    name: str
    rating: RatingAnswer | None
    games: list[TallyAnswer]
    opponents: list[TallyAnswer]
    results: list[ResultAnswer]


routes = Routes()


@routes.add("GET /ratings", Right.LOOK)
async def list_ratings(request: web.Request) -> list[RatingAnswer]:
    """Ratings of the players, from all matches that were played to their end."""
    found = await current_ratings(request.app[SERVICE].database)
    return [RatingAnswer.model_validate(row) for row in found]


@routes.add("GET /ratings.csv", Right.LOOK, media=CSV)
async def export_ratings(request: web.Request) -> web.Response:
    """Ratings of the players as CSV, a line a player."""
    return csv_answer(ratings_csv(await current_ratings(request.app[SERVICE].database)), "ratings")


@routes.add("GET /players", Right.LOOK)
async def list_players(request: web.Request) -> list[PlayerAnswer]:
    """All players, by name; a student's own and those that are everybody's."""
    found = await request.app[SERVICE].players.visible(current_caller())
    return [PlayerAnswer.model_validate(row) for row in found]


@routes.add("POST /players", Right.REGISTER, status=201)
async def register_player(request: web.Request, body: PlayerRequest) -> PlayerAnswer:
    """Register a player by address or spec."""
    row = await request.app[SERVICE].players.register(
        body.name, body.source, body.dialect, current_caller()
    )
    return PlayerAnswer.model_validate(row)


@routes.add("GET /players/{name}", Right.LOOK)
async def show_player(request: web.Request) -> PlayerAnswer:
    """A registered player that one sees."""
    row = await request.app[SERVICE].players.named(name_of(request), current_caller())
    return PlayerAnswer.model_validate(row)


@routes.add("DELETE /players/{name}", Right.REGISTER)
async def retire_player(request: web.Request) -> None:
    """Take a player off the list; its matches stay."""
    await request.app[SERVICE].players.retire(name_of(request), current_caller())


@routes.add("GET /players/{name}/status", Right.LOOK)
async def ask_player(request: web.Request) -> StatusAnswer:
    """Ask a player how it is: INFO, and how long the answer took.

    One that plays on this machine is not asked; the answer says how it failed in its last match.
    Who holds no matches is told of a failure after two seconds, and not which.
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
    """The record of a player here, registered or not."""
    found = await record_of(request.app[SERVICE].database, name_of(request))
    return PlayerRecordAnswer.model_validate(found)


@routes.add("POST /submissions", Right.REGISTER, status=201)
async def upload(request: web.Request, body: SubmissionRequest) -> SubmissionAnswer:
    """Keep a file; its source can be registered as a player. A student has 20 at most."""
    uploads = request.app[SERVICE].players.uploads
    return SubmissionAnswer(source=await uploads.keep(body.text, current_caller()))


@routes.add("GET /submissions", Right.REGISTER)
async def list_uploads(request: web.Request) -> list[UploadAnswer]:
    """One's files, the newest first; for lecturers those that are everybody's."""
    found = await request.app[SERVICE].players.uploads.listed(current_caller())
    return [
        UploadAnswer(source=f"submission-{row.digest}", bytes=row.num_bytes, created=row.created)
        for row in found
    ]


@routes.add("DELETE /submissions/{name}", Right.REGISTER)
async def delete_upload(request: web.Request) -> None:
    """Delete a file of one's own, by its source, that no player is."""
    await request.app[SERVICE].players.uploads.delete(name_of(request), current_caller())

"""/players, /submissions and /ratings: registering, uploading, rating and retiring players."""

from __future__ import annotations

import asyncio
import time
from typing import Annotated, Literal

from aiohttp import web
from pydantic import Field

from ggp.errors import GgpError
from ggp.manager.api.models import AnswerModel, Dialect, Name, Rounded
from ggp.manager.api.route import Routes
from ggp.manager.domain.player_records import PlayerRecord, against, record_of
from ggp.manager.domain.ratings import ratings_csv
from ggp.manager.domain.rights import Right, current_caller
from ggp.manager.errors import WrongRequestError
from ggp.manager.service import SERVICE
from ggp.manager.store.failures import in_general, last_failure
from ggp.manager.web.request_parts import RequestModel, name_of, number_of
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
    version: int
    """The number of the current version."""


class SubmissionAnswer(AnswerModel):
    """The answer to an upload."""

    source: str
    """The source `submission-HASH`, with which the file can be registered as a player."""


class VersionRequest(RequestModel):
    """A new version of a player: either a source or a file."""

    source: Annotated[str, Field(max_length=500, examples=["http://127.0.0.1:9147"])] = ""
    """As in a registration. Empty if `text` is given."""
    text: Annotated[str, Field(max_length=262_144)] = ""
    """A Python file with a player class. Empty if `source` is given."""
    class_name: Annotated[str, Field(max_length=100)] = ""
    """The class that plays, if the file has several."""
    dialect: Annotated[Literal["", Dialect], Field(examples=["ggp-base"])] = ""
    """Empty to keep the dialect of the player."""
    note: Annotated[str, Field(max_length=500)] = ""
    """What is new, in the owner's words."""


class VersionAnswer(AnswerModel):
    """A version of a player."""

    number: int
    source: str
    """Empty if the check of an uploaded file failed."""
    dialect: str
    note: str
    problem: str
    """Why the check failed. Empty if it did not."""
    created: int


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
    game: str
    """The game. Empty for the overall rating, in which every game counts the same."""
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


class CurvePointAnswer(AnswerModel):
    """A player's overall rating after all matches that had ended at a time."""

    time: int
    elo: Rounded
    low: Rounded
    high: Rounded


class PlayerRatingsAnswer(AnswerModel):
    """A player's ratings now, and its overall rating over time."""

    ratings: list[RatingAnswer]
    """The overall rating first, then one per game. Empty without meetings."""
    curve: list[CurvePointAnswer]


routes = Routes()


class RatingsQuery(RequestModel):
    """The game whose ratings to return. Empty for the overall ratings."""

    game: Annotated[str, Field(max_length=100, examples=["ticTacToe"])] = ""


@routes.add("GET /ratings", Right.LOOK)
async def list_ratings(request: web.Request, query: RatingsQuery) -> list[RatingAnswer]:
    """Return the ratings of all players: overall, or in one game."""
    return RatingAnswer.each(await request.app[SERVICE].ratings.current(query.game))


@routes.add("GET /ratings.csv", Right.LOOK, media=CSV)
async def export_ratings(request: web.Request, query: RatingsQuery) -> web.Response:
    """Return the ratings of all players as CSV, one line per player: overall, or in one game."""
    return csv_answer(
        ratings_csv(await request.app[SERVICE].ratings.current(query.game)), "ratings"
    )


@routes.add("GET /players", Right.LOOK)
async def list_players(request: web.Request) -> list[PlayerAnswer]:
    """Return all players, sorted by name. Students see only their own and the shared ones."""
    return PlayerAnswer.each(await request.app[SERVICE].players.visible(current_caller()))


@routes.add("POST /players", Right.REGISTER, status=201)
async def register_player(request: web.Request, body: PlayerRequest) -> PlayerAnswer:
    """Register a player by address or spec. Students can do so while submissions are open."""
    request.app[SERVICE].calendar.check_open(current_caller())
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
    """Retire a player. Its matches are kept. Students can do so while submissions are open."""
    request.app[SERVICE].calendar.check_open(current_caller())
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
        hidden = await request.app[SERVICE].held.hidden()
        problem = await request.app[SERVICE].database.read(last_failure, row.id, hidden)
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
    return PlayerRecordAnswer.model_validate(await _record(request))


@routes.add("GET /players/{name}/against/{opponent}", Right.LOOK)
async def show_pairing(request: web.Request) -> PlayerRecordAnswer:
    """Return the part of a player's record that is about one opponent."""
    found = against(await _record(request), name_of(request, "opponent"))
    return PlayerRecordAnswer.model_validate(found)


async def _record(request: web.Request) -> PlayerRecord:
    service = request.app[SERVICE]
    hidden = await service.held.hidden()
    return await record_of(service.database, service.ratings, hidden, name_of(request))


@routes.add("GET /players/{name}/ratings", Right.LOOK)
async def show_ratings(request: web.Request) -> PlayerRatingsAnswer:
    """Return a player's overall rating, its rating in each game, and the curve over time."""
    ratings = request.app[SERVICE].ratings
    found = await ratings.of_player((await _record(request)).name)
    curve = await ratings.curve(found[0]) if found else []
    return PlayerRatingsAnswer(ratings=RatingAnswer.each(found), curve=CurvePointAnswer.each(curve))


@routes.add("GET /players/{name}/versions", Right.REGISTER)
async def list_versions(request: web.Request) -> list[VersionAnswer]:
    """Return the versions of a player, latest first. Only its owner and lecturers see them."""
    found = await request.app[SERVICE].versions.listed(name_of(request), current_caller())
    return VersionAnswer.each(found)


@routes.add("POST /players/{name}/versions", Right.REGISTER, status=201)
async def add_version(request: web.Request, body: VersionRequest) -> VersionAnswer:
    """Add a version of a player, which becomes the current one if it passes its check.

    Students can do so while submissions are open.
    """
    service, name, caller = request.app[SERVICE], name_of(request), current_caller()
    service.calendar.check_open(caller)
    if bool(body.source) == bool(body.text):
        raise WrongRequestError("source: expected either source or text, not both and not none")
    if body.text:
        found = await service.versions.upload(name, body.text, body.class_name, body.note, caller)
    else:
        found = await service.versions.add(name, body.source, body.dialect, body.note, caller)
    return VersionAnswer.model_validate(found)


@routes.add("POST /players/{name}/versions/{number}/restore", Right.REGISTER)
async def restore_version(request: web.Request) -> None:
    """Make an earlier version of a player the current one, while submissions are open."""
    service, caller = request.app[SERVICE], current_caller()
    service.calendar.check_open(caller)
    await service.versions.restore(name_of(request), number_of(request), caller)


@routes.add("POST /submissions", Right.REGISTER, status=201)
async def upload(request: web.Request, body: SubmissionRequest) -> SubmissionAnswer:
    """Store a file, and return the source with which it can be registered as a player.

    Students may have up to 20 files, and can upload them while submissions are open.
    """
    request.app[SERVICE].calendar.check_open(current_caller())
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

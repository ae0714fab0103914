"""/pass-marks and /trials: what a player must reach, on a manager with accounts."""

from __future__ import annotations

from typing import Annotated

from aiohttp import web
from pydantic import Field

from ggp.manager.api.models import AnswerModel, Clock, GameName, Name, Player
from ggp.manager.api.route import Routes
from ggp.manager.domain.rights import Right, current_caller
from ggp.manager.hosting.pass_marks import Trial, trials_csv
from ggp.manager.service import SERVICE
from ggp.manager.store.pass_marks import PassMarkRow
from ggp.manager.web.request_parts import RequestModel, number_of
from ggp.manager.web.responses import CSV, csv_answer


class PassMarkRequest(RequestModel):
    """A pass mark to set."""

    name: Name
    reference: Annotated[Player, Field(examples=["alphabeta:depth=2"])]
    """The reference player: a registered name or a spec."""
    games: Annotated[list[GameName], Field(min_length=1, max_length=16, examples=[["ticTacToe"]])]
    """Games for two."""
    matches: Annotated[int, Field(ge=1, le=100)] = 10
    """Number of matches in each game. The seats alternate."""
    points: Annotated[int, Field(ge=1, le=100)] = 6
    """Points that a player needs in each game. A goal of 100 is a point."""
    startclock: Clock = 10
    playclock: Clock = 5


class PassMarkAnswer(AnswerModel):
    """A pass mark."""

    number: Annotated[int, Field(validation_alias="id")]
    name: str
    reference: str
    games: list[str]
    matches: int
    points: int
    startclock: int
    playclock: int


class TrialMatchAnswer(AnswerModel):
    """A match of a trial."""

    game: str
    match: int
    seat: int
    """The place of the tried player among the players, counted from 0."""
    points: float | None
    """Null until the match is over."""


class TrialAnswer(AnswerModel):
    """A trial of a version of a player."""

    mark: str
    owner: str
    """The student or the team."""
    player: str
    version: int
    current: bool
    """Whether this is the current version of the player."""
    status: str
    """`waiting`, `running`, `passed`, `failed` or `impossible`."""
    problem: str
    results: list[TrialMatchAnswer]

    @classmethod
    def of(cls, trial: Trial) -> TrialAnswer:
        """Create the answer from a trial."""
        return cls(
            mark=trial.mark.name,
            owner=trial.owner,
            player=trial.player.name,
            version=trial.row.version,
            current=trial.is_current,
            status=trial.row.status,
            problem=trial.row.problem,
            results=[TrialMatchAnswer(**one) for one in trial.row.results],
        )


routes = Routes()


@routes.add("GET /pass-marks", Right.LOOK)
async def list_pass_marks(request: web.Request) -> list[PassMarkAnswer]:
    """Return all pass marks, oldest first."""
    return PassMarkAnswer.each(await request.app[SERVICE].pass_marks.listed())


@routes.add("POST /pass-marks", Right.TEACH, status=201)
async def create_pass_mark(request: web.Request, body: PassMarkRequest) -> PassMarkAnswer:
    """Set a pass mark. The current version of each student's player is tried against it."""
    row = await request.app[SERVICE].pass_marks.create(PassMarkRow(**body.model_dump()))
    return PassMarkAnswer.model_validate(row)


@routes.add("DELETE /pass-marks/{number}", Right.TEACH)
async def withdraw_pass_mark(request: web.Request) -> None:
    """Withdraw a pass mark. Its trials end, and their matches stay."""
    await request.app[SERVICE].pass_marks.withdraw(number_of(request))


@routes.add("GET /trials", Right.REGISTER)
async def list_trials(request: web.Request) -> list[TrialAnswer]:
    """Return the trials of the caller's players or, for lecturers, of all, latest first."""
    found = await request.app[SERVICE].pass_marks.trials(current_caller())
    return [TrialAnswer.of(trial) for trial in found]


@routes.add("GET /trials.csv", Right.TEACH, media=CSV)
async def export_trials(request: web.Request) -> web.Response:
    """Return all trials as CSV, latest first, with one line for each game of a trial."""
    found = await request.app[SERVICE].pass_marks.trials(current_caller())
    return csv_answer(trials_csv(found), "trials")

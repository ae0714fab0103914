"""/matches/N/report: what each move cost; and playing on from where something went wrong."""

from __future__ import annotations

from dataclasses import replace

from aiohttp import web

from ggp.manager.api.answers import AnswerModel, CreatedAnswer
from ggp.manager.api.matches import check_setting_up
from ggp.manager.api.requests import BranchRequest
from ggp.manager.api.route import Routes, adapter_of
from ggp.manager.domain.rights import Right
from ggp.manager.errors import ConflictError
from ggp.manager.service import SERVICE
from ggp.manager.store.tables import Status
from ggp.manager.web.request_parts import number_of, seat_key


class MarksAnswer(AnswerModel):
    """How many moves of a role lost something."""

    inaccuracy: int
    mistake: int
    blunder: int


class ReportedRoleAnswer(AnswerModel):
    """How well a role was played."""

    role: str
    accuracy: float | None
    """From 0 to 100; null if it never had a choice."""
    marks: MarksAnswer


class WorthAnswer(AnswerModel):
    """What a position was worth."""

    goals: list[float]
    """That each role could expect."""
    proven: bool


class ReportedMoveAnswer(AnswerModel):
    """A move of a role that had a choice."""

    turn: int
    role: str
    move: str
    best: str
    """What it should have done; the move itself where nothing better is known."""
    before: float
    """The goal that the role could expect with the best move."""
    after: float
    """The goal that it could expect with its own."""
    lost: float
    proven: bool
    mark: str | None
    """`inaccuracy`, `mistake` or `blunder`; null if the move was good enough."""
    line: list[str]
    """What is expected from the best move on, in words."""


class ReportAnswer(AnswerModel):
    """A report on a match."""

    game: str
    roles: list[str]
    turns: int
    broken: str | None
    """Why the rest of the match is not reported."""
    hides: bool
    """Whether roles did not see all that the report knows."""
    players: list[ReportedRoleAnswer]
    worths: list[WorthAnswer]
    """Of the positions, from the first to the last."""
    moves: list[ReportedMoveAnswer]


class ReportStateAnswer(AnswerModel):
    """How a report that was asked for stands."""

    status: str
    """`waiting`, `running` or `completed`."""
    done: int
    total: int
    """Positions that there are; 0 as long as nothing was begun."""


routes = Routes()


@routes.add("POST /matches/{number}/report", Right.PLAY, status=202)
async def ask_for_report(request: web.Request) -> ReportStateAnswer:
    """Have the report made as soon as no match needs the core; how that stands."""
    return ReportStateAnswer.model_validate(
        await request.app[SERVICE].reports.ask(number_of(request))
    )


@routes.add(
    "GET /matches/{number}/report", Right.LOOK, streamed=ReportAnswer, pending=ReportStateAnswer
)
async def show_report(request: web.Request) -> web.Response:
    """The report, or with status 202 how far it is; 404 if nobody asked for it."""
    state = await request.app[SERVICE].reports.state(number_of(request))
    if state.status != Status.COMPLETED:
        progress = ReportStateAnswer.model_validate(state)
        return web.json_response(progress.model_dump(mode="json"), status=202)
    report = ReportAnswer.model_validate(state.content)
    return web.json_response(adapter_of(ReportAnswer).dump_python(report, mode="json"))


@routes.add("GET /matches/{number}/positions/{turn}/picture", Right.LOOK, media="image/svg+xml")
async def show_picture(request: web.Request) -> web.Response:
    """A position, drawn."""
    number, turn = number_of(request), number_of(request, "turn")
    found = await request.app[SERVICE].positions.view(number, turn, seat_key(request))
    if not found.svg:
        raise ConflictError(f"turn {turn} of match {number} is shown when the match is over")
    return web.Response(text=found.svg, content_type="image/svg+xml")


@routes.add("POST /matches/{number}/branches", Right.PLAY, status=201)
async def branch_off(request: web.Request, body: BranchRequest) -> CreatedAnswer:
    """Set up a match that goes on from a position of this one; it counts for no rating."""
    plan = replace(body.plan(), owner=await check_setting_up(request, body.players))
    number = await request.app[SERVICE].host.branch_off(number_of(request), plan)
    return CreatedAnswer(number=number)

"""/matches/N/report: how well a match was played, computed on request."""

from __future__ import annotations

from aiohttp import web

from ggp.manager.api.models import AnswerModel
from ggp.manager.api.route import Routes, adapter_of
from ggp.manager.domain.rights import Right, current_caller
from ggp.manager.service import SERVICE
from ggp.manager.store.tables import Status
from ggp.manager.web.request_parts import number_of
from ggp.report.match_report import MatchReport
from ggp.report.page import explanations


class MarksAnswer(AnswerModel):
    """How many moves of a role have each mark."""

    inaccuracy: int
    mistake: int
    blunder: int


class ReportedRoleAnswer(AnswerModel):
    """Quality of a role's moves."""

    role: str
    accuracy: float | None
    """Accuracy of the role's own moves, from 0 to 100. Null if it chose none."""
    made_for: int = 0
    """Number of choices that the manager made for the role."""
    marks: MarksAnswer


class WorthAnswer(AnswerModel):
    """Value of a position."""

    goals: list[float]
    """The goal that each role could expect in the position."""
    proven: bool


class ReportedMoveAnswer(AnswerModel):
    """A move of a role that had a choice."""

    turn: int
    role: str
    move: str
    best: str
    """The best move. It is the move itself if no better one is known."""
    before: float
    """The goal that the role could expect with the best move."""
    after: float
    """The goal that the role could expect with the move that was made."""
    lost: float
    proven: bool
    sure: bool
    """Whether the loss counts for a mark. It does not if it may have happened earlier."""
    decisive: bool
    """Whether the move decided the match."""
    made_for: str | None = None
    """The record's mark of a replaced move, such as `TO`. Null if the role chose the move."""
    mark: str | None
    """`inaccuracy`, `mistake` or `blunder`. Null if the move was good enough or was replaced."""
    line: list[str]
    """The expected line, beginning with the best move, in a readable form."""


class ReportAnswer(AnswerModel):
    """A report on a match."""

    game: str
    roles: list[str]
    turns: int
    broken: str | None
    """Why the rest of the match is missing. Null if the report is complete."""
    hides: bool
    """Whether the report uses information that was hidden from roles."""
    evaluation: str | None
    """The evaluation that the searches used. Null if everything is proven."""
    cut: bool
    """Whether the time limit stopped the search early."""
    result: str | None = None
    """A sentence that says how the match ended."""
    decided: int | None
    """The turn that decided the match. Null if none did."""
    explanations: list[str] = []  # noqa: RUF012  # pydantic copies it
    """Sentences on what decided the match and where the values come from."""
    players: list[ReportedRoleAnswer]
    worths: list[WorthAnswer]
    """The values of all positions, from the first to the last."""
    moves: list[ReportedMoveAnswer]


class ReportStateAnswer(AnswerModel):
    """State of a requested report."""

    status: str
    """`waiting`, `running` or `completed`."""
    why: str
    """Why the report waits or is slow. Otherwise empty."""
    done: int
    total: int
    """Total number of positions. 0 until the work begins."""


routes = Routes()


@routes.add("POST /matches/{number}/report", Right.PLAY, status=202)
async def ask_for_report(request: web.Request) -> ReportStateAnswer:
    """Request a report and return its state. The report is made in the background."""
    return ReportStateAnswer.model_validate(
        await request.app[SERVICE].reports.ask(number_of(request), current_caller().owner)
    )


@routes.add(
    "GET /matches/{number}/report", Right.LOOK, streamed=ReportAnswer, pending=ReportStateAnswer
)
async def show_report(request: web.Request) -> web.Response:
    """Return the report, its state with status 202, or 404 if no report was requested."""
    state = await request.app[SERVICE].reports.state(number_of(request))
    if state.status != Status.COMPLETED:
        progress = ReportStateAnswer.model_validate(state)
        return web.json_response(progress.model_dump(mode="json"), status=202)
    assert state.content is not None
    said = explanations(MatchReport.from_json(state.content))
    report = ReportAnswer.model_validate({**state.content, "explanations": said})
    return web.json_response(adapter_of(ReportAnswer).dump_python(report, mode="json"))

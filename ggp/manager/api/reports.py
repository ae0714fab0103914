"""/matches/N/report: how well a match was played, made when it is asked for."""

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
    """Number of moves of a role that lost something."""

    inaccuracy: int
    mistake: int
    blunder: int


class ReportedRoleAnswer(AnswerModel):
    """Quality of a role's moves."""

    role: str
    accuracy: float | None
    """Of its own moves, from 0 to 100; null if it chose none."""
    made_for: int = 0
    """Number of moves, where it had a choice, that were made in its player's place."""
    marks: MarksAnswer


class WorthAnswer(AnswerModel):
    """Value of a position."""

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
    sure: bool
    """Whether what it lost is no chance of the search."""
    decisive: bool
    """Whether it decided the match."""
    made_for: str | None = None
    """The record's mark, such as `TO`, of a move made in the player's place; null: its own."""
    mark: str | None
    """`inaccuracy`, `mistake` or `blunder`; null if it was good enough, or not its own."""
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
    evaluation: str | None
    """What valued the leaves of searches; null if all is proven."""
    cut: bool
    """Whether a limit of time came before all was searched."""
    result: str | None = None
    """How the match ended, in a sentence."""
    decided: int | None
    """The turn that decided the match; null if none did."""
    explanations: list[str] = []  # noqa: RUF012  # pydantic copies it
    """What decided the match, and what the values come from, in words."""
    players: list[ReportedRoleAnswer]
    worths: list[WorthAnswer]
    """Of the positions, from the first to the last."""
    moves: list[ReportedMoveAnswer]


class ReportStateAnswer(AnswerModel):
    """State of a report that was asked for."""

    status: str
    """`waiting`, `running` or `completed`."""
    why: str
    """Why it waits, or gets on slowly; empty if it does neither."""
    done: int
    total: int
    """Positions that there are; 0 as long as nothing was begun."""


routes = Routes()


@routes.add("POST /matches/{number}/report", Right.PLAY, status=202)
async def ask_for_report(request: web.Request) -> ReportStateAnswer:
    """Have the report made in the background; how that stands."""
    return ReportStateAnswer.model_validate(
        await request.app[SERVICE].reports.ask(number_of(request), current_caller().owner)
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
    assert state.content is not None
    said = explanations(MatchReport.from_json(state.content))
    report = ReportAnswer.model_validate({**state.content, "explanations": said})
    return web.json_response(adapter_of(ReportAnswer).dump_python(report, mode="json"))

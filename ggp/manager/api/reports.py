"""/matches/N/report: what each move cost; and playing on from where something went wrong."""

from __future__ import annotations

from dataclasses import replace

from aiohttp import web

from ggp.manager.api.answers import CreatedAnswer
from ggp.manager.api.report_answers import ReportAnswer, ReportStateAnswer
from ggp.manager.api.requests import BranchRequest
from ggp.manager.api.route import Route, adapter_of
from ggp.manager.api.setting_up import check_setting_up
from ggp.manager.domain.rights import Right
from ggp.manager.errors import ConflictError
from ggp.manager.store.tables import Status
from ggp.manager.web.app_keys import HOST, POSITIONS, REPORTS
from ggp.manager.web.request_parts import number_of
from ggp.manager.web.seat_keys import seat_key


async def ask_for_report(request: web.Request) -> ReportStateAnswer:
    """Have the report made as soon as no match needs the core; how that stands."""
    return ReportStateAnswer.model_validate(await request.app[REPORTS].ask(number_of(request)))


async def show_report(request: web.Request) -> web.Response:
    """The report, or with status 202 how far it is; 404 if nobody asked for it."""
    state = await request.app[REPORTS].state(number_of(request))
    if state.status != Status.COMPLETED:
        told = ReportStateAnswer.model_validate(state)
        return web.json_response(told.model_dump(mode="json"), status=202)
    report = ReportAnswer.model_validate(state.content)
    return web.json_response(adapter_of(ReportAnswer).dump_python(report, mode="json"))


async def show_picture(request: web.Request) -> web.Response:
    """A position, drawn."""
    number, turn = number_of(request), number_of(request, "turn")
    found = await request.app[POSITIONS].view(number, turn, seat_key(request))
    if not found.svg:
        raise ConflictError(f"turn {turn} of match {number} is shown when the match is over")
    return web.Response(text=found.svg, content_type="image/svg+xml")


async def branch_off(request: web.Request, body: BranchRequest) -> CreatedAnswer:
    """Set up a match that goes on from a position of this one; it counts for no rating."""
    plan = replace(body.plan(), owner=await check_setting_up(request, body.players))
    number = await request.app[HOST].branch_off(number_of(request), plan)
    return CreatedAnswer(number=number)


ROUTES = (
    Route(
        "POST",
        "/matches/{number}/report",
        ask_for_report,
        "Ask for a report on it.",
        202,
        right=Right.PLAY,
    ),
    Route(
        "GET",
        "/matches/{number}/report",
        show_report,
        "What each of its moves cost.",
        streamed=ReportAnswer,
        pending=ReportStateAnswer,
        right=Right.LOOK,
    ),
    Route(
        "GET",
        "/matches/{number}/positions/{turn}/picture",
        show_picture,
        "A position alone, to be put into other pages.",
        media="image/svg+xml",
        right=Right.LOOK,
    ),
    Route(
        "POST",
        "/matches/{number}/branches",
        branch_off,
        "Play on from a position.",
        201,
        right=Right.PLAY,
    ),
)

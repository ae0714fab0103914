"""The page with the report on a match."""

from __future__ import annotations

from aiohttp import web

from ggp.drawing.sheet import plain_name
from ggp.manager.errors import NotThereError
from ggp.manager.store import matches
from ggp.manager.store.database import Database
from ggp.manager.store.tables import OVER, MatchRow
from ggp.manager.web.app_keys import DATABASE, REPORTS
from ggp.manager.web.rendering import page
from ggp.manager.web.request_parts import number_of
from ggp.match.referee import is_played
from ggp.report.chart import MARK_COLOURS, chart, legend
from ggp.report.match_report import Mark, MatchReport
from ggp.report.page import better, notices, said

PLURALS = {Mark.INACCURACY: "inaccuracies", Mark.MISTAKE: "mistakes", Mark.BLUNDER: "blunders"}


async def show_report(request: web.Request) -> web.Response:
    """The report; or how far it is, or a button to ask for it."""
    number = number_of(request)
    match = await _match(request.app[DATABASE], number)
    if match.status not in OVER:
        raise NotThereError(f"match {number} is {match.status}; a report comes after its end")
    content, is_asked, refusal = None, True, ""
    try:
        content = (await request.app[REPORTS].state(number)).content
    except NotThereError as error:
        is_asked, refusal = False, str(error).partition(": ")[2]
    report = None if content is None else MatchReport.from_json(content)
    return page(
        "report.html",
        section="/matches",
        match=match,
        is_asked=is_asked,
        refusal=refusal,
        report=report,
        played=[role for role in match.roles if is_played(role)],
        **({} if report is None else _words(report)),
    )


async def _match(database: Database, number: int) -> MatchRow:
    async with database.reading() as session:
        return await matches.find(session, number)


def _words(report: MatchReport) -> dict[str, object]:
    """What the template shows of a report."""
    return {
        "chart": chart(report),
        "legend": legend(report.roles),
        "notices": notices(report),
        "marks": list(PLURALS.items()),
        "colours": MARK_COLOURS,
        "mistakes": [
            {
                "turn": move.turn,
                "before": move.turn - 1,
                "role": report.roles[move.role],
                "name": plain_name(report.roles[move.role]),
                "mark": move.mark,
                "move": plain_name(move.move),
                "cost": said(report, move),
                "better": plain_name(better(move)),
            }
            for move in report.mistakes
        ],
    }

"""/tournaments: set up, followed, broken off."""

from __future__ import annotations

from aiohttp import web

from ggp.manager.api.answers import (
    CreatedAnswer,
    FixtureAnswer,
    Nothing,
    TableAnswer,
    TournamentAnswer,
    TournamentStateAnswer,
    WarningsAnswer,
)
from ggp.manager.api.requests import AnnulRequest, TournamentRequest
from ggp.manager.api.route import Route
from ggp.manager.domain.rights import Right
from ggp.manager.domain.tournaments import table_of
from ggp.manager.store import tournaments
from ggp.manager.web.app_keys import CLOCK_CHECK, DATABASE, TOURNAMENTS
from ggp.manager.web.request_parts import number_of
from ggp.tournament.plan import TournamentPlan


async def list_tournaments(request: web.Request) -> list[TournamentAnswer]:
    """The tournaments, the newest first."""
    async with request.app[DATABASE].reading() as session:
        return [TournamentAnswer.model_validate(row) for row in await tournaments.listed(session)]


async def create_tournament(request: web.Request, body: TournamentRequest) -> CreatedAnswer:
    """Set a tournament up; it begins at once."""
    return CreatedAnswer(number=await request.app[TOURNAMENTS].create(body.plan()))


async def check_tournament(request: web.Request, body: TournamentRequest) -> WarningsAnswer:
    """Warnings about a tournament that is not set up yet: clocks that are too short."""
    return WarningsAnswer(warnings=await request.app[CLOCK_CHECK].warnings(body.plan()))


async def show_tournament(request: web.Request) -> TournamentStateAnswer:
    """A tournament, its fixtures and its table."""
    number = number_of(request)
    async with request.app[DATABASE].reading() as session:
        row = await tournaments.find(session, number)
        found = await tournaments.entries(session, number)
    return TournamentStateAnswer(
        tournament=TournamentAnswer.model_validate(row),
        fixtures=[FixtureAnswer.model_validate(entry) for entry in found],
        table=TableAnswer.of(table_of(TournamentPlan.read(row.plan), found)),
    )


async def abort_tournament(request: web.Request) -> Nothing:
    """Break a tournament off, and its matches."""
    await request.app[TOURNAMENTS].abort(number_of(request))
    return Nothing()


async def annul_match(request: web.Request, body: AnnulRequest) -> Nothing:
    """Let a match of a tournament count no more, and have it played again."""
    await request.app[TOURNAMENTS].annul(number_of(request), body.match)
    return Nothing()


ROUTES = (
    Route(
        "GET", "/tournaments", list_tournaments, "Tournaments, the newest first.", right=Right.LOOK
    ),
    Route(
        "POST",
        "/tournaments",
        create_tournament,
        "Set up a tournament.",
        status=201,
        right=Right.HOLD,
    ),
    Route(
        "POST",
        "/tournaments/check",
        check_tournament,
        "Whether its clocks are long enough for this machine; sets nothing up.",
        right=Right.HOLD,
    ),
    Route(
        "GET",
        "/tournaments/{number}",
        show_tournament,
        "A tournament and its table.",
        right=Right.LOOK,
    ),
    Route(
        "POST",
        "/tournaments/{number}/annul",
        annul_match,
        "Let a match count no more, and play it again.",
        right=Right.HOLD,
    ),
    Route(
        "POST", "/tournaments/{number}/abort", abort_tournament, "Break it off.", right=Right.HOLD
    ),
)

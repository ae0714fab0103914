"""/tournaments: set up, followed, broken off."""

from __future__ import annotations

from aiohttp import web

from ggp.manager.api import schemas
from ggp.manager.api.route import Nothing, Route, body_of, number_of
from ggp.manager.clocks import warnings_of
from ggp.manager.keys import holder_of, service_of
from ggp.manager.store import tournaments
from ggp.manager.tournaments import table_of
from ggp.manager.views import entry_view, table_view, tournament_view
from ggp.tournament.plan import TournamentPlan


async def list_tournaments(request: web.Request) -> web.Response:
    """The tournaments, the newest first."""
    async with service_of(request).database.reading() as session:
        rows = await tournaments.listed(session)
    return web.json_response([tournament_view(row) for row in rows])


async def create_tournament(request: web.Request) -> web.Response:
    """Set a tournament up; it begins at once."""
    body = await body_of(request, schemas.TournamentRequest)
    number = await holder_of(request).create(TournamentPlan.read(body.model_dump()))
    return web.json_response({"number": number}, status=201)


async def check_tournament(request: web.Request) -> web.Response:
    """Warnings about a tournament that is not set up yet: clocks that are too short."""
    body = await body_of(request, schemas.TournamentRequest)
    found = await warnings_of(service_of(request), TournamentPlan.read(body.model_dump()))
    return web.json_response({"warnings": found})


async def show_tournament(request: web.Request) -> web.Response:
    """A tournament, its fixtures and its table."""
    number = number_of(request)
    async with service_of(request).database.reading() as session:
        row = await tournaments.find(session, number)
        found = await tournaments.entries(session, number)
    table = table_of(TournamentPlan.read(row.plan), found)
    return web.json_response(
        {
            "tournament": tournament_view(row),
            "fixtures": [entry_view(entry) for entry in found],
            "table": table_view(table),
        }
    )


async def abort_tournament(request: web.Request) -> web.Response:
    """Break a tournament off, and its matches."""
    await holder_of(request).abort(number_of(request))
    return web.json_response({})


async def annul_match(request: web.Request) -> web.Response:
    """Let a match of a tournament count no more, and have it played again."""
    body = await body_of(request, schemas.AnnulRequest)
    await holder_of(request).annul(number_of(request), body.match)
    return web.json_response({})


ROUTES = (
    Route(
        "GET",
        "/tournaments",
        list_tournaments,
        "Tournaments, the newest first.",
        answer=list[schemas.Tournament],
    ),
    Route(
        "POST",
        "/tournaments",
        create_tournament,
        "Set up a tournament.",
        body=schemas.TournamentRequest,
        answer=schemas.Created,
        status=201,
    ),
    Route(
        "POST",
        "/tournaments/check",
        check_tournament,
        "Whether its clocks are long enough for this machine; sets nothing up.",
        body=schemas.TournamentRequest,
        answer=schemas.Warnings,
    ),
    Route(
        "GET",
        "/tournaments/{number}",
        show_tournament,
        "A tournament and its table.",
        answer=schemas.TournamentState,
    ),
    Route(
        "POST",
        "/tournaments/{number}/annul",
        annul_match,
        "Let a match count no more, and play it again.",
        body=schemas.AnnulRequest,
        answer=Nothing,
    ),
    Route("POST", "/tournaments/{number}/abort", abort_tournament, "Break it off.", answer=Nothing),
)

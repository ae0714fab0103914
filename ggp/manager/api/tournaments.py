"""/tournaments: set up, followed, broken off."""

from __future__ import annotations

from aiohttp import web

from ggp.manager.api.answers import CreatedAnswer, Nothing, WarningsAnswer
from ggp.manager.api.requests import AnnulRequest, JoinRequest, TournamentRequest
from ggp.manager.api.route import Route
from ggp.manager.api.tournament_answers import TournamentAnswer, TournamentStateAnswer
from ggp.manager.domain.csv_export import matches_csv, table_csv
from ggp.manager.domain.rights import Right
from ggp.manager.domain.tournament_state import state_of
from ggp.manager.store import tournaments
from ggp.manager.store.pool import num_fixtures
from ggp.manager.web.app_keys import CLOCK_CHECK, DATABASE, PLAYERS, POOL, TOURNAMENTS
from ggp.manager.web.callers import current_caller
from ggp.manager.web.csv_answers import CSV, csv_answer, csv_headers
from ggp.manager.web.request_parts import name_of, number_of
from ggp.manager.web.streaming import stream


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
    """A tournament, its fixtures and its table; of a continuous one the last fixtures only."""
    return TournamentStateAnswer.of(await state_of(request.app[DATABASE], number_of(request)))


async def join_tournament(request: web.Request, body: JoinRequest) -> Nothing:
    """Let a player take part in a continuous tournament from now on."""
    number, entrant, caller = number_of(request), body.entrant(), current_caller()
    await request.app[PLAYERS].check_entrant_of(entrant, caller)
    await request.app[POOL].join(number, entrant)
    request.app[TOURNAMENTS].wake(number)
    return Nothing()


async def leave_tournament(request: web.Request) -> Nothing:
    """Take a player out of a continuous tournament; its results stay."""
    name = name_of(request)
    await request.app[PLAYERS].check_own(name, current_caller())
    await request.app[POOL].leave(number_of(request), name)
    return Nothing()


async def end_tournament(request: web.Request) -> Nothing:
    """Make no more matches in a continuous tournament; those that run come to their end."""
    number = number_of(request)
    await request.app[POOL].end(number)
    request.app[TOURNAMENTS].wake(number)
    return Nothing()


async def export_table(request: web.Request) -> web.Response:
    """The table of a tournament, a line a player."""
    number = number_of(request)
    found = await state_of(request.app[DATABASE], number)
    return csv_answer(table_csv(found.table), f"tournament-{number}")


async def export_matches(request: web.Request) -> web.StreamResponse:
    """The matches of a tournament in the order of play, a line a seat."""
    number, database = number_of(request), request.app[DATABASE]
    async with database.reading() as session:
        await tournaments.find(session, number)
        planned = await num_fixtures(session, number)
    chunks = matches_csv(database, number, planned)
    return await stream(request, chunks, csv_headers(f"tournament-{number}-matches"))


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
    Route(
        "GET",
        "/tournaments/{number}/table.csv",
        export_table,
        "Its table.",
        media=CSV,
        right=Right.LOOK,
    ),
    Route(
        "GET",
        "/tournaments/{number}/matches.csv",
        export_matches,
        "Its matches.",
        media=CSV,
        right=Right.LOOK,
    ),
    Route(
        "POST",
        "/tournaments/{number}/players",
        join_tournament,
        "Let a player join a continuous one.",
        right=Right.REGISTER,
    ),
    Route(
        "DELETE",
        "/tournaments/{number}/players/{name}",
        leave_tournament,
        "Take a player out of a continuous one.",
        right=Right.REGISTER,
    ),
    Route(
        "POST",
        "/tournaments/{number}/end",
        end_tournament,
        "Make no more matches in a continuous one.",
        right=Right.HOLD,
    ),
)

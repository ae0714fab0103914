"""/tournaments: creating, following, joining and ending tournaments."""

from __future__ import annotations

import secrets
from typing import Annotated, Literal

from aiohttp import web
from pydantic import BeforeValidator, Field

from ggp.manager.api.calendar import Moment
from ggp.manager.api.models import (
    AnswerModel,
    Clock,
    CreatedAnswer,
    Dialect,
    GameName,
    MoveLimit,
    Name,
    Player,
    Seed,
    WantedClock,
)
from ggp.manager.api.route import Routes
from ggp.manager.api.tournament_answers import TournamentAnswer, TournamentStateAnswer
from ggp.manager.domain.continuous import is_continuous
from ggp.manager.domain.rights import Right, current_caller
from ggp.manager.domain.tournaments import matches_csv, state_of, table_csv
from ggp.manager.errors import ConflictError, WrongRequestError
from ggp.manager.service import SERVICE
from ggp.manager.store import tournaments
from ggp.manager.store.entrants import num_fixtures
from ggp.manager.store.tables import Visibility
from ggp.manager.store.tournaments import Hold, Terms
from ggp.manager.web.request_parts import RequestModel, name_of, number_of
from ggp.manager.web.responses import (
    CSV,
    csv_answer,
    csv_headers,
    stream,
)
from ggp.tournament.plan import Entrant, Form, TournamentPlan

ENTRANTS = [{"name": "a", "player": "mcts"}, {"name": "b", "player": "random"}]
Elo = Annotated[float, Field(ge=-1000, le=1000, examples=[20])]
ErrorRate = Annotated[float, Field(ge=0.001, le=0.4)]


Release = Annotated[Moment | None, Field(examples=[None])]
"""When everyone may see results that are held back. Null for the next release in the calendar or,
without one, until a lecturer releases them."""


class EntrantPart(RequestModel):
    """An entrant of a tournament."""

    name: Name
    player: Player
    dialect: Annotated[Literal["", Dialect], Field(examples=["ggp-base"])] = ""
    """The dialect of a player elsewhere. Empty to use the dialect that it is registered with."""


class JoinRequest(EntrantPart):
    """An entrant that joins a continuous tournament."""

    player: Annotated[str, Field(max_length=500, examples=["http://127.0.0.1:9147"])] = ""
    """A registered name, a spec or an address. Empty if it is the same as `name`."""

    def entrant(self) -> Entrant:
        """Return the entrant that the request describes."""
        return Entrant(self.name, self.player or self.name, self.dialect)


class StopPart(RequestModel):
    """A sequential probability ratio test of the first player's Elo advantage over the second."""

    elo0: Elo
    elo1: Elo
    """Must be at least 1 more than `elo0`."""
    alpha: ErrorRate = 0.05
    """Share of tests that may accept `elo1` although `elo0` is true."""
    beta: ErrorRate = 0.05
    """Share of tests that may accept `elo0` although `elo1` is true."""


def _named(entrant: object) -> object:
    """Use a plain text as both name and player, as tournament files do."""
    return {"name": entrant, "player": entrant} if isinstance(entrant, str) else entrant


class TournamentRequest(RequestModel):
    """A tournament to set up."""

    name: Name
    games: Annotated[list[GameName], Field(min_length=1, max_length=64, examples=[["ticTacToe"]])]
    players: Annotated[
        list[Annotated[EntrantPart, BeforeValidator(_named)]],
        Field(max_length=64, examples=[ENTRANTS]),
    ]
    """At least one. A text is both name and player. A continuous tournament may get more later."""
    form: Form = "round-robin"
    startclock: Clock = 10
    playclock: Clock = 5
    matches: Annotated[int, Field(ge=1, le=20_000)] = 2
    rounds: Annotated[int, Field(ge=1, le=100)] = 3
    seed: Seed = None
    """Null to use a random seed."""
    move_limit: MoveLimit = None
    jobs: Annotated[int, Field(ge=0, le=64)] = 0
    minutes: Annotated[int, Field(ge=0, le=366 * 24 * 60)] = 0
    """Minutes after which a continuous tournament ends. 0 if it runs until a user ends it."""
    pause: Annotated[int, Field(ge=0, le=3600)] = 0
    """Seconds between two matches of the same player in a continuous tournament."""
    stop: Annotated[StopPart | None, Field(examples=[{"elo0": 0, "elo1": 20}])] = None
    """For two players: once this test has decided, no more matches begin."""

    results: Annotated[Visibility, Field(examples=["everyone"])] = Visibility.EVERYONE
    """Who sees the results, next to lecturers."""
    release: Release = None
    sign_up: bool = False
    """Whether players, and people if there is a clock, sign up until a lecturer begins it."""
    clock: WantedClock = None
    """The clock of the people. Null if only programs take part."""

    def plan(self) -> TournamentPlan:
        """Return the plan of the requested tournament."""
        seed = secrets.randbelow(2**31) if self.seed is None else self.seed
        fields = self.model_dump(exclude={"results", "release", "sign_up", "clock"})
        return TournamentPlan.read(fields | {"seed": seed})


class ResultsRequest(RequestModel):
    """A change of who sees the results of a tournament."""

    results: Annotated[Visibility, Field(examples=["everyone"])]
    release: Release = None


class AnnulRequest(RequestModel):
    """A match to annul."""

    match: Annotated[int, Field(ge=1, lt=2**31, examples=[1])]


class WarningsAnswer(AnswerModel):
    """Warnings about possible problems, one line each."""

    warnings: list[str]


routes = Routes()


@routes.add("GET /tournaments", Right.LOOK)
async def list_tournaments(request: web.Request) -> list[TournamentAnswer]:
    """Return the tournaments, newest first."""
    held, rows = (
        request.app[SERVICE].held,
        await request.app[SERVICE].database.read(tournaments.listed),
    )
    hidden = await held.hidden()
    return [TournamentAnswer.of(row, held.why(row.id) if row.id in hidden else "") for row in rows]


@routes.add("POST /tournaments", Right.HOLD, status=201)
async def create_tournament(request: web.Request, body: TournamentRequest) -> CreatedAnswer:
    """Set up a tournament. It begins at once or, with `sign_up`, when a lecturer begins it."""
    service, plan = request.app[SERVICE], body.plan()
    if body.clock is not None and not body.sign_up:
        raise WrongRequestError("clock: allowed only with sign_up, because people sign up")
    if body.sign_up and body.form == "continuous":
        raise WrongRequestError("sign_up: a continuous tournament has no sign-up; players join it")
    clock = None if body.clock is None else body.clock.model_dump()
    terms = Terms(_hold(request, body), body.sign_up, clock)
    number = await service.tournaments.create(plan, terms)
    await service.held.load()
    return CreatedAnswer(number=number)


def _hold(request: web.Request, body: TournamentRequest | ResultsRequest) -> Hold:
    service = request.app[SERVICE]
    if body.results != Visibility.EVERYONE and not service.config.has_accounts:
        raise WrongRequestError(
            "results: expected everyone, because this manager has no accounts and everyone may do "
            "everything",
            Visibility.EVERYONE,
        )
    return service.held.hold(body.results, body.release)


@routes.add("POST /tournaments/check", Right.HOLD)
async def check_tournament(request: web.Request, body: TournamentRequest) -> WarningsAnswer:
    """Return warnings about a planned tournament, such as clocks that are too short."""
    return WarningsAnswer(warnings=await request.app[SERVICE].clock_check.warnings(body.plan()))


@routes.add("GET /tournaments/{number}", Right.LOOK)
async def show_tournament(request: web.Request) -> TournamentStateAnswer:
    """Return a tournament with its table and fixtures (the latest ones if it is continuous).

    If the results are held back from the caller, the table and the fixtures are empty.
    """
    service, number = request.app[SERVICE], number_of(request)
    if await service.held.is_hidden(number):
        row = await service.database.read(tournaments.find, number)
        return TournamentStateAnswer.hidden(row, service.held.why(number))
    return TournamentStateAnswer.of(await state_of(service.database, number))


@routes.add("POST /tournaments/{number}/results", Right.HOLD)
async def show_results(request: web.Request, body: ResultsRequest) -> None:
    """Hold back the results of a tournament from now on, or release them."""
    await request.app[SERVICE].held.switch(number_of(request), _hold(request, body))


@routes.add("POST /tournaments/{number}/annul", Right.HOLD)
async def annul_match(request: web.Request, body: AnnulRequest) -> None:
    """Annul a match of a tournament, and have it played again."""
    await request.app[SERVICE].tournaments.annul(number_of(request), body.match)


@routes.add("POST /tournaments/{number}/abort", Right.HOLD)
async def abort_tournament(request: web.Request) -> None:
    """Abort a tournament and its matches."""
    await request.app[SERVICE].tournaments.abort(number_of(request))


@routes.add("GET /tournaments/{number}/table.csv", Right.LOOK, media=CSV)
async def export_table(request: web.Request) -> web.Response:
    """Return the table of a tournament as CSV, one player per line."""
    number = number_of(request)
    await request.app[SERVICE].held.check(number)
    found = await state_of(request.app[SERVICE].database, number)
    return csv_answer(table_csv(found.table), f"tournament-{number}")


@routes.add("GET /tournaments/{number}/matches.csv", Right.LOOK, media=CSV)
async def export_matches(request: web.Request) -> web.StreamResponse:
    """Return the matches of a tournament as CSV in the order of play, one seat per line."""
    number, database = number_of(request), request.app[SERVICE].database
    await request.app[SERVICE].held.check(number)
    async with database.reading() as session:
        await tournaments.find(session, number)
        planned = await num_fixtures(session, number)
    chunks = matches_csv(database, number, planned)
    return await stream(request, chunks, csv_headers(f"tournament-{number}-matches"))


@routes.add("POST /tournaments/{number}/players", Right.REGISTER)
async def join_tournament(request: web.Request, body: JoinRequest) -> None:
    """Let a player join a continuous tournament, or sign up for one that has not begun.

    In a tournament with a clock for people, `person` signs up the caller.
    """
    number, entrant, caller = number_of(request), body.entrant(), current_caller()
    row = await request.app[SERVICE].database.read(tournaments.find, number)
    if row.is_open:
        await request.app[SERVICE].sign_up.join(number, entrant, caller)
        return
    if not is_continuous(row):
        raise ConflictError(f"{row.name} has begun or had no sign-up, so no player can join it")
    await request.app[SERVICE].players.check_entrant_of(entrant, caller)
    await request.app[SERVICE].pool.join(number, entrant)
    request.app[SERVICE].tournaments.wake(number)


@routes.add("DELETE /tournaments/{number}/players/{name}", Right.REGISTER)
async def leave_tournament(request: web.Request) -> None:
    """Remove a player from a continuous tournament or a sign-up. Keep its results."""
    name, number = name_of(request), number_of(request)
    if (await request.app[SERVICE].database.read(tournaments.find, number)).is_open:
        await request.app[SERVICE].sign_up.leave(number, name, current_caller())
        return
    await request.app[SERVICE].players.check_own(name, current_caller())
    await request.app[SERVICE].pool.leave(number_of(request), name)


@routes.add("POST /tournaments/{number}/end", Right.HOLD)
async def end_tournament(request: web.Request) -> None:
    """End a continuous tournament: start no more matches, and let the running ones finish."""
    number = number_of(request)
    await request.app[SERVICE].pool.end(number)
    request.app[SERVICE].tournaments.wake(number)


@routes.add("POST /tournaments/{number}/begin", Right.HOLD)
async def begin_tournament(request: web.Request) -> None:
    """End the sign-up for a tournament, and begin it."""
    number = number_of(request)
    await request.app[SERVICE].sign_up.close(number)
    request.app[SERVICE].tournaments.start(number)

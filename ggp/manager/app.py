"""The web application of the manager: its routes, its start and its shutdown."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Final

from aiohttp import web

from ggp.errors import GgpError
from ggp.listener import descriptors
from ggp.listener.address import http_address, listen, reached_host
from ggp.listener.connection import BoundedAppRunner, BoundedServer
from ggp.manager.api import (
    accounts,
    calendar,
    challenges,
    games,
    matches,
    messages,
    pass_marks,
    people,
    players,
    positions,
    reports,
    scrimmages,
    teams,
    tournaments,
)
from ggp.manager.api.route import Route, document
from ggp.manager.config import ManagerConfig
from ggp.manager.domain.rights import Right
from ggp.manager.pages import accounts as account_pages
from ggp.manager.pages import matches as match_pages
from ggp.manager.pages import players as player_pages
from ggp.manager.pages import tournaments as tournament_pages
from ggp.manager.service import (
    ACCOUNTS,
    INVITATIONS,
    MESSAGES,
    SERVICE,
    TEAMS,
    ManagerService,
    open_service,
)
from ggp.manager.store.database import UnavailableError
from ggp.manager.web.access import (
    HEALTH,
    PROBES,
    READY,
    Rights,
    access_check,
    add_headers,
    rights_check,
)
from ggp.manager.web.metrics import ManagerMetrics, database_readiness
from ggp.manager.web.request_parts import PREFIX
from ggp.manager.web.responses import STATIC, answer_errors
from ggp.metrics.health import answer_health
from ggp.processes.machine import give_back_memory
from ggp.processes.tasks import cancel, termination_event

_log = logging.getLogger(__name__)

SHUTDOWN_SECONDS = 2.0
STRAY_SECONDS: Final = 10.0
"""Seconds between two searches for orphans: matches that are marked as running but have no task."""
ROUTES: tuple[Route, ...] = (
    *games.routes,
    *positions.routes,
    *players.routes,
    *matches.routes,
    *reports.routes,
    *people.routes,
    *challenges.routes,
    *tournaments.routes,
)
ACCOUNT_ROUTES: tuple[Route, ...] = (
    *accounts.routes,
    *calendar.routes,
    *teams.routes,
    *scrimmages.routes,
    *messages.routes,
    *pass_marks.routes,
)
"""Routes that only a manager with accounts has."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page and the right that it needs."""

    path: str
    handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    right: Right = Right.ADMINISTER


def make_app(service: ManagerService) -> web.Application:
    """Create the web application, given the parts of the running manager."""
    has_accounts = service.accounts is not None
    routes = ROUTES + (ACCOUNT_ROUTES if has_accounts else ())
    pages = PAGES + (ACCOUNT_PAGES if has_accounts else ())
    app = web.Application(
        middlewares=[
            access_check(service.config),
            answer_errors,
            rights_check(service.accounts, rights_of(routes, pages)),
        ],
        client_max_size=service.config.max_body_bytes,
    )
    app[SERVICE] = service
    app.on_response_prepare.append(add_headers)
    if service.accounts and service.invitations and service.teams and service.messages:
        app[ACCOUNTS] = service.accounts
        app[INVITATIONS] = service.invitations
        app[TEAMS] = service.teams
        app[MESSAGES] = service.messages
    app.add_routes([route.definition() for route in routes])
    described = document(routes)

    async def describe(_request: web.Request) -> web.Response:
        return web.json_response(described)

    app.add_routes([web.get(DOCUMENT, describe), web.static("/static", STATIC)])
    app.add_routes([web.get(page.path, page.handler) for page in pages])
    answers = {HEALTH: answer_health, READY: database_readiness(service.database).answer}
    app.add_routes([web.get(path, answer) for path, answer in answers.items()])
    return app


def rights_of(routes: Iterable[Route], pages: Iterable[Page]) -> Rights:
    """Map each method and path to the right that it needs."""
    of_routes = {(route.method, PREFIX + route.path): route.right for route in routes}
    of_pages = {("GET", page.path): page.right for page in pages}
    return {**OPEN_TO_ALL, **of_routes, **of_pages}


async def go_to_matches(_request: web.Request) -> web.Response:
    """Redirect from the start page to the list of matches."""
    return web.Response(status=303, headers={"Location": "/matches"})


PAGES: tuple[Page, ...] = (
    Page("/", go_to_matches, Right.LOOK),
    Page("/matches", match_pages.show_matches, Right.LOOK),
    Page("/matches/{number}", match_pages.show_match, Right.LOOK),
    Page("/matches/{number}/report", match_pages.show_report, Right.LOOK),
    Page("/games", match_pages.show_games, Right.LOOK),
    Page("/play", match_pages.show_play, Right.PLAY),
    Page("/challenges/{number}", match_pages.show_challenge, Right.PLAY),
    Page("/editor", match_pages.show_editor, Right.PLAY),
    Page("/tournaments", tournament_pages.show_tournaments, Right.LOOK),
    Page("/tournaments/{number}", tournament_pages.show_tournament, Right.LOOK),
    Page("/players", player_pages.show_players, Right.LOOK),
    Page("/players/{name}", player_pages.show_player, Right.LOOK),
    Page("/players/{name}/against/{opponent}", player_pages.show_pairing, Right.LOOK),
)
ACCOUNT_PAGES: tuple[Page, ...] = (
    Page("/login", account_pages.show_login, Right.ENTER),
    Page("/join", account_pages.show_join, Right.ENTER),
    Page("/me", account_pages.show_me, Right.ACCOUNT),
    Page("/scrimmages", account_pages.show_scrimmages, Right.REGISTER),
    Page("/accounts", account_pages.show_accounts, Right.TEACH),
    Page("/students", account_pages.show_students, Right.TEACH),
)
"""Pages that only a manager with accounts has."""
DOCUMENT = f"{PREFIX}/openapi.json"
OPEN_TO_ALL = dict.fromkeys((("GET", path) for path in (DOCUMENT, "/static", *PROBES)), Right.ENTER)
"""Paths that need no login: the login page loads them, or programs request them first."""


@contextlib.asynccontextmanager
async def running(config: ManagerConfig) -> AsyncIterator[str]:
    """Run a manager inside the `async with`, and yield its address."""
    async with _running(config) as (address, _):
        yield address


@contextlib.asynccontextmanager
async def _running(config: ManagerConfig) -> AsyncIterator[tuple[str, ManagerService]]:
    async with open_service(config) as service, contextlib.AsyncExitStack() as stack:
        app = make_app(service)
        runner = BoundedAppRunner(app, config.bounds(), shutdown_timeout=SHUTDOWN_SECONDS)
        await runner.setup()
        try:
            await service.tournaments.resume_all()
            await service.scrimmages.resume_all()
            site = web.TCPSite(runner, config.host, config.port, backlog=descriptors.backlog())
            await listen(site, config.host, config.port)
            await stack.enter_async_context(_measured(config, service, runner))
            orphans = _look_for_orphans(service)
            watching = [asyncio.create_task(each) for each in (orphans, give_back_memory())]
            try:
                yield http_address(config.host, runner.addresses[0][1]), service
            finally:
                await cancel(*watching)
        finally:
            # Spectators leave when their match stops, and the server waits for them.
            await service.tournaments.close()
            await service.host.close()
            await runner.cleanup()


@contextlib.asynccontextmanager
async def _measured(
    config: ManagerConfig, service: ManagerService, runner: BoundedAppRunner
) -> AsyncIterator[None]:
    """Serve metrics if the settings name a port."""
    if config.metrics_port is None:
        yield
        return
    from ggp.metrics.port import metrics_port  # without metrics, prometheus-client is not needed

    assert isinstance(runner.server, BoundedServer)
    source = ManagerMetrics(service, runner.server)
    watching = asyncio.create_task(source.lag.watch())
    try:
        async with metrics_port(
            *(config.metrics_host, config.metrics_port, source.metrics(), source.gather),
            database_readiness(service.database),
        ):
            yield
    finally:
        await cancel(watching)


async def serve(config: ManagerConfig, report: Callable[[str], None]) -> None:
    """Run a manager until SIGINT or SIGTERM.

    Args:
        report: Called with the address of the first page once the manager accepts requests. This
            page shows the matches, or lets the first host create an account.

    Raises:
        ListenError: The manager cannot listen on the address.
    """
    descriptors.raise_limit()
    is_to_stop = termination_event()
    async with _running(config) as (address, service):
        # Imported modules stay in memory. Without this, each garbage collection would scan them.
        gc.collect()
        gc.freeze()
        report(_outside(address, config.host) + await _first_page(service))
        await is_to_stop.wait()


def _outside(address: str, host: str) -> str:
    """Return `address`, with a host for other machines if the manager listens on all interfaces."""
    reached = reached_host(host)
    return address if reached == host else http_address(reached, address.rpartition(":")[2])


async def _first_page(service: ManagerService) -> str:
    key = None if service.invitations is None else await service.invitations.first_host()
    if key is not None:
        return f"/join?key={key}"
    return f"/?token={service.config.token}" if service.config.token else ""


async def _look_for_orphans(service: ManagerService) -> None:
    """At regular intervals, interrupt matches without a task, and resume what goes on by itself."""
    while True:
        await asyncio.sleep(STRAY_SECONDS)
        try:
            await service.host.look_after()
            await service.tournaments.resume_all()
            await service.scrimmages.resume_all()
        except UnavailableError:
            pass  # try again next time
        except GgpError as error:
            _log.warning(
                "could not look for matches and tournaments that are open but have no task running "
                "them: %s; trying again in %g s",
                error,
                STRAY_SECONDS,
            )

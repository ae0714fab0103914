"""The application: what answers under which address, and how it begins and ends."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import signal
from collections.abc import AsyncIterator, Callable

from aiohttp import web

from ggp.errors import GgpError
from ggp.listener import descriptors
from ggp.listener.runner import BoundedAppRunner
from ggp.manager.api import games, matches, openapi, players, reports, tournaments
from ggp.manager.api.route import Route
from ggp.manager.config import ManagerConfig
from ggp.manager.hosting.orphaned_matches import looking_for_strays
from ggp.manager.pages import games as game_pages
from ggp.manager.pages import matches as match_pages
from ggp.manager.pages import players as player_pages
from ggp.manager.pages import reports as report_pages
from ggp.manager.pages import tournaments as tournament_pages
from ggp.manager.service import ManagerService, open_service
from ggp.manager.web import app_keys
from ggp.manager.web.access import access_check, add_headers
from ggp.manager.web.error_answers import answer_errors
from ggp.manager.web.rendering import STATIC
from ggp.manager.web.request_parts import PREFIX

SHUTDOWN_SECONDS = 2.0
ROUTES: tuple[Route, ...] = (
    *games.ROUTES,
    *players.ROUTES,
    *matches.ROUTES,
    *reports.ROUTES,
    *tournaments.ROUTES,
)


class ManagerError(GgpError):
    """The manager cannot be started."""


def make_app(service: ManagerService) -> web.Application:
    """The application around a manager that is open."""
    app = web.Application(
        middlewares=[access_check(service.config), answer_errors],
        client_max_size=service.config.max_body_bytes,
    )
    app[app_keys.CONFIG] = service.config
    app[app_keys.DATABASE] = service.database
    app[app_keys.CATALOGUE] = service.catalogue
    app[app_keys.EDITORS] = service.editors
    app[app_keys.PLAYERS] = service.players
    app[app_keys.HOST] = service.host
    app[app_keys.MATCH_IMPORT] = service.match_import
    app[app_keys.MATCH_TABLES] = service.tables
    app[app_keys.POSITIONS] = service.positions
    app[app_keys.REASONS] = service.reasons
    app[app_keys.HINTS] = service.hints
    app[app_keys.REPORTS] = service.reports
    app[app_keys.SPECTATORS] = service.spectators
    app[app_keys.POOL] = service.pool
    app[app_keys.TOURNAMENTS] = service.tournaments
    app[app_keys.CLOCK_CHECK] = service.clock_check
    app.on_response_prepare.append(add_headers)
    app.add_routes([route.definition() for route in ROUTES])
    described = openapi.document(ROUTES)

    async def describe(_request: web.Request) -> web.Response:
        return web.json_response(described)

    app.add_routes([web.get(f"{PREFIX}/openapi.json", describe), *PAGES])
    return app


async def go_to_matches(_request: web.Request) -> web.Response:
    """The first page is the list of matches."""
    return web.Response(status=303, headers={"Location": "/matches"})


PAGES: tuple[web.AbstractRouteDef, ...] = (
    web.get("/", go_to_matches),
    web.get("/matches", match_pages.show_matches),
    web.get("/matches/{number}", match_pages.show_match),
    web.get("/matches/{number}/report", report_pages.show_report),
    web.get("/games", game_pages.show_games),
    web.get("/play", game_pages.show_play),
    web.get("/editor", game_pages.show_editor),
    web.get("/tournaments", tournament_pages.show_tournaments),
    web.get("/tournaments/{number}", tournament_pages.show_tournament),
    web.get("/players", player_pages.show_players),
    web.get("/players/{name}", player_pages.show_player),
    web.static("/static", STATIC),
)


@contextlib.asynccontextmanager
async def running(config: ManagerConfig) -> AsyncIterator[str]:
    """A manager that runs inside the `async with`; gives its address.

    Raises:
        ManagerError: The address cannot be used.
        DatabaseError: The database cannot be opened.
    """
    async with open_service(config) as service:
        app = make_app(service)
        runner = BoundedAppRunner(app, config.bounds(), shutdown_timeout=SHUTDOWN_SECONDS)
        await runner.setup()
        try:
            await service.tournaments.resume_all()
            site = web.TCPSite(runner, config.host, config.port, backlog=descriptors.backlog())
            await _listen(site, config)
            port = runner.addresses[0][1]
            host = f"[{config.host}]" if ":" in config.host else config.host
            async with looking_for_strays(service.host, service.tournaments):
                yield f"http://{host}:{port}"
        finally:
            # Spectators leave when their match does not go on; the server waits for them.
            await service.tournaments.close()
            await service.host.close()
            await runner.cleanup()


async def serve(config: ManagerConfig, report: Callable[[str], None]) -> None:
    """Run a manager until SIGINT or SIGTERM.

    Args:
        config: How it behaves.
        report: Is called with the address once it answers.

    Raises:
        ManagerError: The address cannot be used.
        DatabaseError: The database cannot be opened.
    """
    descriptors.raise_limit()
    is_to_stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, is_to_stop.set)
    async with running(config) as address:
        # What was imported stays: looking for rubbish in it would hold up everybody, now and then.
        gc.collect()
        gc.freeze()
        report(address)
        await is_to_stop.wait()


async def _listen(site: web.TCPSite, config: ManagerConfig) -> None:
    try:
        await site.start()
    except OSError as error:
        place = f"{config.host}:{config.port}"
        hint = (
            "the port is in use; choose another with --port"
            if error.errno == errno.EADDRINUSE
            else error.strerror or str(error)
        )
        raise ManagerError(f"cannot listen on {place}: {hint}") from error

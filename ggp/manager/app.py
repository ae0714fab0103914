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
from ggp.manager.api import games, matches, openapi, players, tournaments
from ggp.manager.api.route import PREFIX, Route
from ggp.manager.caretaker import looking_after
from ggp.manager.config import ManagerConfig
from ggp.manager.guard import add_headers, guard
from ggp.manager.keys import HOLDER, SERVICE
from ggp.manager.pages.routes import routes as page_routes
from ggp.manager.problems import tell_problems
from ggp.manager.service import Service, open_service
from ggp.manager.tournaments import Holder

SHUTDOWN_SECONDS = 2.0
ROUTES: tuple[Route, ...] = (*games.ROUTES, *players.ROUTES, *matches.ROUTES, *tournaments.ROUTES)


class ManagerError(GgpError):
    """The manager cannot be started."""


def make_app(service: Service, holder: Holder) -> web.Application:
    """The application around a manager that is open."""
    app = web.Application(
        middlewares=[guard(service.config), tell_problems],
        client_max_size=service.config.max_body_bytes,
    )
    app[SERVICE] = service
    app[HOLDER] = holder
    app.on_response_prepare.append(add_headers)
    app.add_routes([route.definition() for route in ROUTES])
    described = openapi.document(ROUTES)

    async def describe(_request: web.Request) -> web.Response:
        return web.json_response(described)

    app.add_routes([web.get(f"{PREFIX}/openapi.json", describe), *page_routes()])
    return app


@contextlib.asynccontextmanager
async def running(config: ManagerConfig) -> AsyncIterator[str]:
    """A manager that runs inside the `async with`; gives its address.

    Raises:
        ManagerError: The address cannot be used.
        DatabaseError: The database cannot be opened.
    """
    async with open_service(config) as service:
        holder = Holder(service)
        app = make_app(service, holder)
        runner = BoundedAppRunner(app, config.bounds(), shutdown_timeout=SHUTDOWN_SECONDS)
        await runner.setup()
        try:
            await holder.resume_all()
            site = web.TCPSite(runner, config.host, config.port, backlog=descriptors.backlog())
            await _listen(site, config)
            port = runner.addresses[0][1]
            host = f"[{config.host}]" if ":" in config.host else config.host
            async with looking_after(service, holder):
                yield f"http://{host}:{port}"
        finally:
            # Spectators leave when their match does not go on; the server waits for them.
            await holder.close()
            await service.host.close()
            await runner.cleanup()


async def serve(config: ManagerConfig, tell: Callable[[str], None]) -> None:
    """Run a manager until SIGINT or SIGTERM.

    Args:
        config: How it behaves.
        tell: Is called with the address once it answers.

    Raises:
        ManagerError: The address cannot be used.
        DatabaseError: The database cannot be opened.
    """
    descriptors.raise_limit()
    told_to_stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, told_to_stop.set)
    async with running(config) as address:
        # What was imported stays: looking for rubbish in it would hold up everybody, now and then.
        gc.collect()
        gc.freeze()
        tell(address)
        await told_to_stop.wait()


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

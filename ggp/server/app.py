"""Starting and stopping the player server."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import signal
import socket
from collections.abc import AsyncIterator, Callable

from aiohttp import web

from ggp.engine import EngineError, EnginePool
from ggp.errors import GgpError
from ggp.listener import descriptors
from ggp.listener.connection import BoundedServer
from ggp.log import log_event
from ggp.server.agent import Agent
from ggp.server.config import ServerConfig
from ggp.server.handlers import Handlers

SHUTDOWN_SECONDS = 2.0


class ServerError(GgpError):
    """The server cannot be started."""


@contextlib.asynccontextmanager
async def running(config: ServerConfig) -> AsyncIterator[str]:
    """A server that runs inside the `async with`; gives its address, such as `http://[::1]:9147`.

    Raises:
        ServerError: The address cannot be used, for example because it is in use.
    """
    async with EnginePool() as pool:
        agent = Agent(config, pool)
        server = BoundedServer(Handlers(agent, config).handle, config.bounds())
        runner = web.ServerRunner(server, shutdown_timeout=SHUTDOWN_SECONDS)
        await runner.setup()
        watching = [asyncio.create_task(each) for each in (agent.sweep(), agent.lag.watch())]
        try:
            port = await _listen(runner, config)
            # A match that begins before they are there is played by one that starts for it.
            watching.append(asyncio.create_task(_keep_warm(pool, config.num_warm)))
            watching.append(asyncio.create_task(asyncio.to_thread(_load_language)))
            yield _address(config.host, port)
        finally:
            for task in watching:
                task.cancel()
            await agent.close()
            await runner.cleanup()


async def _keep_warm(pool: EnginePool, num_warm: int) -> None:
    """Start the processes that wait for matches; what prevents it is logged, START tries again."""
    try:
        await pool.forks.start()  # before all else: what it lends says what is legal
        await pool.start(num_warm)
        await pool.load_ahead()
    except EngineError as error:
        log_event(logging.ERROR, "no engine", error=error)


def _load_language() -> None:
    """Import what the first START needs; within the loop that would hold up everybody's answers."""
    import gdl  # noqa: F401  # for what reads the message


async def serve(config: ServerConfig, tell: Callable[[str], None]) -> None:
    """Run a server until SIGINT or SIGTERM.

    Args:
        config: How it behaves.
        tell: Called with the address once the server answers.

    Raises:
        ServerError: The address cannot be used, for example because it is in use.
    """
    descriptors.raise_limit()
    is_stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, is_stopping.set)
    stopping = asyncio.create_task(is_stopping.wait())
    async with contextlib.AsyncExitStack() as stack:
        starting = asyncio.create_task(stack.enter_async_context(running(config)))
        await asyncio.wait({starting, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if not starting.done():
            starting.cancel()
            await asyncio.gather(starting, return_exceptions=True)
            return
        tell(await starting)
        await stopping


async def _listen(runner: web.ServerRunner, config: ServerConfig) -> int:
    site = web.TCPSite(runner, config.host, config.port)
    try:
        await site.start()
    except OSError as error:
        place = f"{config.host}:{config.port}"
        if error.errno == errno.EADDRINUSE:
            hint = "the port is in use; choose another with --port"
            raise ServerError(f"cannot listen on {place}: {hint}") from error
        raise ServerError(f"cannot listen on {place}: {_reason(error)}") from error
    port: int = runner.addresses[0][1]
    return port


def _reason(error: OSError) -> str:
    if isinstance(error, socket.gaierror):
        return "no machine of that name is known"
    if error.errno == errno.EADDRNOTAVAIL:
        return "this machine has no such address; expected one of its own, or 0.0.0.0 for all"
    if error.errno in {errno.EACCES, errno.EPERM}:
        return "this is not permitted; ports below 1024 often are not"
    return error.strerror or str(error)


def _address(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

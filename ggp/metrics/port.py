"""The port for metrics: `/metrics` for Prometheus, as well as `/health` and `/ready`."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Final

from aiohttp import web

from ggp.errors import GgpError
from ggp.listener.bounds import Bounds
from ggp.listener.connection import BoundedAppRunner
from ggp.metrics.exposition import CONTENT_TYPE, Exposition
from ggp.metrics.health import Readiness, answer_health
from ggp.metrics.metric import Metric

BOUNDS: Final = Bounds(max_connections=20, max_per_address=20)
FRESH_SECONDS: Final = 1.0
"""How long the text is cached for further requests."""
SHUTDOWN_SECONDS: Final = 1.0

Gather = Callable[[], Awaitable[None]]


class MetricsError(GgpError):
    """The port for metrics cannot be used."""


@contextlib.asynccontextmanager
async def metrics_port(
    host: str, port: int, metrics: Sequence[Metric], gather: Gather, readiness: Readiness
) -> AsyncIterator[str]:
    """Serve metrics inside the `async with`. Yield the address at which they are served.

    Args:
        gather: Called before each reading, to collect values that cannot be read synchronously.

    Raises:
        MetricsError: The address cannot be used.
    """
    snapshot = _Snapshot(metrics, gather)

    async def answer(_request: web.Request) -> web.Response:
        return web.Response(body=await snapshot.text(), headers={"Content-Type": CONTENT_TYPE})

    app = web.Application()
    app.add_routes([web.get("/metrics", answer)])
    app.add_routes([web.get("/health", answer_health), web.get("/ready", readiness.answer)])
    runner = BoundedAppRunner(app, BOUNDS, shutdown_timeout=SHUTDOWN_SECONDS)
    await runner.setup()
    try:
        await _listen(web.TCPSite(runner, host, port), f"{host}:{port}")
        shown = f"[{host}]" if ":" in host else host
        yield f"http://{shown}:{runner.addresses[0][1]}/metrics"
    finally:
        await runner.cleanup()


async def _listen(site: web.TCPSite, place: str) -> None:
    try:
        await site.start()
    except OSError as error:
        hint = (
            "the port is in use; choose another with --metrics-port"
            if error.errno == errno.EADDRINUSE
            else error.strerror or str(error)
        )
        raise MetricsError(f"cannot listen on {place} for metrics: {hint}") from error


class _Snapshot:
    """The text of all metrics, updated at most once per second and by one request at a time."""

    def __init__(self, metrics: Sequence[Metric], gather: Gather) -> None:
        self._exposition = Exposition(metrics)
        self._gather = gather
        self._made = -math.inf
        self._text = b""
        self._making = asyncio.Lock()

    async def text(self) -> bytes:
        async with self._making:
            if time.monotonic() > self._made + FRESH_SECONDS:
                await self._gather()
                self._text, self._made = self._exposition.text(), time.monotonic()
        return self._text

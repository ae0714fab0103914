"""The port for metrics: it serves `/metrics` for Prometheus, and also `/health` and `/ready`."""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Final

from aiohttp import web
from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
)
from prometheus_client.metrics_core import Metric as Family
from prometheus_client.registry import Collector

from ggp.listener.address import ListenError, http_address
from ggp.listener.bounds import Bounds
from ggp.listener.connection import BoundedAppRunner
from ggp.metrics.health import Readiness, answer_health
from ggp.metrics.metric import Histogram, Metric, Value

BOUNDS: Final = Bounds(max_connections=20, max_per_address=20)
FRESH_SECONDS: Final = 1.0
"""How long the text is cached for further requests."""
SHUTDOWN_SECONDS: Final = 1.0
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SUFFIX = "_total"

Gather = Callable[[], Awaitable[None]]


@contextlib.asynccontextmanager
async def metrics_port(
    host: str, port: int, metrics: Sequence[Metric], gather: Gather, readiness: Readiness
) -> AsyncIterator[str]:
    """Serve metrics inside the `async with`. Yield the address at which they are served.

    Args:
        gather: Called before each reading, to collect values that cannot be read synchronously.

    Raises:
        ListenError: The address cannot be used.
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
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            raise ListenError(error, f"{host}:{port} for metrics", "--metrics-port") from error
        yield f"{http_address(host, runner.addresses[0][1])}/metrics"
    finally:
        await runner.cleanup()


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


class Exposition(Collector):
    """The current values of metrics as text, with the standard metrics of any process."""

    def __init__(self, metrics: Sequence[Metric]) -> None:
        self._metrics = metrics
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)

    def text(self) -> bytes:
        """Return all metrics as text."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Family]:
        """Yield each metric. The registry calls this."""
        for metric in self._metrics:
            found = metric.read()
            values = found if isinstance(found, Mapping) else {"": found}
            yield _family(metric, values)


def _family(metric: Metric, values: Mapping[str, Value]) -> Family:
    labels = [metric.label] if metric.label else []
    if any(isinstance(value, Histogram) for value in values.values()):
        histogram = HistogramMetricFamily(metric.name, metric.text, labels=labels)
        for name, value in values.items():
            assert isinstance(value, Histogram)
            histogram.add_metric([name] if labels else [], value.buckets(), value.total)
        return histogram
    is_counter = metric.name.endswith(SUFFIX)
    kind = CounterMetricFamily if is_counter else GaugeMetricFamily
    family = kind(metric.name.removesuffix(SUFFIX), metric.text, labels=labels)
    for name, value in values.items():
        assert not isinstance(value, Histogram)
        family.add_metric([name] if labels else [], value)
    return family

"""Metrics are answered as text on a port of their own."""

from __future__ import annotations

import socket
from dataclasses import dataclass, field

import pytest
from aiohttp import ClientSession

from ggp.listener.address import ListenError
from ggp.metrics import port as port_module
from ggp.metrics.health import Readiness
from ggp.metrics.metric import Histogram, Metric
from ggp.metrics.port import metrics_port


@dataclass
class Program:
    """What is measured."""

    num: int = 0
    num_gathered: int = 0
    hindrance: str = ""
    left: Histogram = field(default_factory=lambda: Histogram((0.0, 1.0)))

    async def gather(self) -> None:
        """Count that this was called."""
        self.num_gathered += 1

    async def find_hindrance(self) -> str:
        """What keeps it from being ready."""
        return self.hindrance

    def metrics(self) -> list[Metric]:
        """One of each kind."""
        return [
            Metric("done_total", "Done.", lambda: {"well": self.num, 'b"a\nd': 2}, "how"),
            Metric("open", "Open.", lambda: 1.5),
            Metric("left_seconds", "Left.", lambda: self.left),
        ]


async def test_counters_gauges_and_histograms_are_told() -> None:
    """With what the process itself takes; and what strangers see beside says yes or no."""
    program = Program(num=3)
    for value in (0.0, 0.5, 7.0):
        program.left.note(value)
    readiness = Readiness(program.find_hindrance)
    told = (program.metrics(), program.gather, readiness)
    async with metrics_port("127.0.0.1", 0, *told) as address, ClientSession() as client:
        place = address.removesuffix("/metrics")
        text = await (await client.get(address)).text()
        again = await (await client.get(address)).text()
        alive = await (await client.get(f"{place}/health")).json()
        program.hindrance = "no room"
        unready = await client.get(f"{place}/ready")

        assert unready.status == 503
        assert await unready.json() == {"status": "not ready", "reason": "no room"}

    lines = text.splitlines()
    assert {'done_total{how="well"} 3.0', 'done_total{how="b\\"a\\nd"} 2.0', "open 1.5"} <= {*lines}
    assert 'left_seconds_bucket{le="0.0"} 1.0' in lines
    assert 'left_seconds_bucket{le="+Inf"} 3.0' in lines
    assert {"left_seconds_count 3.0", "left_seconds_sum 7.5"} <= {*lines}
    assert "process_open_fds" in text
    assert alive == {"status": "alive"}
    assert again == text
    assert program.num_gathered == 1  # whoever asks often causes no work


async def test_a_port_in_use_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the option that names another."""
    monkeypatch.setattr(port_module, "SHUTDOWN_SECONDS", 0.0)
    program = Program()
    readiness = Readiness(program.find_hindrance)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ListenError, match=rf":{port} .* another with --metrics-port"):
            async with metrics_port(
                "127.0.0.1", port, program.metrics(), program.gather, readiness
            ):
                pass

"""Metrics that server and manager have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ggp.listener.connection import BoundedServer
from ggp.metrics.metric import Metric
from ggp.processes.lag import Lag
from ggp.processes.memory import Usage

LEFT_SECONDS: Final = (0.0, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Bounds of what was left of a clock; at most 0 was late."""


def lag(lag: Lag) -> Metric:
    """The metric of how late the event loop is."""
    return Metric(
        "ggp_loop_lag_seconds",
        "Longest time in the last 15 s by which the process was late for what was due.",
        lag.seconds,
    )


def connections(listener: BoundedServer) -> list[Metric]:
    """The clients, and what became of them."""
    return [
        Metric("ggp_connections", "Connections that are open.", lambda: listener.num_open),
        Metric(
            "ggp_connections_total",
            "Connections that have ended, by what became of them.",
            lambda: listener.verdicts,
            "verdict",
        ),
        Metric(
            "ggp_responses_total",
            "Requests that were answered, by the status of the answer.",
            lambda: {str(status): num for status, num in listener.statuses.items()},
            "status",
        ),
    ]


def searches(iterations: Callable[[], float], playouts: Callable[[], float]) -> list[Metric]:
    """The metrics of what searches have done."""
    return [
        Metric(
            "ggp_search_iterations_total",
            "Rounds of searches: leaves that they have looked at.",
            iterations,
        ),
        Metric("ggp_search_playouts_total", "Random games that searches have played.", playouts),
    ]


def memory(usage: Callable[[], Mapping[str, Usage]]) -> list[Metric]:
    """The processes, by what they are for."""
    return [
        Metric(
            "ggp_processes",
            "Processes, by what they are for.",
            lambda: {kind: one.num_processes for kind, one in usage().items()},
            "process",
        ),
        Metric(
            "ggp_process_memory_bytes",
            "Memory of processes, by what they are for; shared pages count in parts.",
            lambda: {kind: one.num_bytes for kind, one in usage().items()},
            "process",
        ),
    ]

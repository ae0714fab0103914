"""Metrics that the server and the manager share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ggp.listener.connection import BoundedServer
from ggp.metrics.metric import Metric
from ggp.processes.lag import Lag
from ggp.processes.memory import Usage

LEFT_SECONDS: Final = (0.0, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Histogram bounds for the time left on a clock. A value of 0 means that the answer was late."""


def lag(lag: Lag) -> Metric:
    """Return the metric of the longest recent delay of the event loop."""
    return Metric(
        "ggp_loop_lag_seconds",
        "Longest delay in the last 15 s until the process ran a task that was due.",
        lag.seconds,
    )


def connections(listener: BoundedServer) -> list[Metric]:
    """Return the metrics of connections and responses."""
    return [
        Metric("ggp_connections", "Open connections.", lambda: listener.num_open),
        Metric(
            "ggp_connections_total",
            "Connections that have ended, by how they ended.",
            lambda: listener.verdicts,
            "verdict",
        ),
        Metric(
            "ggp_responses_total",
            "Answered requests, by the status of the answer.",
            lambda: {str(status): num for status, num in listener.statuses.items()},
            "status",
        ),
    ]


def searches(iterations: Callable[[], float], playouts: Callable[[], float]) -> list[Metric]:
    """Return the metrics of the work that searches have done."""
    return [
        Metric(
            "ggp_search_iterations_total",
            "Iterations of searches: leaves that they have evaluated.",
            iterations,
        ),
        Metric("ggp_search_playouts_total", "Random games that searches have played.", playouts),
    ]


def memory(usage: Callable[[], Mapping[str, Usage]]) -> list[Metric]:
    """Return the metrics of processes and their memory, by kind of process."""
    return [
        Metric(
            "ggp_processes",
            "Processes, by their purpose.",
            lambda: {kind: one.num_processes for kind, one in usage().items()},
            "process",
        ),
        Metric(
            "ggp_process_memory_bytes",
            "Memory of processes, by their purpose; shared pages are divided among processes.",
            lambda: {kind: one.num_bytes for kind, one in usage().items()},
            "process",
        ),
    ]

"""The metrics of a player server."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from ggp.engine import EnginePool
from ggp.listener.connection import BoundedServer
from ggp.metrics.metric import Metric
from ggp.metrics.shared import connections, lag, memory, searches
from ggp.processes.memory import Usage, usage_by_kind
from ggp.server.agent import Agent


class ServerMetrics:
    """The metrics of a server."""

    def __init__(self, agent: Agent, pool: EnginePool, listener: BoundedServer) -> None:
        self._agent = agent
        self._pool = pool
        self._listener = listener
        self._usage: Mapping[str, Usage] = {}

    async def gather(self) -> None:
        """Collect the metrics that take some milliseconds to compute."""
        self._usage = await asyncio.to_thread(usage_by_kind)

    def metrics(self) -> list[Metric]:
        """Return all metrics."""
        return [
            *self._of_turns(),
            *self._of_matches(),
            lag(self._agent.lag),
            *connections(self._listener),
            *memory(lambda: self._usage),
        ]

    def _of_turns(self) -> list[Metric]:
        counts = self._agent.counts
        return [
            Metric(
                "ggp_turns_total",
                "Turns answered, by the origin of the move.",
                lambda: counts.origins,
                "origin",
            ),
            Metric(
                "ggp_turns_overruled_total",
                "Turns in which the manager replaced our move because it was late or illegal.",
                lambda: counts.overruled,
            ),
            Metric(
                "ggp_answer_left_seconds",
                "Seconds of the playclock that were left when an answer was handed over.",
                lambda: counts.left,
            ),
            Metric(
                "ggp_answers_late_total",
                "Answers handed over after the playclock had run out.",
                lambda: counts.late,
            ),
            Metric(
                "ggp_answers_slow_total",
                "Answers in which a step took too long, by the slowest step.",
                lambda: counts.slow,
                "step",
            ),
            *searches(lambda: counts.iterations, lambda: counts.playouts),
        ]

    def _of_matches(self) -> list[Metric]:
        counts, places = self._agent.counts, self._agent.places
        return [
            Metric("ggp_matches", "Matches being played.", lambda: len(places.matches)),
            Metric(
                "ggp_matches_ended_total",
                "Matches that have ended, by how they ended.",
                lambda: counts.endings,
                "how",
            ),
            Metric(
                "ggp_compile_queue",
                "Matches whose game is not compiled yet: those that wait to begin, "
                "and those that have begun.",
                self._compile_queue,
                "state",
            ),
            Metric(
                "ggp_engines_replaced_total",
                "Engine processes that died or hung and were replaced.",
                lambda: self._pool.num_replaced + self._pool.forks.num_replaced,
            ),
        ]

    def _compile_queue(self) -> dict[str, float]:
        places, waiting = self._agent.places, self._agent.admission.num_waiting
        begun = [*places.matches.values(), *places.candidates.values()]
        to_compile = sum("ready" not in match.start_seconds for match in begun)
        return {"waiting": waiting, "begun": max(0, to_compile - waiting)}

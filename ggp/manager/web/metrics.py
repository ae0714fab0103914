"""The metrics of a game manager, and its readiness check."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

from ggp.listener.connection import BoundedServer
from ggp.manager.service import ManagerService
from ggp.manager.store import matches
from ggp.manager.store.database import Database, UnavailableError
from ggp.manager.store.tables import MatchRow, TournamentRow
from ggp.metrics.health import Readiness
from ggp.metrics.metric import Metric
from ggp.metrics.shared import connections, lag, memory, searches
from ggp.processes.lag import Lag
from ggp.processes.memory import Usage, usage_by_kind

DATABASE_SECONDS: Final = 3.0
"""A database that takes longer than this to answer counts as unavailable."""
FRESH_SECONDS: Final = 2.0
READ_ONLY: Final = "the database cannot be written"


def database_readiness(database: Database) -> Readiness:
    """Return the readiness check. The manager is ready if it can write to the database."""

    async def hindrance() -> str:
        try:
            async with asyncio.timeout(DATABASE_SECONDS):
                await database.touch()
        except (UnavailableError, TimeoutError):
            return READ_ONLY
        return ""

    return Readiness(hindrance, FRESH_SECONDS)


class ManagerMetrics:
    """The metrics of a manager.

    Attributes:
        lag: The lag of the event loop. The owner of this object has to call `lag.watch`.
    """

    def __init__(self, service: ManagerService, listener: BoundedServer) -> None:
        self._service = service
        self._listener = listener
        self._usage: Mapping[str, Usage] = {}
        self._matches: Mapping[str, int] = {}
        self._tournaments: Mapping[str, int] = {}
        self.lag = Lag()

    async def gather(self) -> None:
        """Collect the figures that are slow to get.

        If the database does not answer, leave out those that come from it.
        """
        self._usage = await asyncio.to_thread(usage_by_kind)
        self._matches = self._tournaments = {}
        try:
            async with asyncio.timeout(DATABASE_SECONDS), self._service.database.reading() as found:
                self._matches = await matches.num_by_status(found, MatchRow)
                self._tournaments = await matches.num_by_status(found, TournamentRow)
        except (UnavailableError, TimeoutError):
            pass

    def metrics(self) -> list[Metric]:
        """Return all metrics of the manager."""
        return [
            *self._of_matches(),
            *self._of_database(),
            lag(self.lag),
            *connections(self._listener),
            *memory(lambda: self._usage),
        ]

    def _of_matches(self) -> list[Metric]:
        service, counts = self._service, self._service.host.counts
        return [
            Metric(
                "ggp_manager_matches",
                "Matches in the database, by their status.",
                lambda: self._matches,
                "status",
            ),
            Metric(
                "ggp_manager_tournaments",
                "Tournaments in the database, by their status.",
                lambda: self._tournaments,
                "status",
            ),
            Metric(
                "ggp_manager_waiting_matches",
                "Matches that wait for cores.",
                lambda: service.cores.num_waiting,
            ),
            Metric(
                "ggp_manager_spectators",
                "Spectators of matches.",
                lambda: service.spectators.num_watching,
            ),
            Metric(
                "ggp_manager_answers_total",
                "Answers of players in matches held here, by what was wrong with them.",
                lambda: counts.verdicts,
                "verdict",
            ),
            Metric(
                "ggp_manager_answer_left_seconds",
                "Seconds of the playclock that were left when a player had answered.",
                lambda: counts.left,
            ),
            *searches(lambda: counts.iterations, lambda: counts.playouts),
        ]

    def _of_database(self) -> list[Metric]:
        database = self._service.database
        return [
            Metric(
                "ggp_database_seconds",
                "How long sessions of the database took, waiting included.",
                lambda: database.seconds,
                "kind",
            ),
            Metric(
                "ggp_database_refused_total",
                "Sessions that could not use the database.",
                lambda: database.num_refused,
            ),
        ]

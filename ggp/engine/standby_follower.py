"""Follows a match beside its player, so that there is always a legal move to answer with.

However busy or broken the process is that searches, this one has nothing else to do: it reads the
rules before any other does, and says what is legal before anything is searched.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
from dataclasses import replace
from typing import Final

from ggp.engine.answers import EnginePosition
from ggp.engine.config import EngineConfig, EngineSetup
from ggp.engine.errors import EngineError, WorkerLostError
from ggp.engine.fork_server import ForkServer
from ggp.engine.pending_request import PendingRequest
from ggp.engine.wire import Ready
from ggp.engine.worker_supervisor import CommandMaker, WorkerSupervisor

PLAYER: Final = "legal"


class StandbyFollower:
    """A process that makes the moves of a match and chooses none.

    Attributes:
        exchanges: What it has said of the present turn.
    """

    def __init__(self, forks: ForkServer, setup: EngineSetup, config: EngineConfig) -> None:
        plain = replace(
            config,
            player=PLAYER,
            options={},
            reasoner="interpreter",
            is_pondering=False,
            patience_seconds=math.inf,
        )
        self._supervisor = WorkerSupervisor(forks, setup, plain)
        self._following: asyncio.Task[None] | None = None
        self._earlier: EnginePosition | None = None
        self.exchanges: list[PendingRequest] = []

    @property
    def ready(self) -> Ready | None:
        """Its report on the match; None as long as it has not read the rules."""
        return self._supervisor.ready

    @property
    def pid(self) -> int | None:
        """Its process id; None if there is no process at present."""
        return self._supervisor.pid

    @property
    def position(self) -> EnginePosition | None:
        """The latest position that it has computed."""
        beginning = self._supervisor.beginning
        told = [] if beginning is None else [beginning]
        moved = [each.moved.position for each in (*told, *self.exchanges) if each.moved is not None]
        return moved[-1] if moved else self._earlier

    async def read(self) -> None:
        """Read the rules; returns when that is done, or the process was lost over it.

        Raises:
            RulesError: The match cannot be played.
        """
        try:
            await self._supervisor.worker()
        except WorkerLostError:
            self._supervisor.drop(was_exhausted=False)

    def follow(self, command: CommandMaker) -> None:
        """Begin to follow to the present turn; what comes of it stands in `exchanges`."""
        self._stop_following()
        self._earlier = self.position
        self.exchanges = []
        self._following = asyncio.create_task(self._follow(command, self.exchanges))

    async def until_there(self) -> None:
        """Wait until it has followed, or cannot."""
        if self._following is not None:
            await asyncio.wait([self._following])

    async def close(self) -> None:
        """End its process."""
        self._supervisor.close()
        task = self._stop_following()
        if task is not None:
            await asyncio.gather(task, return_exceptions=True)

    def _stop_following(self) -> asyncio.Task[None] | None:
        task, self._following = self._following, None
        if task is not None:
            task.cancel()
        return task

    async def _follow(self, command: CommandMaker, exchanges: list[PendingRequest]) -> None:
        with contextlib.suppress(EngineError):  # whoever chooses says what is wrong
            await self._supervisor.conduct(command, exchanges)

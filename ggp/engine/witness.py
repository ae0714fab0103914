"""Follows a match beside a player that fails, so that there is always a legal move to answer with.

A player that hangs is replaced turn after turn, and the process that takes over may come too late
to say what is legal. The witness only follows: an idle process is quick even on a busy machine.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from typing import Final

from ggp.clock import Deadline
from ggp.engine.config import EngineConfig, MatchSetup
from ggp.engine.errors import EngineError
from ggp.engine.exchange import Exchange
from ggp.engine.lifeline import CommandMaker, Lifeline
from ggp.engine.pool import EnginePool

PLAYER: Final = "legal"


class Witness:
    """A process that makes the moves of a match and chooses none.

    Attributes:
        exchanges: What it has said of the present turn.
    """

    def __init__(self, pool: EnginePool, setup: MatchSetup, config: EngineConfig) -> None:
        plain = replace(
            config, player=PLAYER, options={}, reasoner="interpreter", is_pondering=False
        )
        self._lifeline = Lifeline(pool, setup, plain)
        self._following: asyncio.Task[None] | None = None
        self.exchanges: list[Exchange] = []

    def follow(self, command: CommandMaker, deadline: Deadline) -> None:
        """Begin to follow to the present turn; what comes of it stands in `exchanges`."""
        self._stop_following()
        self.exchanges = []
        self._following = asyncio.create_task(self._follow(command, deadline, self.exchanges))

    async def close(self) -> None:
        """End its process."""
        self._lifeline.close()
        task = self._stop_following()
        if task is not None:
            await asyncio.gather(task, return_exceptions=True)

    def _stop_following(self) -> asyncio.Task[None] | None:
        task, self._following = self._following, None
        if task is not None:
            task.cancel()
        return task

    async def _follow(
        self, command: CommandMaker, deadline: Deadline, exchanges: list[Exchange]
    ) -> None:
        with contextlib.suppress(EngineError):  # whoever chooses says what is wrong
            await self._lifeline.conduct(command, deadline, exchanges)

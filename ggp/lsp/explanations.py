"""What is told of facts of the first state: from a process apart, or not at all if it is late."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Final

from ggp.sandbox import Sandbox, SandboxBounds, SandboxError

SECONDS: Final = 0.12
"""That a hover may take with its explanation; one that comes later is there for the next."""
_BOUNDS: Final = SandboxBounds(seconds=10.0)


class Explanations:
    """Explains one fact at a time, for whoever points at a word."""

    def __init__(self) -> None:
        self._sandbox = Sandbox(_BOUNDS)
        self._asked: tuple[str, str] = "", ""
        self._task: asyncio.Task[str] | None = None

    def prepare(self, text: str) -> None:
        """Let there be a process that knows a text, if nobody waits for another one."""
        if self._task is None:
            self._ask(text, "terminal")

    async def of(self, text: str, fact: str, begin: float) -> str:
        """Why a fact holds in the first state, or why not, as Markdown; empty if that is late.

        Args:
            text: The rules.
            fact: Empty for none.
            begin: When somebody began to wait, by the monotonic clock.
        """
        if not fact:
            return ""
        if self._asked != (text, fact):
            if self._task is not None and not self._task.done():
                return ""  # what was asked before takes long
            self._ask(text, fact)
        task = self._task
        assert task is not None
        await asyncio.wait([task], timeout=max(0.0, begin + SECONDS - time.monotonic()))
        return task.result() if task.done() and not task.cancelled() else ""

    async def why(self, text: str, fact: str, moves: str) -> str:
        """Why a fact holds after moves, or why not, as a text.

        Raises:
            SandboxError: It is no fact of these rules, or takes too long.
        """
        return await self._sandbox.why_text(text, fact, moves)

    async def close(self) -> None:
        """End the process."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        await self._sandbox.close()

    def _ask(self, text: str, fact: str) -> None:
        self._asked = text, fact
        self._task = asyncio.create_task(self._explained(text, fact))

    async def _explained(self, text: str, fact: str) -> str:
        try:
            return await self._sandbox.explanation(text, fact)
        except SandboxError:
            return ""

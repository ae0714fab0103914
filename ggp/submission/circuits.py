"""Circuits for submissions. A separate process compiles the circuit of each rulesheet once."""

from __future__ import annotations

import asyncio
from typing import Final

import gdl
from ggp.errors import GgpError
from ggp.processes.children import OwnsProcesses, end_process, start_module
from ggp.processes.tasks import cancel
from ggp.submission.compiling import COMPILED

MODULE: Final = "ggp.submission.compiling"
START_SECONDS: Final = 10.0
"""Time in addition to the budget, for the process to start on a busy machine."""
MAX_BYTES: Final = 64 << 20
MAX_KEPT: Final = 16


class NotCompiledError(GgpError):
    """The rules could not be compiled to a circuit within the budget. The message says why."""


class Circuits(OwnsProcesses):
    """A cache of the most recent circuits. Cancelling a request does not cancel the compilation."""

    def __init__(self, budget: gdl.Budget | None = None) -> None:
        self._budget = gdl.Budget() if budget is None else budget
        self._made: dict[str, asyncio.Task[bytes | NotCompiledError]] = {}
        self._turn = asyncio.Lock()

    async def of(self, rules: str) -> bytes:
        """Return the circuit of some rules as the bytes that `gdl.load_compiled` takes.

        If a call is cancelled, compiling continues, and a later call for these rules gets the
        result.

        Raises:
            NotCompiledError: The rules cannot be compiled within the budget.
        """
        making = self._made.pop(rules, None) or asyncio.create_task(self._compiled(rules))
        self._made[rules] = making
        if len(self._made) > MAX_KEPT:
            await cancel(self._made.pop(next(iter(self._made))))
        found = await asyncio.shield(making)
        if isinstance(found, NotCompiledError):
            raise found
        return found

    async def close(self) -> None:
        """Stop all compilations."""
        await cancel(*self._made.values())

    async def _compiled(self, rules: str) -> bytes | NotCompiledError:
        async with self._turn:  # one process at a time
            return await self._compiled_now(rules)

    async def _compiled_now(self, rules: str) -> bytes | NotCompiledError:
        budget = self._budget
        try:
            process = await start_module(
                *(MODULE, str(budget.seconds), str(budget.memory)),
                stderr=asyncio.subprocess.DEVNULL,
                limit=1 << 16,
            )
        except OSError as error:
            return NotCompiledError(f"cannot start a process that compiles: {error}")
        try:
            # Building the circuit takes up to half as long as grounding.
            async with asyncio.timeout(1.5 * budget.seconds + START_SECONDS):
                printed, _ = await process.communicate(rules.encode())
        except TimeoutError:
            return NotCompiledError(f"compiling took longer than {budget.seconds:g} s")
        finally:
            await end_process(process)
        is_compiled, content = printed[:1] == COMPILED, printed[1:]
        if is_compiled and len(content) <= MAX_BYTES:
            return content
        if is_compiled:
            return NotCompiledError(f"its circuit takes more than {MAX_BYTES >> 20} MB")
        reason = content.decode(errors="replace") or "the process that compiles has died"
        return NotCompiledError(reason)

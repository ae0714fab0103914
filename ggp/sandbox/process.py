"""A process that answers questions about rules, and dies if it takes too long."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final, Self

from ggp.errors import GgpError

MAX_ANSWER_BYTES: Final = 32 << 20
GIBIBYTE: Final = 1 << 30


class SandboxError(GgpError):
    """The rules could not be dealt with within the bounds, or the process died of them."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a process may take."""

    seconds: float = 20.0
    """Of each answer."""
    num_bytes: int = 2 * GIBIBYTE
    cpu_seconds: int = 3600
    """In the whole life of the process."""


class Sandbox:
    """One process, started when it is first asked, started again after one that died.

    Questions wait for each other.
    """

    def __init__(self, bounds: Bounds | None = None) -> None:
        self._bounds = bounds or Bounds()
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._opened: dict[str, object] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def check(self, text: str, *, is_played: bool = False) -> list[dict[str, Any]]:
        """What is wrong with a rulesheet: severity, code, message, line, column, length each.

        Raises:
            SandboxError: That could not be found out.
        """
        found: list[dict[str, Any]] = await self.ask(
            "check", text=text, name="rules", is_played=is_played
        )
        return found

    async def format(self, text: str) -> str:
        """The rules in an even layout.

        Raises:
            SandboxError: They cannot be read.
        """
        return str(await self.ask("format", text=text, name="rules"))

    async def statistics(
        self, text: str, *, seconds: float = 2.0, most: int = 1000, seed: int = 0
    ) -> dict[str, Any]:
        """What random playouts show: length, branching, mean goals, draws.

        Raises:
            SandboxError: They cannot be played.
        """
        found: dict[str, Any] = await self.ask(
            "statistics", text=text, name="rules", seconds=seconds, most=most, seed=seed
        )
        return found

    async def open(self, text: str, name: str) -> dict[str, Any]:
        """Read the rules that positions are asked about; a process started later has them too.

        Raises:
            SandboxError: They cannot be read.
        """
        found: dict[str, Any] = await self.ask("open", text=text, name=name)
        self._opened = {"ask": "open", "text": text, "name": name}
        return found

    async def ask(self, what: str, **fields: object) -> Any:
        """The answer to a question of `ggp.sandbox.answering`.

        Raises:
            SandboxError: There was none within the bounds.
        """
        async with self._turn:
            try:
                async with asyncio.timeout(self._bounds.seconds):
                    return await self._exchange({"ask": what, **fields})
            except TimeoutError:
                await self._kill()
                raise SandboxError(
                    f"the rules took longer than {self._bounds.seconds:g} s"
                ) from None
            except asyncio.CancelledError:
                await self._kill()
                raise

    async def close(self) -> None:
        """End the process; who waits for an answer gets none."""
        await self._kill()

    async def _exchange(self, question: dict[str, object]) -> Any:
        if self._process is None:
            self._process = await self._spawn()
            bounds = self._bounds
            await self._send(
                {"ask": "bound", "bytes": bounds.num_bytes, "cpu_seconds": bounds.cpu_seconds}
            )
            if self._opened is not None:
                await self._send(self._opened)
        return await self._send(question)

    async def _send(self, question: dict[str, object]) -> Any:
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(question).encode() + b"\n")
            await self._process.stdin.drain()
            line = await self._process.stdout.readline()
        except (OSError, ValueError) as error:  # ValueError: an answer beyond all bounds
            await self._kill()
            raise SandboxError(f"the rules could not be evaluated: {error}") from error
        if not line:
            await self._kill()
            raise SandboxError("the rules could not be evaluated: the process died of them")
        found = json.loads(line)
        if "error" in found:
            raise SandboxError(str(found["error"]))
        return found["answer"]

    async def _spawn(self) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "ggp.sandbox"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=MAX_ANSWER_BYTES,
            start_new_session=True,
        )

    async def _kill(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()

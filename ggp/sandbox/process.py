"""A process that answers questions about rules, and dies if it takes too long."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Final, Protocol

from ggp.errors import GgpError
from ggp.processes import OwnsProcesses, end_process, start_module

MAX_ANSWER_BYTES: Final = 32 << 20
GIBIBYTE: Final = 1 << 30
START_SECONDS: Final = 60.0
"""In which a process must have loaded what it needs, however busy the machine is."""


class SandboxError(GgpError):
    """The rules could not be dealt with within the bounds, or the process died of them."""


@dataclass(frozen=True, slots=True)
class SandboxBounds:
    """Resources that a process may take."""

    seconds: float = 20.0
    """Of each answer, from when the process is ready."""
    num_bytes: int = GIBIBYTE
    cpu_seconds: int = 3600
    """In the whole life of the process."""


class ProcessPlaces(Protocol):
    """Says when a sandbox may have a process, see `SandboxPool`."""

    def place(self, sandbox: Sandbox) -> AbstractAsyncContextManager[None]:
        """Place for a sandbox to have a process and let it answer."""
        ...

    def forget(self, sandbox: Sandbox) -> None:
        """Take note that a sandbox has no process any more."""
        ...


class Sandbox(OwnsProcesses):
    """One process, started when it is first asked, started again after one that died.

    Questions wait for each other. The process ends with the one that asks, however that ends.
    """

    def __init__(
        self, bounds: SandboxBounds | None = None, places: ProcessPlaces | None = None
    ) -> None:
        """A sandbox without a process.

        Args:
            bounds: What the process may take.
            places: Where it may have one; anywhere if not given.
        """
        self._bounds = bounds or SandboxBounds()
        self._places = places
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._opened: dict[str, object] | None = None

    async def check(self, text: str, *, is_played: bool = False) -> list[dict[str, Any]]:
        """Findings on a rulesheet: severity, code, message, line, column, length each.

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

    async def values(self, text: str, *, seconds: float = 2.0) -> dict[str, list[list[str]]]:
        """The values that the arguments of facts, moves and relations have in random games.

        Raises:
            SandboxError: That could not be found out.
        """
        found: dict[str, list[list[str]]] = await self.ask(
            "values", text=text, name="rules", seconds=seconds
        )
        return found

    async def symbol(
        self, text: str, line: int, column: int, sound: str | None = None
    ) -> dict[str, Any]:
        """What is to be said of the symbol at a place, in Markdown; where it is defined and used.

        Args:
            text: The rules.
            line: From 1.
            column: From 1.
            sound: Rules by which facts of the first state are explained; these if not given.

        Raises:
            SandboxError: That could not be found out.
        """
        found: dict[str, Any] = await self.ask(
            "symbol", text=text, name="rules", line=line, column=column, sound=sound
        )
        return found

    async def completions(self, text: str, line: int, column: int) -> dict[str, Any]:
        """Words that may stand at a place, the likeliest first, and the place of what is begun.

        Raises:
            SandboxError: That could not be found out.
        """
        found: dict[str, Any] = await self.ask(
            "complete", text=text, name="rules", line=line, column=column
        )
        return found

    async def position(self, text: str, moves: Sequence[Sequence[str]]) -> dict[str, Any]:
        """The position after joint moves: facts, legal moves by role, whether it is terminal.

        Raises:
            SandboxError: A move is not legal, or that could not be found out.
        """
        found: dict[str, Any] = await self.ask("position", text=text, name="rules", moves=moves)
        return found

    async def why(
        self,
        text: str,
        fact: str,
        moves: Sequence[Sequence[str]],
        next_moves: Sequence[str] | None = None,
        *,
        depth: int = 4,
        are_legal: bool = False,
    ) -> dict[str, Any]:
        """Why a fact holds after joint moves, or why not, as lines of a tree.

        Args:
            text: The rules.
            fact: As `gdl.why` takes it.
            moves: From the first turn on.
            next_moves: What is done in the position, for facts that depend on it.
            depth: How many rules deep it is explained.
            are_legal: Whether the moves are known to be.

        Raises:
            SandboxError: The fact is none of these rules, or a move is not legal, or that could
                not be found out.
        """
        found: dict[str, Any] = await self.ask(
            "why",
            text=text,
            name="rules",
            fact=fact,
            moves=moves,
            next=next_moves,
            depth=depth,
            are_legal=are_legal,
        )
        return found

    async def why_text(self, text: str, fact: str, moves: str, *, depth: int = 4) -> str:
        """The same as a text, after moves as `((mark 1 1) noop)`.

        Raises:
            SandboxError: As `why`.
        """
        asked = {"name": "rules", "fact": fact, "moves": moves, "next": None, "depth": depth}
        return str(await self.ask("why_text", text=text, are_legal=False, **asked))

    async def explanation(self, text: str, fact: str) -> str:
        """Why a fact holds in the first state, or why not, in Markdown; empty if unknown.

        Raises:
            SandboxError: That could not be found out.
        """
        return str(await self.ask("explain", text=text, name="rules", fact=fact))

    async def statistics(
        self, text: str, *, seconds: float = 2.0, most: int = 1000, seed: int = 0
    ) -> dict[str, Any]:
        """Statistics of random playouts: length, branching, mean goals, draws.

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
        places = self._places.place(self) if self._places else contextlib.nullcontext()
        async with self._turn, places:
            if self._process is None:
                await self._start()
            return await self._answer({"ask": what, **fields})

    async def close(self) -> None:
        """End the process; who waits for an answer gets none."""
        if self._places:
            self._places.forget(self)
        await self.rest()

    async def rest(self) -> None:
        """End the process until something is asked again."""
        process, self._process = self._process, None
        if process is not None:
            await end_process(process)

    async def _start(self) -> None:
        bounds = (self._bounds.num_bytes, self._bounds.cpu_seconds)
        try:
            self._process = await start_module(
                "ggp.sandbox",
                *map(str, bounds),
                stderr=asyncio.subprocess.DEVNULL,
                limit=MAX_ANSWER_BYTES,
            )
        except OSError as error:
            raise SandboxError(f"cannot start a process for the rules: {error}") from error
        late = f"a process for the rules was not ready after {START_SECONDS:g} s"
        await self._within(START_SECONDS, self._read(self._process), late)
        if self._opened is None:
            return
        try:
            await self._answer(self._opened)
        except SandboxError:
            await self.rest()
            raise

    async def _answer(self, question: dict[str, object]) -> Any:
        assert self._process is not None
        seconds = self._bounds.seconds
        late = f"the rules took longer than {seconds:g} s"
        found = await self._within(seconds, self._exchange(self._process, question), late)
        if "is_spent" in found:
            await self.rest()
        if "error" in found:
            raise SandboxError(str(found["error"]))
        return found["answer"]

    async def _within(
        self, seconds: float, answer: Awaitable[dict[str, Any]], late: str
    ) -> dict[str, Any]:
        """The answer, if it comes in time; else there is no process any more."""
        try:
            async with asyncio.timeout(seconds):
                return await answer
        except TimeoutError:
            await self.rest()
            raise SandboxError(late) from None
        except BaseException:
            await self.rest()
            raise

    @classmethod
    async def _exchange(
        cls, process: asyncio.subprocess.Process, question: dict[str, object]
    ) -> dict[str, Any]:
        assert process.stdin is not None
        with contextlib.suppress(OSError):  # it died; there is no answer then
            process.stdin.write(json.dumps(question).encode() + b"\n")
            await process.stdin.drain()
        return await cls._read(process)

    @staticmethod
    async def _read(process: asyncio.subprocess.Process) -> dict[str, Any]:
        assert process.stdout is not None
        try:
            line = await process.stdout.readline()
        except (OSError, ValueError) as error:  # ValueError: an answer beyond all bounds
            raise SandboxError(f"the rules could not be evaluated: {error}") from error
        if not line.endswith(b"\n"):
            raise SandboxError("the rules could not be evaluated: the process died of them")
        found: dict[str, Any] = json.loads(line)
        return found

"""Processes that answer questions about untrusted rules. They are killed if they take too long."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, ParamSpec, TypeVar

from ggp.errors import GgpError
from ggp.processes import json_lines
from ggp.processes.children import OwnsProcesses, end_process, start_module
from ggp.sandbox.match_questions import open_match

MAX_ANSWER_BYTES: Final = 32 << 20
GIBIBYTE: Final = 1 << 30
START_SECONDS: Final = 60.0
"""Time limit for a process to load its modules, long enough for a busy machine."""
MAX_WAITING: Final = 64

P = ParamSpec("P")
R = TypeVar("R")


class SandboxError(GgpError):
    """The rules exceeded the limits, or the process died while evaluating them."""


class SandboxQuestionError(SandboxError):
    """The process answered with an error and continues."""


class SandboxBusyError(SandboxError):
    """All processes are busy with other questions."""


@dataclass(frozen=True, slots=True)
class SandboxBounds:
    """Limits of a process.

    Attributes:
        seconds: Time limit for each answer, counted from when the process is ready.
        num_bytes: Memory limit.
        cpu_seconds: Limit on the CPU time of the process, over its whole life.
    """

    seconds: float = 20.0
    num_bytes: int = GIBIBYTE
    cpu_seconds: int = 3600


class Sandbox(OwnsProcesses):
    """One sandbox process. It starts with the first question, and again after it has ended.

    Questions are answered one at a time. The process ends when the process that started it ends,
    even if that one is killed.
    """

    def __init__(
        self,
        bounds: SandboxBounds | None = None,
        pool: SandboxPool | None = None,
        module: str = "ggp.sandbox",
    ) -> None:
        """Create a sandbox without a process. In a pool, it may have to wait for a place.

        Args:
            module: The module that the process runs. It must call `answer_questions`.
        """
        self._bounds = bounds or SandboxBounds()
        self._pool = pool
        self._module = module
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._opened: dict[str, object] | None = None

    async def open(self, text: str, name: str) -> dict[str, Any]:
        """Read the rules of a match, and return the result of `open_match`.

        If the process is started again, it reads the rules again.

        Raises:
            SandboxError: The rules cannot be read.
        """
        found = await self.ask(open_match, text, name)
        self._opened = _question(open_match, text, name)
        return found

    async def ask(self, question: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a function in the process, which must offer it, and return the value.

        Raises:
            SandboxError: The function raised an error or exceeded the limits.
        """
        found: R = await self._ask(_question(question, *args, **kwargs))
        return found

    async def ask_named(self, name: str, *args: object) -> Any:
        """Call a function by name, because its module is slow to import here. See `ask`."""
        return await self._ask({"ask": name, "args": args, "kwargs": {}})

    async def close(self) -> None:
        """End the process. Pending questions are not answered."""
        if self._pool:
            self._pool.forget(self)
        await self.rest()

    async def rest(self) -> None:
        """End the process until the next question."""
        process, self._process = self._process, None
        if process is not None:
            await end_process(process)

    async def _ask(self, question: dict[str, object]) -> Any:
        place = self._pool.place(self) if self._pool else contextlib.nullcontext()
        async with self._turn, place:
            if self._process is None:
                await self._start()
            return await self._answer(question)

    async def _start(self) -> None:
        bounds = (self._bounds.num_bytes, self._bounds.cpu_seconds)
        try:
            self._process = await start_module(
                self._module,
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
            raise SandboxQuestionError(str(found["error"]))
        return found["answer"]

    async def _within(
        self, seconds: float, answer: Awaitable[dict[str, Any]], late: str
    ) -> dict[str, Any]:
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
        await json_lines.ask(process.stdin, question)
        return await cls._read(process)

    @staticmethod
    async def _read(process: asyncio.subprocess.Process) -> dict[str, Any]:
        assert process.stdout is not None
        try:
            return await json_lines.answer(process.stdout)
        except EOFError:
            raise SandboxError(
                "the rules could not be evaluated: the process that evaluated them ended without "
                "an answer, perhaps because they need more memory or CPU time than it may use"
            ) from None
        except (OSError, ValueError) as error:  # ValueError: an answer exceeds the size limit
            raise SandboxError(f"the rules could not be evaluated: {error}") from error


def _question(
    function: Callable[P, object], *args: P.args, **kwargs: P.kwargs
) -> dict[str, object]:
    return {"ask": function.__name__, "args": args, "kwargs": kwargs}


class SandboxPool(OwnsProcesses):
    """Sandboxes that share a limited number of processes.

    A sandbox takes a place while it answers. Its process keeps running until another sandbox needs
    the place. Then the least recently used process ends, and it starts again when needed.

    async with SandboxPool(num_places=4) as pool:
        findings = await pool.ask(questions.check, text)
    """

    def __init__(
        self, num_places: int, *, patience: float = math.inf, bounds: SandboxBounds | None = None
    ) -> None:
        """Create a pool without processes.

        Args:
            patience: Seconds to wait for a place before giving up. If it is infinite, any number
                of questions may wait.
        """
        self._num_places = num_places
        self._patience = patience
        self._bounds = bounds
        self._turns = asyncio.Semaphore(num_places)
        self._num_waiting = 0
        self._busy: set[Sandbox] = set()
        self._alive: dict[Sandbox, None] = {}  # sandboxes with a process, the last used one last
        self._unused: list[Sandbox] = []

    def sandbox(self) -> Sandbox:
        """Create a sandbox for the caller, who must close it."""
        return Sandbox(self._bounds, self)

    async def ask(self, question: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Ask any sandbox and return its answer. See `Sandbox.ask`."""
        async with self._turn():
            sandbox = self._unused.pop() if self._unused else self.sandbox()
            self._busy.add(sandbox)
            try:
                return await sandbox.ask(question, *args, **kwargs)
            finally:
                self._busy.discard(sandbox)
                self._unused.append(sandbox)

    @contextlib.asynccontextmanager
    async def place(self, sandbox: Sandbox) -> AsyncIterator[None]:
        """Return a context in which the sandbox has a place, and so may run its process and answer.

        Raises:
            SandboxBusyError: No place became free in time.
        """
        if sandbox in self._busy:  # it was called by `ask`
            await self._make_room(sandbox)
            yield
            return
        async with self._turn():
            self._busy.add(sandbox)
            try:
                await self._make_room(sandbox)
                yield
            finally:
                self._busy.discard(sandbox)

    def forget(self, sandbox: Sandbox) -> None:
        """Note that a sandbox no longer has a process."""
        self._alive.pop(sandbox, None)

    async def close(self) -> None:
        """End all processes."""
        for sandbox in list(self._alive):
            await sandbox.close()

    async def _make_room(self, sandbox: Sandbox) -> None:
        self._alive.pop(sandbox, None)
        self._alive[sandbox] = None
        while len(self._alive) > self._num_places:
            idle = next(other for other in self._alive if other not in self._busy)
            del self._alive[idle]
            await idle.rest()

    @contextlib.asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Return a context in which the caller has a turn. Entering it waits for the turn.

        There are as many turns at the same time as places.
        """
        is_patient = self._patience == math.inf
        if self._num_waiting >= MAX_WAITING and not is_patient:
            raise self._busy_error()
        self._num_waiting += 1
        try:
            async with asyncio.timeout(None if is_patient else self._patience):
                await self._turns.acquire()
        except TimeoutError:
            raise self._busy_error() from None
        finally:
            self._num_waiting -= 1
        try:
            yield
        finally:
            self._turns.release()

    def _busy_error(self) -> SandboxBusyError:
        return SandboxBusyError(
            f"all {self._num_places} processes for rulesheets are busy; try again later"
        )

"""Processes that answer questions about untrusted rules, and die if they take too long."""

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
"""In which a process must have loaded what it needs, however busy the machine is."""
MAX_WAITING: Final = 64

P = ParamSpec("P")
R = TypeVar("R")


class SandboxError(GgpError):
    """The rules could not be dealt with within the bounds, or the process died of them."""


class SandboxQuestionError(SandboxError):
    """The process has an error in place of an answer, and goes on."""


class SandboxBusyError(SandboxError):
    """All processes that there may be are answering others."""


@dataclass(frozen=True, slots=True)
class SandboxBounds:
    """Resources that a process may take.

    Attributes:
        seconds: Of each answer, from when the process is ready.
        cpu_seconds: In the whole life of the process.
    """

    seconds: float = 20.0
    num_bytes: int = GIBIBYTE
    cpu_seconds: int = 3600


class Sandbox(OwnsProcesses):
    """One process, started when it is first asked, started again after one that died.

    Questions wait for each other. The process ends with the one that asks, however that ends.
    """

    def __init__(
        self,
        bounds: SandboxBounds | None = None,
        pool: SandboxPool | None = None,
        module: str = "ggp.sandbox",
    ) -> None:
        """A sandbox without a process, which has one within a pool or at any time.

        Args:
            module: What the process runs; it calls `answer_questions`.
        """
        self._bounds = bounds or SandboxBounds()
        self._pool = pool
        self._module = module
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._opened: dict[str, object] | None = None

    async def open(self, text: str, name: str) -> dict[str, Any]:
        """Read the rules of a match; a process started later has them too.

        Raises:
            SandboxError: They cannot be read.
        """
        found = await self.ask(open_match, text, name)
        self._opened = _question(open_match, text, name)
        return found

    async def ask(self, question: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """The value that a function of `questions` or `match_questions` returns in the process.

        Raises:
            SandboxError: It raised an error, or did not return within the bounds.
        """
        found: R = await self._ask(_question(question, *args, **kwargs))
        return found

    async def ask_named(self, name: str, *args: object) -> Any:
        """As `ask`, of a function whose module is too heavy to be imported by who asks."""
        return await self._ask({"ask": name, "args": args, "kwargs": {}})

    async def close(self) -> None:
        """End the process; who waits for an answer gets none."""
        if self._pool:
            self._pool.forget(self)
        await self.rest()

    async def rest(self) -> None:
        """End the process until something is asked again."""
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
                "the rules could not be evaluated: the process died of them"
            ) from None
        except (OSError, ValueError) as error:  # ValueError: an answer beyond all bounds
            raise SandboxError(f"the rules could not be evaluated: {error}") from error


def _question(
    function: Callable[P, object], *args: P.args, **kwargs: P.kwargs
) -> dict[str, object]:
    return {"ask": function.__name__, "args": args, "kwargs": kwargs}


class SandboxPool(OwnsProcesses):
    """Sandboxes that share a few places for their processes.

    A sandbox takes a place while it answers. Its process stays until another one needs the place;
    then the one that has not been asked for longest goes, to come back when it is asked again.

    async with SandboxPool(num_places=4) as pool:
        findings = await pool.ask(questions.check, text)
    """

    def __init__(
        self, num_places: int, *, patience: float = math.inf, bounds: SandboxBounds | None = None
    ) -> None:
        """A pool without processes.

        Args:
            patience: Seconds after which who waits for a place gives up; with infinity any number
                may wait.
        """
        self._num_places = num_places
        self._patience = patience
        self._bounds = bounds
        self._turns = asyncio.Semaphore(num_places)
        self._num_waiting = 0
        self._busy: set[Sandbox] = set()
        self._alive: dict[Sandbox, None] = {}  # those with a process, last asked comes last
        self._unused: list[Sandbox] = []

    def sandbox(self) -> Sandbox:
        """A sandbox of the caller's own, who closes it."""
        return Sandbox(self._bounds, self)

    async def ask(self, question: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """The answer of any sandbox; see `Sandbox.ask`."""
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
        """Place for a sandbox to have a process and let it answer.

        Raises:
            SandboxBusyError: There is none for too long.
        """
        if sandbox in self._busy:  # it was asked by `ask`
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
        """Take note that a sandbox has no process any more."""
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
        """One of as many turns at once as there are places."""
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

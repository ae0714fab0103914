"""An engine process as the server sees it: start it, send requests, take events, kill it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from ggp import clock
from ggp.engine.errors import WorkerLostError
from ggp.engine.pending_request import PendingRequest, PendingWork, Progress
from ggp.engine.wire import (
    MAX_LINE_BYTES,
    Accepted,
    Awake,
    Begin,
    Command,
    Equipped,
    Event,
    MovedReply,
    Printed,
    Ready,
    Said,
    Searching,
    Warm,
    Warming,
    WireError,
    decode,
    encode,
)
from ggp.log import ReportLine
from ggp.processes.children import end_process, start_module
from ggp.processes.machine import ONE_THREAD
from ggp.processes.priority import COMPUTING
from ggp.processes.tasks import cancel

_log = logging.getLogger(__name__)

REAP_SECONDS: Final = 5.0
WARM: Final = "engine %d is warm"
"""Log message for a process that has loaded everything that makes it fast."""


def environment() -> dict[str, str]:
    """Return the environment of engine processes, which limits matrix operations to one core."""
    return ONE_THREAD | os.environ


class Fork:
    """A forked process that is not our child, with the interface that a `WorkerProcess` needs.

    Attributes:
        pid: The process id. 0 until the process has reported it.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        printed: asyncio.StreamReader,
    ) -> None:
        self.stdout = reader
        self.stdin = writer
        self.stderr = printed
        self.pid = 0

    @property
    def returncode(self) -> int | None:
        """Return 0 once the process has ended, whatever its exit status. Return None before."""
        return 0 if self.stdout.at_eof() else None

    async def wait(self) -> int:
        """Return 0 at once. The end of the output shows that the process has ended."""
        return 0


class WorkerProcess:
    """One process and the pipes to it. A process serves only one match.

    Attributes:
        pid: Its process id, which is also its process group. 0 until known.
        turn: Number of steps of the match that it has reported as made.
        pending_work: The work that is due.
        has_accepted: Whether it has read the last command.
        reasoner: Its reasoner and why it was chosen. Empty until known.
        is_warm: Whether it has loaded the kernels and all modules. Until then, answers may take
            long.
        is_compiling: Whether its kernels must be compiled first, which takes a minute.
        hear: Called with what the player prints.
        begun: When START arrived, on `ggp.clock.now()`.
        start_seconds: Seconds since START, as far as known, until the rules were read (`read`), the
            compiled game was taken over (`ready`) and its first leaves were evaluated (`search`).
            It also has the duration of each stage of compiling.
    """

    def __init__(
        self, process: asyncio.subprocess.Process | Fork, tell: ReportLine = _log.info
    ) -> None:
        self._process = process
        self._tell = tell
        self._requests = 0
        self._warm = PendingRequest(0)
        self._current = self._warm
        self._is_awake = False
        self.is_warm = self.is_compiling = False
        self.pid = process.pid
        self.turn = 0
        self.pending_work = PendingWork()
        self.has_accepted = True
        self.reasoner = ""
        self.hear: Callable[[Printed], None] = lambda printed: None
        self.begun = clock.now()
        self.start_seconds: dict[str, float] = {}
        self._tasks = [asyncio.create_task(self._listen())]
        if self.pid:
            self._forward()

    @classmethod
    async def spawn(cls, tell: ReportLine = _log.info) -> WorkerProcess:
        """Start a process. It is usable when `until_awake` returns, and ends when its input closes.

        Args:
            tell: Called with a text if something takes long before it is warm.

        Raises:
            WorkerLostError: The system refuses to start a process.
        """
        try:
            process = await start_module(
                "ggp.engine.worker",
                stderr=asyncio.subprocess.PIPE,
                limit=MAX_LINE_BYTES,
                environment=environment(),
                niceness=COMPUTING,
            )
        except OSError as error:
            raise WorkerLostError(f"cannot start an engine process: {error}") from error
        return cls(process, tell)

    @property
    def is_alive(self) -> bool:
        """Whether the process can still answer, as far as known."""
        return self._process.returncode is None and self._current.lost is None

    async def until_awake(self) -> None:
        """Wait until the process can take a command. Raise WorkerLostError if it died."""
        await self._warm.until(lambda: self._is_awake)

    async def until_warm(self) -> None:
        """Wait until the process has loaded the kernels and all modules.

        Raise WorkerLostError if it died.
        """
        await self._warm.until(lambda: self.is_warm)

    async def until_loaded(self) -> None:
        """Wait until the process is warm or must compile kernels.

        Raise WorkerLostError if it died.
        """
        await self._warm.until(lambda: self.is_warm or self.is_compiling)

    def ask(self, command: Command) -> PendingRequest:
        """Send the command with a new request number, and return the pending request.

        The process then stops what it was doing. Of the steps in the command, send only those that
        the process has not made yet.
        """
        self._requests += 1
        exchange = PendingRequest(self._requests)
        exchange.lost, exchange.has_hung = self._current.lost, self._current.has_hung
        self._current.supersede()
        self._current = exchange
        stdin = self._process.stdin
        if exchange.lost is None and stdin is not None and not stdin.is_closing():
            command = replace(command, request=self._requests)
            if not isinstance(command, Begin):
                command = replace(command, steps=command.steps[self.turn :])
            stdin.write(encode(command))
            self.pending_work.asked(command)
            self.has_accepted = False
        return exchange

    def give_up(self, fault: str) -> None:
        """Fail the pending request because the process hangs. The caller kills the process."""
        self._lose(f"hangs: {fault}", has_hung=True)

    def kill(self) -> None:
        """Kill the process and all processes that it has started."""
        self._lose("was stopped")
        if self._process.returncode is None and self.pid:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
        if self._process.stdin is not None:
            self._process.stdin.close()  # also ends a process that cannot be killed yet

    async def close(self) -> None:
        """Kill and reap the process."""
        self.kill()
        self._forward()  # also if it has not reported its pid: its pipe closes too
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(REAP_SECONDS):
                await self._process.wait()
                await asyncio.wait(self._tasks)
        await cancel(*self._tasks)
        if isinstance(self._process, asyncio.subprocess.Process):
            await end_process(self._process)

    def _forward(self) -> None:
        assert self._process.stderr is not None
        if len(self._tasks) == 1:
            self._tasks.append(asyncio.create_task(forward(self._process.stderr, self.pid)))

    async def _listen(self) -> None:
        assert self._process.stdout is not None
        reason = "closed its output"
        try:
            while line := await self._process.stdout.readline():
                self._take(decode(line))
        except WireError as error:
            reason = f"broke the protocol: {error}"
        except ValueError:
            reason = f"wrote a line of more than {MAX_LINE_BYTES} bytes"
        finally:
            self._lose(reason)
            self.kill()

    def _take(self, event: Event | Command) -> None:
        match event:
            case Awake():
                if not self.pid:
                    self.pid = event.pid
                    self._forward()
                self._is_awake = True
                self._warm.take(event)
            case Warm():
                self.is_warm = True
                self._warm.take(event)
                if isinstance(self._process, asyncio.subprocess.Process):  # a fork is warm at once
                    _log.info(WARM, self.pid)
            case Warming():
                self.is_compiling = True
                self._tell(event.text)
                self._warm.take(event)
            case Printed():
                self.hear(event)
            case Said():
                _log.log(event.level, "engine %d: %s", self.pid, event.text)
            case _ if not isinstance(event, Command):
                self._follow(event)
                if event.request == self._current.request:  # otherwise it is too late to matter
                    self._current.take(event)

    def _follow(self, event: Event) -> None:
        if isinstance(event, Progress):
            self.pending_work.heard(event)
        match event:
            case Accepted():
                self.has_accepted = event.request == self._current.request
            case MovedReply():
                self.turn = event.position.turn
            case Ready():
                self._reached("read")
            case Equipped():
                self.reasoner = event.reasoner
                stages = {name: round(seconds, 3) for name, seconds in event.timings.items()}
                self.start_seconds.update(stages)
                self._reached("ready")
                extra = {"fields": dict(self.start_seconds)}
                _log.info("engine %d uses this reasoner: %s", self.pid, event.reasoner, extra=extra)
            case Searching():
                self._reached("search")
                fields = {"fields": {"seconds": self.start_seconds["search"]}}
                _log.info("engine %d searches on lanes", self.pid, extra=fields)

    def _reached(self, phase: str) -> None:
        self.start_seconds[phase] = round(clock.now() - self.begun, 3)

    def _lose(self, reason: str, *, has_hung: bool = False) -> None:
        if self._current.lost is None:
            self._warm.lose(reason)
            self._current.lose(f"engine process {self.pid} {reason}", has_hung=has_hung)


MAX_LINE_CHARACTERS: Final = 2000
MAX_LINES_PER_WINDOW: Final = 100
WINDOW_SECONDS: Final = 10.0
_CHUNK_BYTES: Final = 1 << 16


async def forward(stream: asyncio.StreamReader, pid: int) -> None:
    """Log each line of a process until the stream ends.

    If there are more lines than `_Rate` admits, drop and count the rest.
    """
    rate = _Rate()
    rest = b""
    while chunk := await stream.read(_CHUNK_BYTES):
        *lines, rest = (rest + chunk).split(b"\n")
        rest = rest[-_CHUNK_BYTES:]
        for line in lines:
            _write(line, pid, rate)
    if rest:
        _write(rest, pid, rate)


def _write(line: bytes, pid: int, rate: _Rate) -> None:
    text = line.decode(errors="replace").rstrip()
    if text and rate.admits():
        if rate.num_dropped:
            _log.warning(
                "engine %d: left out %d lines, because the process printed too many",
                pid,
                rate.num_dropped,
            )
            rate.num_dropped = 0
        _log.info("engine %d: %s", pid, text[:MAX_LINE_CHARACTERS])


class _Rate:
    """A counter that admits `MAX_LINES_PER_WINDOW` lines per window and counts the rest."""

    def __init__(self) -> None:
        self.num_dropped = 0
        self._num_admitted = 0
        self._window_end = 0.0

    def admits(self) -> bool:
        now = clock.now()
        if now >= self._window_end:
            self._window_end = now + WINDOW_SECONDS
            self._num_admitted = 0
        if self._num_admitted < MAX_LINES_PER_WINDOW:
            self._num_admitted += 1
            return True
        self.num_dropped += 1
        return False


def retrieve(task: asyncio.Task[WorkerProcess]) -> None:
    """Retrieve the task's exception, so that asyncio does not report it as never retrieved."""
    if not task.cancelled():
        task.exception()

"""Idle engine processes that have already imported everything, so that a short startclock suffices.

The first processes are started. Later ones are forked from a process with all imports.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
from abc import ABC, abstractmethod
from collections import deque
from typing import Final

from ggp.engine.errors import EngineError, WorkerLostError
from ggp.engine.process import WARM, Fork, WorkerProcess, environment, forward, retrieve
from ggp.engine.wire import MAX_LINE_BYTES
from ggp.log import ReportLine
from ggp.processes.children import OwnsProcesses, end_process, pipe_reader, start_with_socket
from ggp.processes.priority import ANSWERING, COMPUTING
from ggp.processes.tasks import cancel

_log = logging.getLogger(__name__)

MODULE: Final = "ggp.engine.worker"
KERNELS: Final = "kernels"


class WorkerPool(ABC):
    """A lender of unused processes. It reaps the processes that callers release.

    Attributes:
        is_closed: Whether the lender has stopped lending processes.
        num_replaced: Number of lent processes that died or hung and were replaced.
    """

    def __init__(self) -> None:
        self.is_closed = False
        self.num_replaced = 0
        self._alive: set[WorkerProcess] = set()
        self._closing: set[asyncio.Task[None]] = set()

    @abstractmethod
    async def acquire(self) -> WorkerProcess:
        """Return a process. It belongs to the caller from now on."""

    def release(self, worker: WorkerProcess) -> None:
        """Kill a process now and reap it in the background. Used processes are never reused."""
        worker.kill()
        task = asyncio.create_task(self._reap(worker))
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    def _lend(self, worker: WorkerProcess) -> WorkerProcess:
        self._alive.add(worker)
        if self.is_closed:
            worker.kill()
        return worker

    async def _reap(self, worker: WorkerProcess) -> None:
        await worker.close()
        self._alive.discard(worker)

    async def _reap_all(self) -> None:
        await asyncio.gather(*(worker.close() for worker in self._alive))
        await asyncio.gather(*self._closing)
        self._alive.clear()


class ForkServer(WorkerPool):
    """A lender of forked processes, which start at once. Unless `has_kernels`, they do not compile.

    It starts the forking process when it is first needed, and again if that process has died.
    """

    def __init__(self, *, has_kernels: bool = False) -> None:
        super().__init__()
        self._arguments = [KERNELS] if has_kernels else []
        self._niceness = COMPUTING if has_kernels else ANSWERING
        self._loading: asyncio.Task[None] | None = None
        self._loaded = asyncio.Event()
        self._process: asyncio.subprocess.Process | None = None
        self._control: socket.socket | None = None
        self._forwarding: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        """Process id of the forking process, or None if there is none."""
        return None if self._process is None else self._process.pid

    @property
    def is_loaded(self) -> bool:
        """Whether the forking process has loaded everything, so that its forks start at once."""
        return self._loaded.is_set()

    async def until_loaded(self) -> None:
        """Start the forking process if needed, and wait until it has loaded everything.

        Raises:
            EngineError: The fork server is closed.
            WorkerLostError: The system refuses to start a process, or the process died.
        """
        await self.start()
        waiting = asyncio.create_task(self._loaded.wait())
        watching = {self._loading} if self._loading is not None else set()
        await asyncio.wait({waiting, *watching}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if not self.is_loaded:
            raise WorkerLostError("the fork server ended before it had loaded")

    async def start(self) -> None:
        """Start the forking process unless it runs. Do not wait until it has imported anything.

        Raises:
            EngineError: The fork server is closed.
            WorkerLostError: The system refuses to start a process.
        """
        async with self._starting:
            if self.is_closed:
                raise EngineError("the fork server is closed")
            if self._process is not None and self._process.returncode is None:
                return
            await self._end()
            try:
                self._process, self._control = await start_with_socket(
                    *(MODULE, *self._arguments),
                    stderr=asyncio.subprocess.PIPE,
                    limit=MAX_LINE_BYTES,
                    environment=environment(),
                    niceness=self._niceness,
                )
            except OSError as error:
                raise WorkerLostError(f"cannot start an engine process: {error}") from error
            assert self._process.stderr is not None
            self._forwarding = asyncio.create_task(forward(self._process.stderr, self._process.pid))
            self._loading = asyncio.create_task(self._watch(self._control))

    async def acquire(self) -> WorkerProcess:
        """Return a forked process, which belongs to the caller. See `fork`."""
        return self._lend(await self.fork())

    async def fork(self) -> WorkerProcess:
        """Fork a process that another pool may lend. It takes requests once it is ready.

        Raises:
            EngineError: The fork server is closed.
            WorkerLostError: The system refuses to start a process.
        """
        await self.start()
        assert self._control is not None
        ours, theirs = socket.socketpair()
        printed, printing = os.pipe()
        try:
            with theirs:
                socket.send_fds(self._control, [b"f"], [theirs.fileno(), printing])
            reader, writer = await asyncio.open_unix_connection(sock=ours, limit=MAX_LINE_BYTES)
        except OSError as error:
            ours.close()
            os.close(printed)
            raise WorkerLostError(f"cannot fork an engine process: {error}") from error
        finally:
            os.close(printing)
        return WorkerProcess(Fork(reader, writer, await pipe_reader(printed, MAX_LINE_BYTES)))

    async def close(self) -> None:
        """End all processes."""
        self.is_closed = True
        async with self._starting:
            await self._end()
        await self._reap_all()

    async def _watch(self, control: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        with contextlib.suppress(OSError):
            while await loop.sock_recv(control, 1):
                self._loaded.set()
                if self._arguments:
                    _log.info(WARM, self.pid)
        self._loaded.clear()

    async def _end(self) -> None:
        """End the forking process. The processes that it forked live on."""
        await cancel(self._loading)
        self._loaded.clear()
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            await end_process(self._process)
        if self._forwarding is not None:
            await self._forwarding
        self._process = self._control = self._forwarding = None


class EnginePool(WorkerPool, OwnsProcesses):
    """A pool that lends warm processes, replaces them, and reaps every process that it started.

    async with EnginePool() as pool:
        await pool.start(num_warm=2)

    Attributes:
        forks: Lends the standby processes, which follow a match next to its engine.
    """

    def __init__(self, tell: ReportLine = _log.info) -> None:
        """Create a pool without processes.

        Args:
            tell: Called with a text if something takes long, such as compiling after an install.
        """
        super().__init__()
        self._tell = tell
        self.forks = ForkServer()
        self._ready = ForkServer(has_kernels=True)
        self._reported: set[str] = set()
        self._waiting: deque[asyncio.Task[WorkerProcess]] = deque()
        self._num_warm = 0
        self._first_start = asyncio.Lock()

    async def start(self, num_warm: int = 1) -> None:
        """Start `num_warm` idle processes. Return when all can take a command.

        They can play before they are warm, but more slowly.

        Raises:
            WorkerLostError: A process does not start.
        """
        self._num_warm = num_warm
        self._waiting.extend(self._warm_up() for _ in range(num_warm))
        await asyncio.gather(*map(asyncio.shield, self._waiting))

    async def start_once(self, num_warm: int = 1) -> None:
        """Start `num_warm` processes on the first call. Later calls wait for them and start none.

        Raises:
            WorkerLostError: A process does not start.
        """
        async with self._first_start:
            if not self._num_warm:
                await self.start(num_warm)

    async def until_loaded(self, seconds: float) -> None:
        """Wait up to `seconds` for the idle processes to load, but not for kernels to be compiled.

        A match without a server needs this, because its processes have only just been started.
        """
        with contextlib.suppress(TimeoutError, WorkerLostError):
            async with asyncio.timeout(seconds):
                workers = await asyncio.gather(*map(asyncio.shield, self._waiting))
                await asyncio.gather(*(worker.until_loaded() for worker in workers))

    async def load_ahead(self) -> None:
        """Once the idle processes are warm, start the process from which later ones are forked.

        Otherwise it would load during the first match, on the core that compiles the game.
        """
        with contextlib.suppress(WorkerLostError):
            workers = await asyncio.gather(*map(asyncio.shield, self._waiting))
            await asyncio.gather(*(worker.until_warm() for worker in workers))
            await self._ready.start()

    async def acquire(self) -> WorkerProcess:
        """Return a process that belongs to the caller from now on, a warm one if possible.

        Once a process has loaded the kernels, later processes are forked from it.

        Raises:
            EngineError: The pool is closed.
            WorkerLostError: No process starts.
        """
        if self.is_closed:
            raise EngineError("the engine pool is closed")
        if not self._waiting and self._ready.is_loaded:
            worker = self._lend(await self._ready.fork())
            try:
                await worker.until_awake()
            except BaseException:  # the process is lost, or the caller was cancelled
                self.release(worker)
                raise
            return worker
        task = self._waiting.popleft() if self._waiting else self._warm_up()
        try:
            worker = await asyncio.shield(task)
        except asyncio.CancelledError:
            self._waiting.appendleft(task)
            raise
        if self._num_warm:
            await self._ready.start()
        return worker if worker.is_alive else await self.acquire()

    async def close(self) -> None:
        """Kill and reap all processes, including lent ones."""
        self.is_closed = True
        # A process whose start is cancelled midway could get lost. One that has started is in
        # `_alive`.
        for worker in self._alive:
            worker.kill()
        await asyncio.gather(self.forks.close(), self._ready.close())
        await asyncio.gather(*self._waiting, return_exceptions=True)
        await self._reap_all()
        self._waiting.clear()

    def _warm_up(self) -> asyncio.Task[WorkerProcess]:
        task = asyncio.create_task(self._spawn())
        task.add_done_callback(retrieve)
        return task

    async def _spawn(self) -> WorkerProcess:
        worker = self._lend(await WorkerProcess.spawn(self._tell_once))
        await worker.until_awake()
        return worker

    def _tell_once(self, text: str) -> None:
        if text not in self._reported:
            self._reported.add(text)
            self._tell(text)

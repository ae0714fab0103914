"""Engine processes that wait with their imports loaded, so that a short startclock suffices."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque

from ggp.engine.errors import EngineError, WorkerLostError
from ggp.engine.fork_server import ForkServer
from ggp.engine.process import Tell, WorkerProcess
from ggp.processes.children import OwnsProcesses

_log = logging.getLogger(__name__)


class EnginePool(OwnsProcesses):
    """Hands out warm processes and replaces them; reaps every process that it has started.

    async with EnginePool() as pool:
        await pool.start(num_warm=2)

    Attributes:
        forks: Lends the processes that follow a match beside its player.
    """

    def __init__(self, tell: Tell = _log.info) -> None:
        """A pool without processes.

        Args:
            tell: Called with what takes long, such as compiling once after an install.
        """
        self._tell = tell
        self.forks = ForkServer()
        self._ready = ForkServer(has_kernels=True)
        self._told: set[str] = set()
        self._waiting: deque[asyncio.Task[WorkerProcess]] = deque()
        self._alive: set[WorkerProcess] = set()
        self._closing: set[asyncio.Task[None]] = set()
        self._num_warm = 0
        self._first_start = asyncio.Lock()
        self._is_closed = False

    @property
    def is_closed(self) -> bool:
        """Whether it has been closed, or is being closed."""
        return self._is_closed

    async def start(self, num_warm: int = 1) -> None:
        """Start the processes that are to wait; returns when all can take a command.

        They play before they are warm, by slower means.

        Raises:
            WorkerLostError: A process does not start.
        """
        self._num_warm = num_warm
        self._waiting.extend(self._warm_up() for _ in range(num_warm))
        await asyncio.gather(*map(asyncio.shield, self._waiting))

    async def start_once(self, num_warm: int = 1) -> None:
        """As `start` the first time; whoever comes later waits for those, and starts no others.

        Raises:
            WorkerLostError: A process does not start.
        """
        async with self._first_start:
            if not self._num_warm:
                await self.start(num_warm)

    async def until_loaded(self, seconds: float) -> None:
        """Wait so long at most until the processes that wait are warm, unless that takes a minute.

        Whoever starts a match by itself has nobody who started a server long before.
        """
        with contextlib.suppress(TimeoutError, WorkerLostError):
            async with asyncio.timeout(seconds):
                workers = await asyncio.gather(*map(asyncio.shield, self._waiting))
                await asyncio.gather(*(worker.until_loaded() for worker in workers))

    async def load_ahead(self) -> None:
        """Once those that wait are warm, load what later ones are forked from.

        Else that begins with the first match, and takes its core while it compiles the game.
        """
        with contextlib.suppress(WorkerLostError):
            workers = await asyncio.gather(*map(asyncio.shield, self._waiting))
            await asyncio.gather(*(worker.until_warm() for worker in workers))
            await self._ready.start()

    async def take(self) -> WorkerProcess:
        """A process, warm if one is, from now on the caller's.

        Those that follow are forked from one that has loaded the kernels, once it has.

        Raises:
            EngineError: The pool is closed.
            WorkerLostError: No process starts.
        """
        if self._is_closed:
            raise EngineError("the engine pool is closed")
        if not self._waiting and self._ready.is_loaded:
            worker = await self._ready.take()
            try:
                await worker.until_awake()
            except BaseException:  # lost, or nobody wants it any more
                self._ready.give_back(worker)
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
        return worker if worker.is_alive else await self.take()

    def give_back(self, worker: WorkerProcess) -> None:
        """Kill a process now; it is reaped in the background. A used one never serves again."""
        if self._ready.owns(worker):
            self._ready.give_back(worker)
            return
        worker.kill()
        task = asyncio.create_task(self._reap(worker))
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def close(self) -> None:
        """Kill and reap all processes, those handed out too."""
        self._is_closed = True
        # A process whose start is cancelled half-way could get lost; a started one is in `_alive`.
        for worker in self._alive:
            worker.kill()
        await asyncio.gather(self.forks.close(), self._ready.close())
        await asyncio.gather(*self._waiting, return_exceptions=True)
        await asyncio.gather(*(worker.close() for worker in self._alive))
        await asyncio.gather(*self._closing)
        self._waiting.clear()
        self._alive.clear()

    def _warm_up(self) -> asyncio.Task[WorkerProcess]:
        task = asyncio.create_task(self._spawn())
        task.add_done_callback(_retrieve)
        return task

    async def _spawn(self) -> WorkerProcess:
        worker = await WorkerProcess.spawn(self._tell_once)
        self._alive.add(worker)
        if self._is_closed:
            worker.kill()
        await worker.until_awake()
        return worker

    def _tell_once(self, text: str) -> None:
        if text not in self._told:
            self._told.add(text)
            self._tell(text)

    async def _reap(self, worker: WorkerProcess) -> None:
        await worker.close()
        self._alive.discard(worker)


def _retrieve(task: asyncio.Task[WorkerProcess]) -> None:
    """Look at the outcome, so that a start that nobody waits for is no loose end."""
    if not task.cancelled():
        task.exception()

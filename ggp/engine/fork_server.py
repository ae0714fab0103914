"""Lends processes that are there at once: they are forked from one that has imported everything."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
from typing import Final

from ggp.engine.errors import EngineError, WorkerLostError
from ggp.engine.process import WARM, Fork, WorkerProcess, forward
from ggp.engine.wire import MAX_LINE_BYTES
from ggp.processes.children import end_process, pipe_reader, start_with_socket

_log = logging.getLogger(__name__)

MODULE: Final = "ggp.engine.worker"
KERNELS: Final = "kernels"


class ForkServer:
    """Starts the process that forks when it is first needed, and anew if it has died.

    The processes that it lends know the rules of no match, and without kernels they interpret.

    Attributes:
        is_loaded: Whether a process that it lends has at once all that it is to have.
    """

    def __init__(self, *, has_kernels: bool = False) -> None:
        self._arguments = [KERNELS] if has_kernels else []
        self._loading: asyncio.Task[None] | None = None
        self.is_loaded = False
        self._process: asyncio.subprocess.Process | None = None
        self._control: socket.socket | None = None
        self._forwarding: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._alive: set[WorkerProcess] = set()
        self._closing: set[asyncio.Task[None]] = set()
        self.is_closed = False

    @property
    def pid(self) -> int | None:
        """The process that forks; None as long as there is none."""
        return None if self._process is None else self._process.pid

    async def start(self) -> None:
        """Start the process that forks, unless it runs; returns before that has imported anything.

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
                )
            except OSError as error:
                raise WorkerLostError(f"cannot start an engine process: {error}") from error
            assert self._process.stderr is not None
            self._forwarding = asyncio.create_task(forward(self._process.stderr, self._process.pid))
            self._loading = asyncio.create_task(self._watch(self._control))

    async def take(self) -> WorkerProcess:
        """A process, from now on the caller's; what it is asked waits until it can take it up.

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
        worker = WorkerProcess(Fork(reader, writer, await pipe_reader(printed, MAX_LINE_BYTES)))
        self._alive.add(worker)
        if self.is_closed:
            worker.kill()
        return worker

    def owns(self, worker: WorkerProcess) -> bool:
        """Whether a process is one of these."""
        return worker in self._alive

    def give_back(self, worker: WorkerProcess) -> None:
        """Kill a process now."""
        worker.kill()
        task = asyncio.create_task(self._reap(worker))
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def close(self) -> None:
        """End all processes."""
        self.is_closed = True
        async with self._starting:
            await self._end()
        await asyncio.gather(*(worker.close() for worker in self._alive))
        await asyncio.gather(*self._closing)
        self._alive.clear()

    async def _watch(self, control: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        with contextlib.suppress(OSError):
            while await loop.sock_recv(control, 1):
                self.is_loaded = True
                if self._arguments:
                    _log.info(WARM, self.pid)
        self.is_loaded = False

    async def _end(self) -> None:
        """End the process that forks; those that it has forked live on."""
        if self._loading is not None:
            self._loading.cancel()
            await asyncio.gather(self._loading, return_exceptions=True)
        self.is_loaded = False
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            await end_process(self._process)
        if self._forwarding is not None:
            await self._forwarding
        self._process = self._control = self._forwarding = None

    async def _reap(self, worker: WorkerProcess) -> None:
        await worker.close()
        self._alive.discard(worker)

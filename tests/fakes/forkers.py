"""Engine processes of tests are forked from two that have loaded what they need, once for all.

The first processes of a pool start Python anew and import everything, which takes longer than all
that most tests ask of them. Here they come from where the later ones of a pool come from, a process
that forks (`ggp.engine.worker`), and all pools share that.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from ggp.engine.errors import EngineError
from ggp.engine.process import WorkerProcess
from ggp.engine.process_pool import KERNELS, MODULE, ForkServer
from ggp.log import ReportLine
from tests.kernel_use import require_kernels
from tests.shared import REPOSITORY

OWN = {
    (ForkServer, "start"): ForkServer.start,
    (ForkServer, "_end"): ForkServer._end,
    (WorkerProcess, "spawn"): WorkerProcess.__dict__["spawn"],
}
"""The methods by which a pool starts processes of its own."""


class Forker:
    """A process that forks engine processes; it starts when it is first asked for one."""

    def __init__(self, *arguments: str) -> None:
        self._arguments = arguments
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    @property
    def pid(self) -> int:
        """The process id of the process that forks."""
        self.control()
        assert self._process is not None
        return self._process.pid

    def control(self) -> socket.socket:
        """The socket on which it is asked; it has loaded all by then."""
        if self._control is None:
            if KERNELS in self._arguments:
                require_kernels("an engine process")
            self._control, theirs = socket.socketpair()
            number = str(theirs.fileno())
            with theirs:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-m", MODULE, number, *self._arguments],
                    env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
                    stdin=subprocess.DEVNULL,
                    pass_fds=(theirs.fileno(),),
                )
            assert self._control.recv(1), "the process that forks has died"
            self._control.setblocking(False)
        return self._control

    def close(self) -> None:
        """End it, and with it those that it has forked."""
        if self._control is not None and self._process is not None:
            self._control.close()
            self._process.wait()


@contextmanager
def shared_forkers() -> Iterator[dict[str, Forker]]:
    """Have all pools share these, inside the `with`."""
    forkers = {"": Forker(), KERNELS: Forker(KERNELS)}

    async def start(server: ForkServer) -> None:
        if server.is_closed:
            raise EngineError("the fork server is closed")
        server._control = forkers["".join(server._arguments)].control()
        server._loaded.set()

    async def end(server: ForkServer) -> None:
        server._control = None
        server._loaded.clear()

    async def spawn(_: type[WorkerProcess], tell: ReportLine = print) -> WorkerProcess:
        worker = await ForkServer(has_kernels=True).acquire()
        worker._tell = tell
        return worker

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ForkServer, "start", start)
        patch.setattr(ForkServer, "_end", end)
        patch.setattr(WorkerProcess, "spawn", classmethod(spawn))
        yield forkers
    for forker in forkers.values():
        forker.close()

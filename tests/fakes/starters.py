"""Starters of submissions' processes in tests are forked from one that has imported all.

`ggp.submission.starter.Starter` starts Python anew, which takes longer than all that most tests ask
of it. Here the first process of each starter comes from a process that forks.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from ggp.submission.starter import CACHE_VARIABLES, KERNELS, Starter
from tests.kernel_use import require_kernels
from tests.shared import REPOSITORY
from tests.waiting import ended, wait_for_end

MODULE: Final = "tests.fakes.starters"
OPEN, END_FIRST = Starter._open, Starter._end_first
_zygotes: dict[bool, Zygote] = {}
"""Of this process, by whether they have loaded kernels; each ends with this process."""


@dataclass(frozen=True, slots=True)
class First:
    """The first process of a starter."""

    pid: int

    async def wait(self) -> None:
        """Wait until it has ended."""
        await ended(self.pid)


class Zygote:
    """A process that forks first processes of starters."""

    def __init__(self, *, has_kernels: bool) -> None:
        self._control, theirs = socket.socketpair()
        kept = ("PATH", "HOME", "LANG", *(CACHE_VARIABLES if has_kernels else ()))
        environment = {name: os.environ[name] for name in kept if name in os.environ}
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", MODULE, str(theirs.fileno())]
                + ([KERNELS] if has_kernels else []),
                env=environment
                | {"PYTHONPATH": str(REPOSITORY), "PYTHONHASHSEED": "0"}
                | dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"),
                stdin=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
            )
        assert self._control.recv(1), "the process that forks has died"

    def fork(self) -> tuple[First, socket.socket]:
        """Return a new process, and the socket on which it is asked."""
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self._control, [b"fork"], [theirs.fileno()])
        ours.setblocking(False)
        return First(int(self._control.recv(32))), ours

    def children(self) -> list[int]:
        """Return the first processes that have not ended."""
        tasks = Path(f"/proc/{self._process.pid}/task").glob("*/children")
        return [int(one) for task in tasks for one in task.read_text().split()]


def num_left() -> int:
    """Return the number of first processes that have not ended; they end after all they started."""
    return sum(len(zygote.children()) for zygote in _zygotes.values())


@contextmanager
def shared_starters() -> Iterator[None]:
    """Have starters fork their first processes, inside the `with`."""

    async def start(starter: Starter) -> None:
        if starter._has_kernels:
            require_kernels("a submission that plays compiled games")
        if starter._has_kernels not in _zygotes:
            _zygotes[starter._has_kernels] = Zygote(has_kernels=starter._has_kernels)
        process, starter._control = _zygotes[starter._has_kernels].fork()
        starter._process = process  # type: ignore[assignment]

    async def end_first(starter: Starter) -> None:
        process, control, starter._process, starter._control = (
            *(starter._process, starter._control),
            *(None, None),
        )
        if control is not None:
            control.close()
        if process is not None:
            await asyncio.to_thread(_end, process.pid)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Starter, "_open", start)
        patch.setattr(Starter, "_end_first", end_first)
        yield


def _end(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    wait_for_end(pid)


def _reap(*_: object) -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def main() -> None:
    """Fork a first process for each socket that comes, until the control is closed."""
    from ggp.submission.__main__ import Forker, _load_kernels

    if sys.argv[2:] == [KERNELS]:
        _load_kernels()
    control = socket.socket(fileno=int(sys.argv[1]))
    signal.signal(signal.SIGCHLD, _reap)
    control.sendall(b"!")
    while (found := socket.recv_fds(control, 32, 1))[0]:
        [theirs] = found[1]
        pid = os.fork()
        if pid == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            control.close()
            Forker(socket.socket(fileno=theirs)).serve()
            os._exit(0)
        os.close(theirs)
        control.sendall(b"%d" % pid)


if __name__ == "__main__":
    main()

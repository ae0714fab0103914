"""Compiling kernels ahead of time: all that a room has, by several processes, once for everybody.

numba compiles one kernel after another in a process, so each process compiles a part. Whoever needs
the kernels while others compile them waits, and finds them on the disk.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

LOOK_SECONDS = 0.2  # between two looks at what another process compiles

_COMPLETE = "complete"
_LOCK = "lock"
_APART = "apart"

_log = logging.getLogger(__name__)


def compile_once(
    folder: Path | None,
    module: str,
    parts: Sequence[str],
    announce: Callable[[], None] = lambda: None,
) -> None:
    """Have kernels compiled, unless they have been.

    Args:
        folder: Where it is noted that they are complete, in the cache of kernels; without it each
            process compiles for itself, when it needs a kernel.
        module: `python -m MODULE PART` compiles a part of them.
    """
    if folder is None:
        return
    with _one_at_a_time(folder):
        # Who had to wait here finds what another process has compiled.
        if is_complete(folder):
            return
        announce()
        compilers = [_start(module, part) for part in parts]
        statuses = [compiler.wait() for compiler in compilers]
        if any(statuses):
            _log.warning("%s: the kernels could not be compiled ahead of time", module)
        else:
            (folder / _COMPLETE).touch()


def is_complete(folder: Path | None) -> bool:
    """Whether the kernels noted in a folder have all been compiled."""
    return folder is not None and (folder / _COMPLETE).exists()


def compile_apart(folder: Path | None, module: str, is_done: Callable[[], bool]) -> None:
    """Have kernels compiled by a process that lives on if this one does not; wait for it.

    What it compiles is there for the next process, however soon this one ends. It has the priority
    of those that play: with less it might never end beside them. There is one such process at a
    time.

    Args:
        folder: Where the lock lies; without a folder nothing is done.
        module: `python -m MODULE` compiles them.
    """
    if folder is None:
        return
    with (folder / _APART).open("w") as lock:
        while not is_done():
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(LOOK_SECONDS)
                continue
            if not is_done() and _start_apart(module, lock.fileno()).wait():
                _log.warning("%s: the kernels could not be compiled ahead of time", module)
            return


def _start(module: str, part: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - ours
        [sys.executable, "-P", "-m", module, part], env=_environment(), stdin=subprocess.DEVNULL
    )


def _start_apart(module: str, lock: int) -> subprocess.Popen[bytes]:
    """A process that compiles all, and holds a lock for as long as it lives."""
    nothing = subprocess.DEVNULL
    return subprocess.Popen(  # noqa: S603 - ours
        [sys.executable, "-P", "-m", module],
        env=_environment(),
        pass_fds=(lock,),
        start_new_session=True,
        stdin=nothing,
        stdout=nothing,
        stderr=nothing,
    )


def _environment() -> dict[str, str]:
    """The environment of this process; sources are found where it finds them."""
    paths = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
    return os.environ | {"PYTHONPATH": paths}


@contextlib.contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    with (folder / _LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield

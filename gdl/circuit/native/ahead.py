"""Compiling kernels ahead of time: all that a room has, by several processes, once for everybody.

numba compiles one kernel after another in a process, so each process compiles a part. Whoever needs
the kernels while others compile them waits, and finds them on the disk.
"""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

_COMPLETE = "complete"
_LOCK = "lock"

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
        parts: All parts.
        announce: Is called before that happens.
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


def _start(module: str, part: str) -> subprocess.Popen[bytes]:
    """A process that compiles a part, of the same sources as this one's."""
    command = [sys.executable, "-P", "-m", module, part]
    paths = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
    environment = os.environ | {"PYTHONPATH": paths}
    return subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL)  # noqa: S603 - ours


@contextlib.contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    """Let no other process be here."""
    import fcntl

    with (folder / _LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield

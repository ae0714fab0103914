"""Confinement of this process: its limits, and what it may ask of the kernel."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import struct
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ggp.submission.confinement import landlock, seccomp
from ggp.submission.confinement.syscalls import ARCHITECTURES

MEBIBYTE: Final = 1 << 20
_END_WITH_PARENT, _SET_DUMPABLE, _NO_NEW_PRIVILEGES = 1, 4, 38  # of prctl(2)
_SIGKILL: Final = 9
_CAPABILITIES_VERSION: Final = 0x20080522
_STATM: Final = Path("/proc/self/statm")


@dataclass(frozen=True, slots=True)
class Limits:
    """Resources that a process may take."""

    memory_bytes: int = 512 * MEBIBYTE
    """Address space beyond what it has when it is confined."""
    cpu_seconds: int = 3600
    open_files: int = 64


@dataclass(frozen=True, slots=True)
class Confinement:
    """The walls that stand around a process; of those that the kernel lacks, why they do not."""

    system_calls: str = ""
    """Why there is no filter of system calls; empty if there is one."""
    files: str = ""
    """Why Landlock keeps it from no files; empty if it does."""

    @property
    def gaps(self) -> tuple[str, ...]:
        """Sentences on what is missing; none if all is there."""
        found = []
        if self.system_calls:
            found.append(
                f"no filter of system calls ({self.system_calls}): "
                "the network and other processes are in reach"
            )
        if self.files:
            found.append(
                f"no Landlock ({self.files}): all files that you can read can be read"
                + (", and those written that you can write" if self.system_calls else "")
            )
        return tuple(found)


def is_possible() -> bool:
    """Whether the kernel of this machine can confine anything."""
    return sys.platform == "linux" and os.uname().machine in ARCHITECTURES


def confine(limits: Limits, readable: Sequence[Path], writable: Sequence[Path]) -> Confinement:
    """Confine this process for good; it must have no other thread.

    Without Landlock it may open any file for reading, and none for writing.

    Args:
        limits: What it may take.
        readable: Files, and folders with all that is in them, that it may read.
        writable: Files that it may write as well.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    _prctl(libc, _END_WITH_PARENT, _SIGKILL)
    _prctl(libc, _SET_DUMPABLE, 0)  # no core file, and nobody of its kind may trace it
    _give_up_capabilities(libc)
    set_limits(limits)
    if _prctl(libc, _NO_NEW_PRIVILEGES, 1):
        reason = os.strerror(ctypes.get_errno())
        return Confinement(reason, reason)
    files = landlock.restrict(readable, writable)
    made = seccomp.program(os.uname().machine, os.getpid(), reads_only=bool(files))
    system_calls = seccomp.install(made)
    if system_calls:  # then nothing but this keeps it from starting others
        _limit(resource.RLIMIT_NPROC, 0)
    return Confinement(system_calls, files)


def set_limits(limits: Limits) -> None:
    """Set the limits of this process that any POSIX system has."""
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_NOFILE, limits.open_files)
    _limit(resource.RLIMIT_CPU, limits.cpu_seconds)
    _limit(resource.RLIMIT_AS, _taken_bytes() + limits.memory_bytes)


def _limit(which: int, value: int) -> None:
    _, hard = resource.getrlimit(which)
    bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
    with contextlib.suppress(OSError, ValueError):  # macOS has no bound of the address space
        resource.setrlimit(which, (bound, bound))


def _prctl(libc: ctypes.CDLL, option: int, value: int) -> int:
    return int(libc.prctl(option, *(ctypes.c_ulong(one) for one in (value, 0, 0, 0))))


def _taken_bytes() -> int:
    try:
        return int(_STATM.read_text().split()[0]) * resource.getpagesize()
    except OSError:
        return 0


def _give_up_capabilities(libc: ctypes.CDLL) -> None:
    """What root may do beyond others; without effect for others."""
    header = struct.pack("=Ii", _CAPABILITIES_VERSION, 0)
    libc.capset(header, struct.pack("=6I", *[0] * 6))

"""Permanent confinement of this process by the Linux kernel: limits, system calls and files.

Landlock denies access to files (Linux 5.13 and later):
https://docs.kernel.org/userspace-api/landlock.html
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import site
import struct
import sys
import sysconfig
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import gdl
import ggp
from ggp import games
from ggp.processes.machine import used_bytes
from ggp.submission import seccomp
from ggp.submission.seccomp import ARCHITECTURES

MEBIBYTE: Final = 1 << 20
THREAD_STACK_BYTES: Final = 4 * MEBIBYTE
"""Stack size of a thread. The stacks of all threads together take half of the memory limit."""
_MALLOPT_ARENAS: Final = -8
_SET_DUMPABLE, _NO_NEW_PRIVILEGES = 4, 38  # of prctl(2)
_CAPABILITIES_VERSION: Final = 0x20080522
_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446  # same on all architectures
_ASK_VERSION, _BENEATH_PATH = 1, 1
_WRITE_FILE, _READ_FILE, _READ_FOLDER = 1 << 1, 1 << 2, 1 << 3
_RIGHTS_OF_FILES: Final = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
"""Bit masks of the rights to files that Landlock can deny, by the first version that can."""
_NETWORK_SINCE, _NETWORK = 4, 0b11
"""The first Landlock version that can deny TCP, and the rights to bind and to connect."""
_SCOPES_SINCE, _SCOPES = 6, 0b11
"""The first Landlock version with scopes, and their bits: abstract Unix sockets, and signals to
processes outside.
"""
_SYSTEM: Final = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo"),
    *("/etc/ld.so.cache", "/etc/localtime", "/dev/urandom", "/dev/random", "/dev/zero"),
    *("/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu"),
)
_WRITABLE: Final = ("/dev/null",)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on the resources of a process."""

    memory_bytes: int = 512 * MEBIBYTE
    """Address space in addition to what the process has when it is confined."""
    cpu_seconds: int = 3600
    open_files: int = 64


@dataclass(frozen=True, slots=True)
class Confinement:
    """Why the Linux kernel does not fully confine a process. An empty text means that it does."""

    system_calls: str = ""
    files: str = ""
    threads: str = ""

    @property
    def gaps(self) -> tuple[str, ...]:
        """Sentences that describe the missing protections."""
        found = []
        if self.system_calls:
            found.append(
                f"no filter of system calls ({self.system_calls}): "
                "the network and other processes can be reached"
            )
        if self.files:
            found.append(
                f"no Landlock ({self.files}): all files that you can read can be read"
                + (", and all that you can write can be written" if self.system_calls else "")
            )
        if self.threads and not self.system_calls:
            found.append(f"threads cannot be counted ({self.threads}): none can be started")
        return tuple(found)


def is_possible() -> bool:
    """Return whether this machine runs Linux on an architecture that can be confined."""
    return sys.platform == "linux" and os.uname().machine in ARCHITECTURES


def confine(
    limits: Limits,
    readable: Sequence[Path],
    writable: Sequence[Path],
    hand_over: Callable[[int], None],
) -> Confinement:
    """Confine this process permanently. It must have no other thread.

    Without Landlock it may open any file for reading, but none for writing. Without a supervisor it
    cannot start threads.

    Args:
        readable: Files, and folders with everything in them. Missing ones are ignored.
        writable: Files that may be read and written.
        hand_over: Called with the descriptor on which the Linux kernel's requests arrive. It must
            pass the descriptor to a supervisor.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    _prctl(libc, _SET_DUMPABLE, 0)  # no core file, and no tracing by other processes of this user
    _give_up_capabilities(libc)
    set_limits(limits)
    if _prctl(libc, _NO_NEW_PRIVILEGES, 1):
        reason = os.strerror(ctypes.get_errno())
        return Confinement(reason, reason)
    machine, pid = os.uname().machine, os.getpid()
    listener, threads = seccomp.install_with_listener(seccomp.supervised_program(machine, pid))
    if not threads:
        hand_over(listener)
        os.close(listener)
    files = _restrict(libc, readable, writable)
    made = seccomp.program(machine, pid, reads_only=bool(files), is_supervised=not threads)
    system_calls = seccomp.install(made)
    if system_calls:  # without a filter, only this limit keeps the process from starting others
        _limit(resource.RLIMIT_NPROC, 0)
    return Confinement(system_calls, files, threads)


def set_limits(limits: Limits) -> None:
    """Set the limits of this process that every POSIX system supports."""
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_NOFILE, limits.open_files)
    _limit(resource.RLIMIT_CPU, limits.cpu_seconds)
    _keep_threads_small()
    _limit(resource.RLIMIT_AS, used_bytes() + limits.memory_bytes)


def _keep_threads_small() -> None:
    """Let new threads use less address space than the usual 8 MiB each, plus 64 MiB with glibc."""
    threading.stack_size(THREAD_STACK_BYTES)
    with contextlib.suppress(AttributeError):  # other C libraries have no arenas
        ctypes.CDLL(None).mallopt(_MALLOPT_ARENAS, 1)


def _limit(which: int, value: int) -> None:
    _, hard = resource.getrlimit(which)
    bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
    with contextlib.suppress(OSError, ValueError):  # macOS has no limit on the address space
        resource.setrlimit(which, (bound, bound))


def _prctl(libc: ctypes.CDLL, option: int, value: int) -> int:
    return int(libc.prctl(option, *(ctypes.c_ulong(one) for one in (value, 0, 0, 0))))


def _give_up_capabilities(libc: ctypes.CDLL) -> None:
    """Drop the capabilities of root. This has no effect for other users."""
    header = struct.pack("=Ii", _CAPABILITIES_VERSION, 0)
    libc.capset(header, struct.pack("=6I", *[0] * 6))


def landlock_version() -> int:
    """Return the version of Landlock, or 0 if the Linux kernel lacks it or it is disabled."""
    libc = ctypes.CDLL(None, use_errno=True)
    return max(0, int(libc.syscall(_CREATE, None, ctypes.c_size_t(0), ctypes.c_long(_ASK_VERSION))))


def _restrict(libc: ctypes.CDLL, readable: Sequence[Path], writable: Sequence[Path]) -> str:
    """Let Landlock deny access to all files except the given ones. Return why that failed, or "".

    This affects only this thread and its children, so there must be no other thread. no_new_privs
    must be set.
    """
    found = landlock_version()
    if not found:
        return "the Linux kernel has no Landlock, or it is switched off"
    handled = _RIGHTS_OF_FILES[max(known for known in _RIGHTS_OF_FILES if known <= found)]
    attributes = struct.pack("=Q", handled)
    if found >= _NETWORK_SINCE:
        attributes += struct.pack("=Q", _NETWORK)
    if found >= _SCOPES_SINCE:
        attributes += struct.pack("=Q", _SCOPES)
    rules = libc.syscall(_CREATE, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_long(0))
    if rules < 0:
        return os.strerror(ctypes.get_errno())
    try:
        for path in readable:
            _allow(libc, rules, path, _READ_FILE)
        for path in writable:
            _allow(libc, rules, path, _READ_FILE | _WRITE_FILE)
        refused = libc.syscall(_RESTRICT, ctypes.c_long(rules), ctypes.c_long(0))
        return os.strerror(ctypes.get_errno()) if refused else ""
    finally:
        os.close(rules)


def _allow(libc: ctypes.CDLL, rules: int, path: Path, rights: int) -> None:
    """Add a Landlock rule that grants `rights` to a path. If that fails, the path stays denied."""
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if path.is_dir():
            rights |= _READ_FOLDER
        rule = struct.pack("=Qi", rights, place)
        libc.syscall(_ADD_RULE, ctypes.c_long(rules), _BENEATH_PATH, rule, ctypes.c_long(0))
    finally:
        os.close(place)


def readable() -> list[Path]:
    """Return the paths that every submission may read: Python, packages and this program."""
    paths = sysconfig.get_paths()
    folders = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    libraries = Path(sys.base_prefix) / "lib"
    # /usr/local/lib contains Python if it was built from source, and little else.
    folders += [str(libraries), *site.getsitepackages()]
    if site.ENABLE_USER_SITE:
        folders.append(site.getusersitepackages())
    own = [str(Path(package.__file__ or "").parent) for package in (gdl, ggp)]
    found = [*_SYSTEM, *folders, *own, str(games.folder()), *_WRITABLE]
    return [Path(one) for one in dict.fromkeys(found) if Path(one).exists()]


def is_within(path: str, places: Sequence[Path]) -> bool:
    """Return whether a path is one of the paths in `places`, or inside one of them."""
    own = Path(path)
    return any(own == place or place in own.parents for place in places)


def writable() -> list[Path]:
    """Return the files that every submission may write."""
    return [Path(one) for one in _WRITABLE]

"""The folder in which numba caches the machine code of kernels, and compiling ahead of time.

numba loads a kernel from the disk if the file that defines it is unchanged, even if a function that
it calls, from another file, has changed. So the folder is named after everything that shapes a
kernel: our sources, numba, LLVM and the processor. It is not named after the location of the
sources, so a clone and an installed package with the same sources share it. The least recently used
folders are removed. Code in the folder is run, so a folder that is not safe (see `gdl.cache`) is
not used. Each process then compiles the kernels for itself.

numba compiles the kernels in a process one after another. To save time, several processes each
compile a part of the kernels ahead of time. A process that needs the kernels meanwhile waits until
they are compiled, and then loads them from the disk.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import logging
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
from llvmlite import binding

from gdl.cache import folder, key, stamp

KEPT = 4  # folders, for a few versions, or for a few kinds of processors that share a disk

_config: Any = numba.config

_log = logging.getLogger(__name__)


@cache
def kernel_folder() -> Path | None:
    """Return the folder of this process's kernels, or None if kernels are not cached.

    It does not change while the process runs.
    """
    return _folder_of(processor_key("kernels"), "kernels")


@cache
def folder_of_package(package: Path, name: str) -> Path | None:
    """Return the folder for the kernels of another package, or None if they are not cached.

    Args:
        package: The folder of its sources. Packages inside it do not count.
        name: The name by which it is imported. Other versions of it have their folders next to this
            one.
    """
    if not name:  # a script, which has no name
        name = key("package", str(package)).partition(".")[0]
    return folder_of_packages((package,), name)


@cache
def folder_of_packages(packages: tuple[Path, ...], name: str) -> Path | None:
    """Return the folder for the kernels of several packages under one name.

    Return None if they are not cached.
    """
    try:
        sources = sorted(path for package in packages for path in package.glob("*.py"))
        texts = [part for path in sources for part in (path.name.encode(), path.read_bytes())]
    except OSError as error:
        _log.debug("kernels of %s are not cached: %s", name, error)
        return None
    if not sources:  # the function was typed at a prompt
        return None
    return _folder_of(processor_key("kernels", name, *texts), "packages", name)


def _folder_of(name: str, *parts: str) -> Path | None:
    """Return a folder for machine code. Create it if necessary, and record that it is used now.

    If there are too many folders next to it, remove those that have not been used for longest.
    Return None if kernels are not cached.
    """
    if _config.DISABLE_JIT:
        return None
    named = os.environ.get("NUMBA_CACHE_DIR")
    kernels = folder(*parts, root=Path(named) if named else None)
    if kernels is None:
        return None
    try:
        return _used(kernels, name.partition(".")[0])
    except OSError as error:
        _log.debug("kernels are not cached: %s", error)
        return None


def processor_key(kind: str, *parts: str | bytes) -> str:
    """Return a key of `gdl.cache` for machine code from these sources for this processor."""
    settings = (_config.CPU_NAME, _config.CPU_FEATURES, _config.OPT, _config.BOUNDSCHECK)
    return key(
        kind,
        stamp("circuit", "native"),
        numba.__version__,
        llvmlite.__version__,
        str(sys.implementation.cache_tag),
        binding.get_host_cpu_name(),
        binding.get_host_cpu_features().flatten(),
        str(settings),
        *parts,
    )


def _used(kernels: Path, name: str) -> Path | None:
    found = kernels / name
    found.mkdir(mode=0o700, exist_ok=True)
    if not os.access(found, os.W_OK):
        return None
    os.utime(found)
    others = [path for path in kernels.iterdir() if path != found]
    others.sort(key=lambda path: path.stat().st_mtime_ns, reverse=True)
    for path in others[KEPT - 1 :]:
        shutil.rmtree(path, ignore_errors=True)
    return found


def collect_garbage_once() -> None:
    """Let the garbage collector examine each object only once in this compiler process.

    numba keeps nearly all objects that it creates. Examining them again and again took a tenth of
    the time to compile the kernels.
    """
    gc.freeze()
    gc.set_threshold(50_000)
    gc.callbacks.append(lambda phase, _: gc.freeze() if phase == "stop" else None)


LOOK_SECONDS = 0.2  # between checks whether another process has finished compiling

_COMPLETE = "complete"
_LOCK = "lock"
_APART = "apart"


def compile_once(
    folder: Path | None,
    module: str,
    parts: Sequence[str],
    announce: Callable[[], None] = lambda: None,
) -> None:
    """Compile kernels in other processes, unless they are already compiled.

    Args:
        folder: The folder in the cache that records that the kernels are complete. If None, nothing
            is done, and each process compiles a kernel when it needs it.
        module: `python -m MODULE PART` compiles one part of the kernels.
        parts: The names of the parts. Each is compiled in its own process.
        announce: Called before compiling begins.
    """
    if folder is None:
        return
    with _one_at_a_time(folder):
        # A process that had to wait here may find that another one has compiled the kernels.
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
    """Return whether the folder records that all its kernels have been compiled."""
    return folder is not None and (folder / _COMPLETE).exists()


def compile_apart(folder: Path | None, module: str, is_done: Callable[[], bool]) -> None:
    """Compile kernels in a process that can outlive this one, and wait for it.

    The next process finds the compiled kernels, however soon this one ends. The compiler has the
    same priority as processes that play, because with a lower one it might never finish next to
    them. Only one such process runs at a time.

    Args:
        folder: The folder of the lock. If None, nothing is done.
        module: `python -m MODULE` compiles the kernels.
        is_done: Returns whether the kernels have been compiled.
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
    return subprocess.Popen(  # noqa: S603 - our own module
        [sys.executable, "-P", "-m", module, part], env=_environment(), stdin=subprocess.DEVNULL
    )


def _start_apart(module: str, lock: int) -> subprocess.Popen[bytes]:
    nothing = subprocess.DEVNULL
    return subprocess.Popen(  # noqa: S603 - our own module
        [sys.executable, "-P", "-m", module],
        env=_environment(),
        pass_fds=(lock,),
        start_new_session=True,
        stdin=nothing,
        stdout=nothing,
        stderr=nothing,
    )


def _environment() -> dict[str, str]:
    """Return the environment of this process, with its import paths in `PYTHONPATH`."""
    paths = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
    return os.environ | {"PYTHONPATH": paths}


@contextlib.contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    with (folder / _LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield

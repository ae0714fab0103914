"""The folder in which numba keeps the machine code of kernels, and compiling them ahead of time.

numba takes a kernel from the disk as long as the file that defines it is the same, even if a
function that it calls, from another file, is not. So the folder is named after everything that
shapes a kernel: our sources, numba, LLVM and the processor. It is not named after the place of the
sources, so a clone and an installed package with the same sources share it. The folders that were
not used for longest are removed. Code in the folder is run, so a folder that is not safe (see
`gdl.cache`) is not used. Each process then compiles the kernels for itself.

numba compiles one kernel after another in a process. So ahead of time several processes compile a
part each. A process that needs the kernels meanwhile waits, and finds them on the disk.
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

KEPT = 4  # folders: of a few versions, or of a few kinds of processor that share a disk

_config: Any = numba.config

_log = logging.getLogger(__name__)


@cache
def kernel_folder() -> Path | None:
    """Return the folder of this process's kernels, or None.

    It does not change while the process lives.
    """
    return _folder_of(processor_key("kernels"), "kernels")


@cache
def folder_of_package(package: Path, name: str) -> Path | None:
    """Return the folder for the kernels of a package elsewhere, or None.

    Args:
        package: The folder of its sources. Packages inside it do not count.
        name: The name by which it is imported. Another version of it has its folder next to this.
    """
    if not name:  # a script; other scripts have no name either
        name = key("package", str(package)).partition(".")[0]
    return folder_of_packages((package,), name)


@cache
def folder_of_packages(packages: tuple[Path, ...], name: str) -> Path | None:
    """Return the folder for the kernels of several packages with a name in common, or None."""
    try:
        sources = sorted(path for package in packages for path in package.glob("*.py"))
        texts = [part for path in sources for part in (path.name.encode(), path.read_bytes())]
    except OSError as error:
        _log.debug("kernels of %s are not cached: %s", name, error)
        return None
    if not sources:  # the function was typed in
        return None
    return _folder_of(processor_key("kernels", name, *texts), "packages", name)


def _folder_of(name: str, *parts: str) -> Path | None:
    """Return a folder for machine code.

    Remove the oldest folders next to it if they are too many.
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
    """Return a key of `gdl.cache` for machine code of these sources and this processor."""
    settings = (_config.CPU_NAME, _config.CPU_FEATURES, _config.OPT, _config.BOUNDSCHECK)
    return key(
        kind,
        stamp("circuit"),
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
    """Let this process, which compiles, look at each object for garbage only once.

    numba keeps nearly all objects that it makes. Looking at them again and again took a tenth of
    the time in which kernels are compiled.
    """
    gc.freeze()
    gc.set_threshold(50_000)
    gc.callbacks.append(lambda phase, _: gc.freeze() if phase == "stop" else None)


LOOK_SECONDS = 0.2  # between two looks at what another process compiles

_COMPLETE = "complete"
_LOCK = "lock"
_APART = "apart"


def compile_once(
    folder: Path | None,
    module: str,
    parts: Sequence[str],
    announce: Callable[[], None] = lambda: None,
) -> None:
    """Compile kernels in other processes, unless they have been compiled before.

    Args:
        folder: The folder in the cache of kernels that records that they are complete. Without it
            each process compiles a kernel for itself when it needs the kernel.
        module: `python -m MODULE PART` compiles a part of them.
    """
    if folder is None:
        return
    with _one_at_a_time(folder):
        # A process that had to wait here finds what another one has compiled.
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
    """Return whether the kernels recorded in a folder have all been compiled."""
    return folder is not None and (folder / _COMPLETE).exists()


def compile_apart(folder: Path | None, module: str, is_done: Callable[[], bool]) -> None:
    """Compile kernels in a process that can outlive this one, and wait for it.

    The next process finds what it compiles, however soon this one ends. It has the priority of the
    processes that play, because with less it might never finish next to them. There is only one
    such process at a time.

    Args:
        folder: The folder of the lock. Without a folder nothing is done.
        module: `python -m MODULE` compiles the kernels.
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
    """Return the environment of this process, with the paths in which it finds sources."""
    paths = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
    return os.environ | {"PYTHONPATH": paths}


@contextlib.contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    with (folder / _LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield

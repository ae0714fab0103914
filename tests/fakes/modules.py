"""Modules that tests start as processes are forked from processes that have imported them.

`python -m ggp.sandbox` takes 0.2 s of CPU time to import what it needs, other modules more, and
tests of the manager start a hundred. With `forked_modules`, the first start of each module starts a
process that imports it and waits; it and all later ones are forked from that. The forked process is
a child of this one (`CLONE_PARENT`), so everything after its start is as usual.
"""

from __future__ import annotations

import ctypes
import json
import os
import platform
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

import pytest

MODULES: Final = ("ggp.report", "ggp.sandbox", "ggp.submission")
MAX_BYTES: Final = 1 << 16
MAX_DESCRIPTORS: Final = 16
FIRST_FREE: Final = 500
"""Received descriptors wait above this number for their own."""

_CLONE: Final = {"x86_64": 56, "aarch64": 220}
"""The number of the system call, by the machine."""
_CLONE_PARENT: Final = 0x8000
_SIGCHLD: Final = 17
_VARIABLES: Final = {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""Set before Python starts: submissions ask for the first, and threads do not survive a fork."""

IS_POSSIBLE: Final = sys.platform == "linux" and platform.machine() in _CLONE


class Source:
    """A process that has imported a module, and forks."""

    def __init__(self, module: str) -> None:
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", __name__, str(theirs.fileno()), module],
                env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | _VARIABLES,
                stdin=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
            )
        assert self._control.recv(1), "the process that forks has died"

    @property
    def pid(self) -> int:
        """The process id of the process that forks."""
        return self._process.pid

    def start(self, order: Mapping[str, Any], descriptors: Sequence[int]) -> int:
        """Fork; return the number of the new process."""
        socket.send_fds(self._control, [json.dumps(order).encode()], list(descriptors))
        found = self._control.recv(MAX_BYTES)
        assert found, "the process that forks has died"
        return int(found)

    def close(self) -> None:
        """End the process that forks; those that it has forked go on."""
        self._control.close()
        self._process.wait()


def start_source(sources: dict[str, Source], module: str) -> None:
    """Start the process that a module's processes are forked from, and wait until it is ready."""
    if IS_POSSIBLE and module not in sources:
        sources[module] = Source(module)


@contextmanager
def forked_modules(sources: dict[str, Source]) -> Iterator[None]:
    """Have `python -m MODULE` fork inside the `with`, if it is one of `MODULES`.

    Args:
        sources: The processes that fork, by module. They are kept for the next time.
    """
    if not IS_POSSIBLE:
        yield
        return
    execute: Any = subprocess.Popen._execute_child  # type: ignore[attr-defined]
    names: Sequence[str] = execute.__code__.co_varnames[1 : execute.__code__.co_argcount]

    def fork(self: Any, *given: Any) -> None:
        asked = dict(zip(names, given, strict=True))
        module = _module_of(asked["args"])
        if module not in MODULES:
            execute(self, *given)
            return
        if "kernels" in asked["args"]:
            from tests.kernel_use import require_kernels  # imports numba, which a source must not

            require_kernels("a submission that plays compiled games")
        start_source(sources, module)
        _fork(self, sources[module], asked)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess.Popen, "_execute_child", fork)
        yield


def _module_of(arguments: object) -> str:
    if not isinstance(arguments, list | tuple) or list(arguments[:3]) != [
        *(sys.executable, "-P", "-m")
    ]:
        return ""
    return str(arguments[3])


def _fork(process: Any, source: Source, asked: Mapping[str, Any]) -> None:
    """Do for a `Popen` what its method `_execute_child` does."""
    pipes = [asked[name] for name in ("p2cread", "c2pwrite", "errwrite")]
    nothing = os.open(os.devnull, os.O_RDWR)
    try:
        order = {
            "arguments": [os.fspath(one) for one in asked["args"][4:]],
            "environment": dict(os.environ if asked["env"] is None else asked["env"]),
            "is_leader": asked["start_new_session"],
            "descriptors": list(asked["pass_fds"]),
        }
        standard = [nothing if one == -1 else one for one in pipes]
        process.pid = source.start(order, [*standard, *asked["pass_fds"]])
        process._child_created = True
    finally:
        os.close(nothing)
        process._close_pipe_fds(
            *(asked[name] for name in ("p2cread", "p2cwrite", "c2pread", "c2pwrite")),
            *(asked[name] for name in ("errread", "errwrite")),
        )


def serve() -> None:
    """Import a module and fork whenever that is asked for, until the control is closed."""
    import gc
    import importlib

    control, module = socket.socket(fileno=int(sys.argv[1])), sys.argv[2]
    importlib.import_module(f"{module}.__main__")
    if module == "ggp.report":
        from ggp.warming.kernels import warm_up

        warm_up(lambda _: None)
    gc.collect()
    gc.freeze()
    control.sendall(b"+")
    while True:
        text, descriptors, _, _ = socket.recv_fds(control, MAX_BYTES, MAX_DESCRIPTORS)
        if not text:
            return
        pid = _clone()
        if pid == 0:
            control.close()
            _become(module, json.loads(text), descriptors)
        for one in descriptors:
            os.close(one)
        control.sendall(b"%d" % pid)


def _clone() -> int:
    """Fork a process whose parent is the one of this process."""
    library: Any = ctypes.PyDLL(None, use_errno=True)
    ctypes.pythonapi.PyOS_BeforeFork()
    pid = int(library.syscall(_CLONE[platform.machine()], _CLONE_PARENT | _SIGCHLD, 0, 0, 0, 0))
    if pid == 0:
        ctypes.pythonapi.PyOS_AfterFork_Child()
    else:
        ctypes.pythonapi.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(ctypes.get_errno(), "cannot fork")
    return pid


def _become(module: str, order: Mapping[str, Any], descriptors: Sequence[int]) -> None:
    """Run a module as `python -P -m` does."""
    import fcntl
    import runpy

    status = 1
    try:
        numbers = [0, 1, 2, *order["descriptors"]]
        moved = [fcntl.fcntl(one, fcntl.F_DUPFD, FIRST_FREE) for one in descriptors]
        for one in descriptors:
            os.close(one)
        for one, number in zip(moved, numbers, strict=True):
            os.dup2(one, number)
            os.close(one)
        if order["is_leader"]:
            os.setsid()
        os.environ.clear()
        os.environ.update(order["environment"])
        paths = [one for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if one]
        sys.path[:] = [*paths, *(one for one in sys.path if one not in paths)]
        _open_standard()
        sys.argv[1:] = order["arguments"]
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        status = 0
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else int(error.code is not None)
    finally:
        sys.stdout.flush()
        os._exit(status)


def _open_standard() -> None:
    """Give the streams nothing of those of the process that forks."""
    sys.stdin = sys.__stdin__ = os.fdopen(0, closefd=False)  # type: ignore[misc]
    sys.stdout = sys.__stdout__ = os.fdopen(1, "w", closefd=False)  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = os.fdopen(2, "w", closefd=False)  # type: ignore[misc]


if __name__ == "__main__":
    serve()

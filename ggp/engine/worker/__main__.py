"""Entry point of an engine process: `python -m ggp.engine.worker`.

`python -m ggp.engine.worker DESCRIPTOR [kernels]` is a fork server. It imports everything that
engine processes need and loads the kernels if requested, so that a new process starts in a few
milliseconds even on a busy machine. When it is ready, it sends a byte over the socket. For each
byte that it receives, with two descriptors, it forks a process. That process takes commands over
the first and writes printed output to the second. Each process ends when its own socket closes.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
from typing import Final, NoReturn

import gdl
from ggp.engine.worker.channel import Channel, guarded_pipes
from ggp.engine.worker.compiler_process import CompilerProcess
from ggp.engine.worker.kernels import Kernels
from ggp.engine.worker.memory import COLLECTOR_THRESHOLDS
from ggp.engine.worker.service import Service
from ggp.players import create
from ggp.processes.parent import end_with_parent
from ggp.processes.priority import COMPUTING, USUAL, set_priority

KERNELS: Final = "kernels"

_TRIAL = "(role one) (init off) (legal one wait) (next on) (goal one 50) (<= terminal (true on))"


def main() -> None:
    """Serve one match, or fork processes that serve matches."""
    if len(sys.argv) > 1:
        _fork_others(socket.socket(fileno=int(sys.argv[1])), has_kernels=KERNELS in sys.argv[2:])
        return
    compiler_process = CompilerProcess.fork()  # before any thread starts
    channel = Channel(*guarded_pipes())
    kernels = Kernels(channel, compiler_process)
    kernels.load()
    Service(channel, kernels, compiler_process).run()


def _fork_others(control: socket.socket, *, has_kernels: bool) -> None:
    end_with_parent()  # a loading or compiling process would not notice that the server is gone
    _load()
    if has_kernels:
        _load_kernels()
    gc.collect()
    gc.freeze()  # the collector never visits shared memory, so the memory is never copied
    gc.set_threshold(*COLLECTOR_THRESHOLDS)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system reaps the children
    control.send(b"l")
    while True:
        _, descriptors, _, _ = socket.recv_fds(control, 1, 2)
        if not descriptors:
            return
        try:
            is_child = os.fork() == 0
        except OSError:  # the server sees that its connection has closed
            is_child = False
        if is_child:
            control.close()
            _serve(*descriptors, has_kernels=has_kernels)
        for descriptor in descriptors:
            os.close(descriptor)


def _load() -> None:
    machine = gdl.load(gdl.read_rules(_TRIAL), "interpreter")
    create("legal", machine, machine.roles[0], {})
    machine.legal_moves(machine.initial_state(), machine.roles[0])


def _load_kernels() -> None:
    """Load the kernels. On failure, end the process; an engine process then reports why."""
    try:
        from ggp.warming import kernels as warming

        if not warming.is_compiled():
            warming.compile_apart()
        warming.warm_up()
    except Exception:  # noqa: BLE001 - anything may be wrong with the compiler or its cache
        sys.exit(1)


def _serve(commands: int, printed: int, *, has_kernels: bool) -> NoReturn:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    os.dup2(commands, 0)
    os.dup2(commands, 1)
    os.dup2(printed, 2)
    os.close(commands)
    os.close(printed)
    set_priority(os.getpid(), COMPUTING if has_kernels else USUAL)
    compiler_process = CompilerProcess.fork() if has_kernels else None  # before any thread starts
    channel = Channel(*guarded_pipes())
    kernels = Kernels(channel) if has_kernels else None
    if kernels is not None:
        kernels.request_warm_up()
    Service(channel, kernels, compiler_process).run()


if __name__ == "__main__":
    main()

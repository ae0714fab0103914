"""Entry point of an engine process: `python -m ggp.engine.worker`.

`python -m ggp.engine.worker DESCRIPTOR [kernels]` forks others. It has imported all that they need,
and loaded the kernels if it was asked to, so that one is there in a few milliseconds, however busy
the machine is. When it has, it sends a byte over the socket. For each byte that comes over it, with
two descriptors, it forks a process that takes commands over the first and writes what is printed to
the second; it ends when the socket closes, and so does each of the others when its own does.
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
from ggp.engine.worker.memory import COLLECTOR_THRESHOLDS
from ggp.engine.worker.preparation import Kernels
from ggp.engine.worker.preparer import Preparer
from ggp.engine.worker.service import Service
from ggp.players import create
from ggp.processes.parent import end_with_parent
from ggp.processes.priority import COMPUTING, USUAL, set_priority

KERNELS: Final = "kernels"

_TRIAL = "(role one) (init off) (legal one wait) (next on) (goal one 50) (<= terminal (true on))"


def main() -> None:
    """Serve one match, or fork processes that do."""
    if len(sys.argv) > 1:
        _fork_others(socket.socket(fileno=int(sys.argv[1])), has_kernels=KERNELS in sys.argv[2:])
        return
    preparer = Preparer.fork()  # as long as there are no threads
    channel = Channel(*guarded_pipes())
    kernels = Kernels(channel, preparer)
    kernels.load()
    Service(channel, kernels, preparer).run()


def _fork_others(control: socket.socket, *, has_kernels: bool) -> None:
    end_with_parent()  # what loads and compiles does not see that nobody asks any more
    _load()
    if has_kernels:
        _load_kernels()
    gc.collect()
    gc.freeze()  # what all have in common is never looked at again, and so never copied
    gc.set_threshold(*COLLECTOR_THRESHOLDS)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody need reap them
    control.send(b"l")
    while True:
        _, descriptors, _, _ = socket.recv_fds(control, 1, 2)
        if not descriptors:
            return
        try:
            is_child = os.fork() == 0
        except OSError:  # the server sees that its end is closed
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
    """Load the kernels; end the process if that cannot be, for an engine of its own says why."""
    try:
        from ggp.warming import kernels as warming

        if not warming.is_compiled():
            warming.compile_apart()
        warming.warm_up()
    except Exception:  # noqa: BLE001 - whatever is wrong with the compiler or its cache
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
    preparer = Preparer.fork() if has_kernels else None  # as long as there are no threads
    channel = Channel(*guarded_pipes())
    kernels = Kernels(channel) if has_kernels else None
    if kernels is not None:
        kernels.are_loaded()
    Service(channel, kernels, preparer).run()


if __name__ == "__main__":
    main()

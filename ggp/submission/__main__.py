"""The process that submissions' processes are forked from: it has imported what they need.

`python -m ggp.submission DESCRIPTOR [kernels]`, where the descriptor is a Unix socket; with
`kernels` it has also loaded what plays compiled games. A message of it is
`start` with two descriptors, the talk's and one for what is printed, answered by the new process'
number; or `end NUMBER`, answered by the exit status once it is dead, and by a JSON list of what the
kernel was asked for in vain. Nothing of a submission runs here, so it stays what it was; it answers
the kernel's questions about them (`ggp.submission.supervision`).
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import sys

from ggp.processes.parent import end_with_parent
from ggp.submission.inside import Inside
from ggp.submission.starter import CACHE_VARIABLES, KERNELS
from ggp.submission.supervision import Supervisor

MAX_BYTES = 64


def main() -> None:
    """Fork, supervise and reap for whoever holds the other end, until it is closed."""
    if sys.argv[2:] == [KERNELS]:
        _load_kernels()
    Forker(socket.socket(fileno=int(sys.argv[1]))).serve()


def _load_kernels() -> None:
    from ggp.warming.kernels import warm_up

    warm_up()
    for name in CACHE_VARIABLES:
        os.environ.pop(name, None)


class Forker:
    """Forks submissions' processes, each with a supervisor, and reaps them."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._poll = select.poll()
        self._poll.register(control, select.POLLIN)
        self._supervisors: dict[int, Supervisor] = {}
        self._by_descriptor: dict[int, Supervisor] = {}

    def serve(self) -> None:
        """Answer in turn all who ask, until the control is closed; then end all processes."""
        is_open = True
        while is_open:
            for descriptor, events in self._poll.poll():
                if descriptor == self._control.fileno():
                    is_open = self._obey()
                    break  # other descriptors may be others now
                self._supervise(self._by_descriptor[descriptor], events)
        for pid in list(self._supervisors):  # the kernel does that, too, where this is killed
            self._end(pid)

    def _obey(self) -> bool:
        data, descriptors, _, _ = socket.recv_fds(self._control, MAX_BYTES, 2)
        word, _, number = data.decode().partition(" ")
        if word == "start":
            self._control.sendall(b"%d" % self._start(*descriptors))
        elif word:
            self._control.sendall(self._end(int(number)).encode())
        return bool(word)

    def _start(self, talk: int, printed: int) -> int:
        ours, theirs = socket.socketpair()
        with theirs:
            pid = os.fork()
            if pid == 0:
                _become_submission(talk, printed, theirs.fileno())
        for one in (talk, printed):
            os.close(one)
        self._supervisors[pid] = supervisor = Supervisor(pid, ours)
        self._watch(supervisor)
        return pid

    def _end(self, pid: int) -> str:
        status = _end(pid)
        supervisor = self._supervisors.pop(pid, None)
        if supervisor is not None:
            self._unwatch(supervisor)
            supervisor.close()
        return f"{status} {json.dumps(supervisor.attempts if supervisor else [])}"

    def _supervise(self, supervisor: Supervisor, events: int) -> None:
        self._unwatch(supervisor)
        if events & select.POLLIN and supervisor.answer():
            self._watch(supervisor)

    def _watch(self, supervisor: Supervisor) -> None:
        self._by_descriptor[supervisor.descriptor] = supervisor
        self._poll.register(supervisor.descriptor, select.POLLIN)

    def _unwatch(self, supervisor: Supervisor) -> None:
        if self._by_descriptor.pop(supervisor.descriptor, None) is not None:
            self._poll.unregister(supervisor.descriptor)


def _end(pid: int) -> int:
    """Kill a process and reap it; how it ended, as `os.waitstatus_to_exitcode` has it."""
    for kill in (os.kill, os.killpg):  # the group, too: without walls there may be more in it
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)
    try:
        _, status = os.waitpid(pid, 0)
    except ChildProcessError:  # it was asked for twice
        return 0
    return os.waitstatus_to_exitcode(status)


def _become_submission(talk: int, printed: int, supervisor: int) -> None:
    """Serve one grader in this process, which has nothing open but what it needs."""
    end_with_parent()  # stopped, it would not see that nobody asks any more
    nothing = os.open(os.devnull, os.O_RDONLY)
    kept = [os.dup2(one, 100 + at) for at, one in enumerate((talk, printed, nothing, supervisor))]
    os.closerange(3, kept[0])
    talk, printed, nothing, supervisor = kept
    os.dup2(nothing, 0)
    os.dup2(printed, 1)
    os.dup2(printed, 2)
    os.dup2(talk, 3)
    os.dup2(supervisor, 4)
    os.closerange(5, 1 << 10)
    os.setsid()  # last: who sees that it has a group of its own may stop it
    status = 1
    try:
        Inside(3, socket.socket(fileno=4)).serve()
        status = 0
    finally:
        sys.stdout.flush()
        os._exit(status)


if __name__ == "__main__":
    main()

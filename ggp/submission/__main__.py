"""The fork server of submission processes. It has imported everything that these need.

Usage: `python -m ggp.submission DESCRIPTOR [kernels]`. The descriptor is a Unix socket. With
`kernels` the process also loads the code that plays compiled games. Two kinds of messages arrive on
the socket:

- `start` comes with two descriptors, one to talk to the new process and one for its printed output.
  The answer is the new process's id.
- `end NUMBER` ends the process with this id. The answer is its exit status, and a JSON list of the
  actions that the supervisor denied it.

No code of a submission runs here, so this process can be trusted. It also decides about those
system calls of submissions for which the Linux kernel asks a supervisor
(`ggp.submission.supervision`).
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
    """Fork, supervise and reap processes until the program at the other end closes the socket."""
    if sys.argv[2:] == [KERNELS]:
        _load_kernels()
    Forker(socket.socket(fileno=int(sys.argv[1]))).serve()


def _load_kernels() -> None:
    from ggp.warming.kernels import warm_up

    warm_up()
    for name in CACHE_VARIABLES:
        os.environ.pop(name, None)


class Forker:
    """A loop that forks submission processes, gives each a supervisor, and reaps them."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._poll = select.poll()
        self._poll.register(control, select.POLLIN)
        self._supervisors: dict[int, Supervisor] = {}
        self._by_descriptor: dict[int, Supervisor] = {}

    def serve(self) -> None:
        """Answer requests one at a time until the control socket is closed.

        Then end all processes.
        """
        is_open = True
        while is_open:
            for descriptor, events in self._poll.poll():
                if descriptor == self._control.fileno():
                    is_open = self._obey()
                    break  # the other descriptors may have changed
                self._supervise(self._by_descriptor[descriptor], events)
        for pid in list(self._supervisors):  # if this process is killed, Linux ends them
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
    """Kill a process and reap it. Return its status in the form of `os.waitstatus_to_exitcode`."""
    for kill in (os.kill, os.killpg):  # also its group: an unconfined process may have children
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)
    try:
        _, status = os.waitpid(pid, 0)
    except ChildProcessError:  # a second request for the same process
        return 0
    return os.waitstatus_to_exitcode(status)


def _become_submission(talk: int, printed: int, supervisor: int) -> None:
    """Turn this forked process into a submission process. Close all descriptors but its own."""
    end_with_parent()  # a stopped process would not notice that no more requests can come
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
    os.setsid()  # do this last: once this process has its own group, the program may stop it
    status = 1
    try:
        Inside(3, socket.socket(fileno=4)).serve()
        status = 0
    finally:
        sys.stdout.flush()
        os._exit(status)


if __name__ == "__main__":
    main()

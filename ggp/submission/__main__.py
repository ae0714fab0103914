"""The process that submissions' processes are forked from: it has imported what they need.

`python -m ggp.submission DESCRIPTOR`, where the descriptor is a Unix socket. A message of it is
`start` with two descriptors, the talk's and one for what is printed, answered by the new process'
number; or `end NUMBER`, answered by the exit status once it is dead. Nothing of a submission runs
here, so it stays what it was.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys

from ggp.submission.inside import Inside

MAX_BYTES = 64


def main() -> None:
    """Fork and reap for whoever holds the other end, until it is closed."""
    control = socket.socket(fileno=int(sys.argv[1]))
    alive: set[int] = set()
    while True:
        data, descriptors, _, _ = socket.recv_fds(control, MAX_BYTES, 2)
        word, _, number = data.decode().partition(" ")
        if not word:
            break
        if word == "start":
            pid = os.fork()
            if pid == 0:
                _become_submission(*descriptors)
            for one in descriptors:
                os.close(one)
            alive.add(pid)
            control.sendall(b"%d" % pid)
        else:
            control.sendall(b"%d" % _end(int(number)))
            alive.discard(int(number))
    for pid in alive:  # the kernel does that, too, where this process is killed
        _end(pid)


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


def _become_submission(talk: int, printed: int) -> None:
    """Serve one grader in this process, which has nothing open but what it needs."""
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDONLY)
    kept = os.dup2(talk, 100), os.dup2(printed, 101), os.dup2(nothing, 102)
    os.closerange(3, kept[0])
    talk, printed, nothing = kept
    os.dup2(nothing, 0)
    os.dup2(printed, 1)
    os.dup2(printed, 2)
    os.dup2(talk, 3)
    os.closerange(4, 1 << 10)
    status = 1
    try:
        Inside(3).serve()
        status = 0
    finally:
        sys.stdout.flush()
        os._exit(status)


if __name__ == "__main__":
    main()

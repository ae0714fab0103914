"""The supervisor of a submission.

It decides about the system calls for which the Linux kernel asks it: new threads, and forbidden
calls. Before the Linux kernel creates a thread, it asks the process that holds the filter's
listener (seccomp_unotify(2)) for permission. It also asks about calls that are always denied and
never made by mistake, so that such attempts are reported even if they bypass Python. Threads of a
process may ask at the same moment, and permitted threads are counted only a moment later. So there
may be up to twice as many threads as allowed.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import signal
import socket
import struct
from pathlib import Path
from typing import Final

from ggp.submission import seccomp

MAX_THREADS: Final = 64
MAX_DENIED: Final = 1000
"""After this many denied calls the process is ended, because it does nothing else."""
TOO_MANY_THREADS: Final = f"start more than {MAX_THREADS} threads"
_RECEIVE, _SEND = 0xC0502100, 0xC0182101  # SECCOMP_IOCTL_NOTIF_RECV and _SEND
_CONTINUE: Final = 1
_QUESTION: Final = struct.Struct("=QIIiIQ6Q")
_ANSWER: Final = struct.Struct("=QqiI")


class Supervisor:
    """A supervisor that answers the Linux kernel's requests about one process.

    Attributes:
        attempts: Descriptions of the forbidden actions that the process attempted, each listed
            once.
        descriptor: The descriptor on which requests arrive. May change with each answer.
    """

    def __init__(self, pid: int, link: socket.socket) -> None:
        """Create a supervisor.

        Args:
            link: The socket on which the process hands over the Linux kernel's listener.
        """
        self.attempts: list[str] = []
        self.descriptor = link.detach()
        self._pid = pid
        self._is_listening = False
        self._num_denied = 0
        machine = os.uname().machine
        self._words = seccomp.supervised_words(machine)
        self._clone = seccomp.number("clone", machine)

    def answer(self) -> bool:
        """Answer one pending request. Return whether more may follow."""
        return self._answer() if self._is_listening else self._take_listener()

    def close(self) -> None:
        """Stop answering. From now on, all calls that need an answer fail."""
        os.close(self.descriptor)

    def _take_listener(self) -> bool:
        with socket.socket(fileno=self.descriptor) as link:
            _, found, _, _ = socket.recv_fds(link, 64, 1)
            self.descriptor = found[0] if found else link.detach()
        self._is_listening = bool(found)
        return self._is_listening

    def _answer(self) -> bool:
        question = bytearray(_QUESTION.size)
        try:
            fcntl.ioctl(self.descriptor, _RECEIVE, question, True)
        except OSError as error:  # the asking thread has been killed or interrupted
            return error.errno in (errno.ENOENT, errno.EINTR)
        number, _, _, call, _, _, flags, *_ = _QUESTION.unpack(question)
        is_thread = call == self._clone and bool(flags & seccomp.CLONE_THREAD)
        if is_thread and self._num_threads() < MAX_THREADS:
            self._send(number, 0, _CONTINUE)
            return True
        what = TOO_MANY_THREADS if is_thread else self._words.get(call, "")
        if what and what not in self.attempts:
            self.attempts.append(what)
        self._num_denied += 1
        if self._num_denied > MAX_DENIED:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
            return False
        self._send(number, -(errno.EAGAIN if is_thread else errno.EPERM), 0)
        return True

    def _send(self, number: int, error: int, flags: int) -> None:
        with contextlib.suppress(OSError):  # the asking thread has been killed
            fcntl.ioctl(self.descriptor, _SEND, _ANSWER.pack(number, 0, error, flags))

    def _num_threads(self) -> int:
        try:
            return len(list(Path(f"/proc/{self._pid}/task").iterdir()))
        except OSError:  # the process is gone or hidden from us, so nothing can be counted
            return MAX_THREADS

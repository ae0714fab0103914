"""Answers to the system calls of submissions that the kernel hands over: threads, and attempts.

The kernel asks whoever holds a filter's listener (seccomp_unotify(2)) before it makes a thread, and
makes it only if that says so. It also asks about calls that are always denied and that nobody
makes by mistake, so that these are named even if Python was gone around. Threads of a process may
ask at the same moment, and those that were allowed are counted a moment later: there are never more
than twice as many as may be.
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
"""Calls that are answered with no; then the process is ended, which does nothing else but ask."""
TOO_MANY_THREADS: Final = f"start more than {MAX_THREADS} threads"
_RECEIVE, _SEND = 0xC0502100, 0xC0182101  # SECCOMP_IOCTL_NOTIF_RECV and _SEND
_CONTINUE: Final = 1
_QUESTION: Final = struct.Struct("=QIIiIQ6Q")
_ANSWER: Final = struct.Struct("=QqiI")


class Supervisor:
    """Answers the kernel's questions about one process.

    Attributes:
        attempts: What it tried and may not do, in words, each once.
        descriptor: Where questions come from; it may be another after each answer.
    """

    def __init__(self, pid: int, link: socket.socket) -> None:
        """A supervisor that is not yet asked.

        Args:
            link: The process hands the kernel's listener over on it.
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
        """Answer one question that is there; whether there may be more of them."""
        return self._answer() if self._is_listening else self._take_listener()

    def close(self) -> None:
        """Answer no more; new threads and attempts fail."""
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
        except OSError as error:  # who asked has been killed meanwhile, or interrupted
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
        with contextlib.suppress(OSError):  # who asked has been killed meanwhile
            fcntl.ioctl(self.descriptor, _SEND, _ANSWER.pack(number, 0, error, flags))

    def _num_threads(self) -> int:
        try:
            return len(list(Path(f"/proc/{self._pid}/task").iterdir()))
        except OSError:  # it is gone, or hidden from us: then nothing can be counted
            return MAX_THREADS

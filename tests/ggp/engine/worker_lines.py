"""An engine process talked to line by line, as the server does, but without the server."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
from typing import BinaryIO, Self

from ggp.engine.wire import Awake, Command, Event, Warm, decode, encode
from tests.fakes.forkers import Forker
from tests.shared import ENGINE_PATH

PATIENCE_SECONDS = 60


class Lines:
    """The lines to an engine process, and those from it."""

    def __init__(self, commands: BinaryIO, events: BinaryIO) -> None:
        self._commands = commands
        self._events = events

    def send(self, command: Command) -> None:
        """Write a command."""
        self.write(encode(command))

    def write(self, line: bytes) -> None:
        """Write anything."""
        self._commands.write(line)
        self._commands.flush()

    def next(self) -> Command | Event:
        """Return the next event."""
        return decode(self._events.readline())

    def events_until(self, kind: type[Event]) -> list[Command | Event]:
        """Return all events up to the first of a kind."""
        events = [self.next()]
        while not isinstance(events[-1], kind):
            events.append(self.next())
        return events


class ForkedWorker(Lines):
    """A process that is forked, as the later ones of a pool; a context manager that ends it.

    Attributes:
        pid: Its process id.
    """

    def __init__(self, forker: Forker) -> None:
        self._socket, theirs = socket.socketpair()
        printing = os.open(os.devnull, os.O_WRONLY)
        with theirs:
            socket.send_fds(forker.control(), [b"f"], [theirs.fileno(), printing])
        os.close(printing)
        super().__init__(self._socket.makefile("wb"), self._socket.makefile("rb"))
        awake = self.next()
        assert isinstance(awake, Awake)
        self.pid = awake.pid
        self._end = os.pidfd_open(self.pid)
        self.events_until(Warm)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._end, signal.SIGKILL)
        os.close(self._end)
        self._events.close()
        with contextlib.suppress(BrokenPipeError):
            self._commands.close()
        self._socket.close()

    def close_input(self) -> None:
        """Write no more commands."""
        self._socket.shutdown(socket.SHUT_WR)

    def has_ended(self) -> bool:
        """Wait until it has ended, a minute at most; return whether it has."""
        return bool(select.select([self._end], [], [], PATIENCE_SECONDS)[0])


class StartedWorker(Lines):
    """A process of Python's that has just started; a context manager that ends it."""

    def __init__(self, path: str = ENGINE_PATH) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ggp.engine.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        super().__init__(self.process.stdin, self.process.stdout)  # type: ignore[arg-type]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

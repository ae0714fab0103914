"""An engine process talked to line by line, as the server does, but without the server."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Self

from ggp.engine.wire import Command, Event, Warm, decode, encode
from tests.shared import ENGINE_PATH


class Worker:
    """A worker process; a context manager that waits until it is warm, and ends it."""

    def __init__(self, *, is_to_be_warm: bool = True, path: str = ENGINE_PATH) -> None:
        self._is_to_be_warm = is_to_be_warm
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ggp.engine.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
        )

    def __enter__(self) -> Self:
        if self._is_to_be_warm:
            self.events_until(Warm)
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def send(self, command: Command) -> None:
        """Write a command."""
        self.write(encode(command))

    def write(self, line: bytes) -> None:
        """Write anything."""
        assert self.process.stdin is not None
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def next(self) -> Command | Event:
        """The next event."""
        assert self.process.stdout is not None
        return decode(self.process.stdout.readline())

    def events_until(self, kind: type[Event]) -> list[Command | Event]:
        """All events up to the first of a kind."""
        events = [self.next()]
        while not isinstance(events[-1], kind):
            events.append(self.next())
        return events

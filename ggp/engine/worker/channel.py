"""The pipes of the engine process: a thread reads commands, and events are written directly.

The main thread runs the player and does nothing else. So the listening thread acknowledges
commands, ends the player's deadline when a command arrives, and ends the process when the pipe
closes.
"""

from __future__ import annotations

import io
import os
import queue
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, Thread
from typing import BinaryIO, Final, NoReturn

from ggp.clock import Deadline
from ggp.engine.wire import Accepted, Awake, Begin, Command, Event, WireError, decode, encode

EXIT_BROKEN: Final = 70  # EX_SOFTWARE of sysexits.h
EXIT_NO_MEMORY: Final = 71  # EX_OSERR


def guarded_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Return the two pipes to the server, under descriptors that `print` and `input` do not use.

    From now on printed output goes to standard error, and standard input is empty.
    """
    commands = os.fdopen(os.dup(0), "rb")
    events = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdin = io.StringIO()
    sys.stdout = sys.stderr
    return commands, events


class Channel:
    """A queue of commands for the main thread, and the pipe for its events to the server."""

    def __init__(self, commands: BinaryIO, events: BinaryIO) -> None:
        self._commands = commands
        self._events = events
        self._inbox: queue.SimpleQueue[Command] = queue.SimpleQueue()
        self._sending = Lock()
        self._interrupting = Lock()
        self._running: Deadline | None = None
        self.send(Awake(0, os.getpid()))  # before a waiting command is acknowledged
        Thread(target=self._listen, name="commands", daemon=True).start()

    def next(self) -> Command:
        """Wait for a command and return the newest one.

        Each command contains all steps of the previous one. So commands that arrive too fast for
        this process are skipped, except those that begin a match.
        """
        command = self._inbox.get()
        while not (isinstance(command, Begin) or self._inbox.empty()):
            command = self._inbox.get()
        return command

    @property
    def has_command(self) -> bool:
        """Whether a command is waiting."""
        return not self._inbox.empty()

    def send(self, event: Event) -> None:
        """Write an event at once. End the process if the server has closed the pipe."""
        with self._sending:
            try:
                self._events.write(encode(event))
                self._events.flush()
            except OSError:
                _leave(0)

    @contextmanager
    def ending(self, deadline: Deadline) -> Iterator[Deadline]:
        """Return a context in which a new or waiting command ends the deadline."""
        with self._interrupting:
            self._running = deadline
            if not self._inbox.empty():
                deadline.end()
        try:
            yield deadline
        finally:
            with self._interrupting:
                self._running = None

    def _listen(self) -> None:
        try:
            for line in self._commands:
                self._hand_over(decode(line))
        except WireError:
            _leave(EXIT_BROKEN)
        except MemoryError:
            _leave(EXIT_NO_MEMORY)
        except OSError:  # the server has closed its socket without reading all events
            pass
        # The server is gone or no longer needs this process. The player may never return.
        _leave(0)

    def _hand_over(self, command: Command | Event) -> None:
        if not isinstance(command, Command):
            raise WireError(f"expected a command, got {command}")
        self.send(Accepted(command.request))
        with self._interrupting:
            self._inbox.put(command)
            if self._running is not None:
                self._running.end()


def _leave(code: int) -> NoReturn:
    """End the process at once. Any thread may call this, whatever other threads are doing."""
    os._exit(code)

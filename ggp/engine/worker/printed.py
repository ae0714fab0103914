"""A player's prints, line by line: they go to the log as ever, and as events to the referee."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Final

MAX_CHARACTERS: Final = 4000
"""Of what is printed in one turn; more of it is in the log only."""


class PrintedLines(io.TextIOBase):
    """Standard output and standard error of a player while it is called."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        """Nothing is printed yet.

        Args:
            tell: Called with each whole line, its end included.
        """
        self._tell = tell
        self._line = ""
        self._room = MAX_CHARACTERS
        self._log = sys.stderr
        self._process = os.getpid()

    def renew(self) -> None:
        """Another turn begins."""
        self._room = MAX_CHARACTERS

    @contextmanager
    def taking(self) -> Iterator[None]:
        """While in this context, whatever is printed by Python comes here."""
        with redirect_stdout(self), redirect_stderr(self):
            try:
                yield
            finally:
                self._end_line()

    def writable(self) -> bool:
        """It is."""
        return True

    def write(self, text: str) -> int:
        """Print a text."""
        self._log.write(text)
        if os.getpid() == self._process and self._room > 0:  # not in a process that a player forks
            *lines, self._line = (self._line + text[: self._room + 1]).split("\n")
            for line in lines:
                self._say(f"{line}\n")
            if len(self._line) >= self._room:
                self._end_line()
        return len(text)

    def flush(self) -> None:
        """Let the log have what is printed."""
        self._log.flush()

    def _end_line(self) -> None:
        line, self._line = self._line, ""
        if line:
            self._say(f"{line}\n")

    def _say(self, line: str) -> None:
        if len(line) <= self._room:
            self._tell(line)
        elif self._room:
            self._tell(f"{line[: self._room]}\n... (more is in the log)\n")
        self._room = max(0, self._room - len(line))

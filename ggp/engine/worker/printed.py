"""Text that a player prints. It goes to the log, and in whole lines to the server as events."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Final

MAX_CHARACTERS: Final = 4000
"""Maximum number of printed characters in a turn that become events. The rest is only logged."""
MAX_LOGGED: Final = 16_000
"""Maximum number of printed characters in a turn that are logged. The rest is counted and dropped,
because writing takes time.
"""

TellPrinted = Callable[[str, int, int], None]


class PrintedLines(io.TextIOBase):
    """Standard output and standard error of a player while it runs."""

    def __init__(self, tell: TellPrinted) -> None:
        """Create a stream to which nothing has been printed.

        Args:
            tell: Called with the kept text, in whole lines, and the numbers of lines and bytes
                printed since the last call, kept or not.
        """
        self._tell = tell
        self._line = ""
        self._num_lines = self._num_bytes = 0
        self._last = "\n"
        self._room, self._log_room = MAX_CHARACTERS, MAX_LOGGED
        self._log = sys.stderr
        self._process = os.getpid()

    def renew(self) -> None:
        """Start a new turn, in which the limits count from zero."""
        self._room, self._log_room = MAX_CHARACTERS, MAX_LOGGED

    @contextmanager
    def taking(self) -> Iterator[None]:
        """Return a context in which this object receives everything that Python code prints."""
        with redirect_stdout(self), redirect_stderr(self):
            try:
                yield
            finally:
                self._end_line()
                self._num_lines += not self._last.endswith("\n")
                self._last = "\n"
                if self._num_bytes:
                    self._report("")

    def writable(self) -> bool:
        """Return True, because this is an output stream."""
        return True

    def write(self, text: str) -> int:
        """Write a text to the log and pass it on in whole lines."""
        self._num_lines += text.count("\n")
        self._num_bytes += len(text) if text.isascii() else len(text.encode(errors="replace"))
        self._last = text or self._last
        if self._log_room:
            self._write(text)
        return len(text)

    def _write(self, text: str) -> None:
        self._log.write(text[: self._log_room])
        self._log_room = max(0, self._log_room - len(text))
        if not self._log_room:
            self._log.write("\n... (more is not logged)\n")
        if os.getpid() == self._process and self._room > 0:  # not in a process forked by a player
            *lines, self._line = (self._line + text[: self._room + 1]).split("\n")
            for line in lines:
                self._say(f"{line}\n")
            if len(self._line) >= self._room:
                self._end_line()

    def flush(self) -> None:
        """Flush the log."""
        self._log.flush()

    def _end_line(self) -> None:
        line, self._line = self._line, ""
        if line:
            self._say(f"{line}\n")

    def _say(self, line: str) -> None:
        if len(line) <= self._room:
            self._report(line)
        elif self._room:
            self._report(f"{line[: self._room]}\n... (more is in the log)\n")
        self._room = max(0, self._room - len(line))

    def _report(self, kept: str) -> None:
        num_lines, self._num_lines = self._num_lines, 0
        num_bytes, self._num_bytes = self._num_bytes, 0
        self._tell(kept, num_lines, num_bytes)

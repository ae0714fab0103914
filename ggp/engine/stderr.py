"""The standard error of an engine process, sent to our log: bounded in length and in rate.

A player's own `print` ends up here, so it must be neither lost nor able to flood the log.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Final

_log = logging.getLogger(__name__)

MAX_LINE_CHARACTERS: Final = 2000
MAX_LINES_PER_WINDOW: Final = 100
WINDOW_SECONDS: Final = 10.0
_CHUNK_BYTES: Final = 1 << 16


async def forward(stream: asyncio.StreamReader, pid: int) -> None:
    """Log each line of a process until it closes the stream; lines above the rate are counted."""
    rate = _Rate()
    rest = b""
    while chunk := await stream.read(_CHUNK_BYTES):
        *lines, rest = (rest + chunk).split(b"\n")
        rest = rest[-_CHUNK_BYTES:]
        for line in lines:
            _write(line, pid, rate)
    if rest:
        _write(rest, pid, rate)


def _write(line: bytes, pid: int, rate: _Rate) -> None:
    text = line.decode(errors="replace").rstrip()
    if text and rate.admits():
        if rate.num_dropped:
            _log.warning("engine %d: %d lines left out", pid, rate.num_dropped)
            rate.num_dropped = 0
        _log.info("engine %d: %s", pid, text[:MAX_LINE_CHARACTERS])


class _Rate:
    """Admits so many lines per window of time, and counts the others."""

    def __init__(self) -> None:
        self.num_dropped = 0
        self._num_admitted = 0
        self._window_end = 0.0

    def admits(self) -> bool:
        now = time.monotonic()
        if now >= self._window_end:
            self._window_end = now + WINDOW_SECONDS
            self._num_admitted = 0
        if self._num_admitted < MAX_LINES_PER_WINDOW:
            self._num_admitted += 1
            return True
        self.num_dropped += 1
        return False

"""What a submission prints: its first and its last bytes, and how many there were."""

from __future__ import annotations

import asyncio
from typing import Final

KEPT_BYTES: Final = 1024
REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
_CHUNK_BYTES: Final = 1 << 16


def printable(text: str) -> str:
    """The text without what moves a terminal's cursor, or worse."""
    return "".join(
        one if one.isprintable() or one == "\n" else "\N{REPLACEMENT CHARACTER}" for one in text
    )


def one_line(text: str) -> str:
    """The text likewise, on one line."""
    return printable(text).replace("\n", " ")


class Output:
    """Reads a pipe as long as anybody writes to it, and keeps little of what comes.

    Attributes:
        num_bytes: How much has come.
    """

    def __init__(self) -> None:
        self.num_bytes = 0
        self._first = b""
        self._last = b""

    @property
    def text(self) -> str:
        """The beginning and the end, and between them how much is left out."""
        left_out = self.num_bytes - len(self._first) - len(self._last)
        middle = f"\n... {left_out:,} bytes left out ...\n".encode() if left_out else b""
        return printable((self._first + middle + self._last).decode(errors="replace"))

    async def follow(self, stream: asyncio.StreamReader) -> None:
        """Read until the end of a stream."""
        while chunk := await stream.read(_CHUNK_BYTES):
            self.take(chunk)

    def take(self, chunk: bytes) -> None:
        """Take what came."""
        self.num_bytes += len(chunk)
        room = KEPT_BYTES - len(self._first)
        self._first += chunk[:room]
        self._last = (self._last + chunk[room:])[-KEPT_BYTES:]

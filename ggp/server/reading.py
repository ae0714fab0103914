"""Reading messages without keeping anybody waiting who sends a short one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from ggp.protocol import Message, MessageLimits, Start, decode, start_header
from ggp.server.replies import RefusalError

SHORT_CHARACTERS: Final = 20_000
"""Read in a millisecond or two."""
AT_ONCE: Final = 2
"""Long messages that are read at the same time."""
MAX_WAITING: Final = 20
"""Long messages that are read or wait for it."""


class Reader:
    """Turns texts into messages; long ones in a thread, a few at a time."""

    def __init__(self, limits: MessageLimits) -> None:
        self._limits = limits
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._num_waiting = 0

    async def read(self, text: str, is_refused: Callable[[Start], bool]) -> Message:
        """The message that a text is.

        Args:
            text: As it came.
            is_refused: Whether a START cannot be served whatever its rules are. Then it is given as
                far as it can be told at a start_header, without rules and clocks.

        Raises:
            ProtocolError: It is no message.
            RefusalError: Too many others are to be read.
        """
        if len(text) <= SHORT_CHARACTERS:
            return decode(text, self._limits)
        start = start_header(text)
        if start is not None and is_refused(start):
            return start
        if self._num_waiting >= MAX_WAITING:
            raise RefusalError(503, "too many long messages at once")
        self._num_waiting += 1
        try:
            async with self._turns:
                # In a thread the interpreter switches every few milliseconds: nobody else waits.
                return await asyncio.to_thread(decode, text, self._limits)
        finally:
            self._num_waiting -= 1

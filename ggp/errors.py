"""The root of every error that `ggp` raises on purpose, and the one for a name nobody knows.

Here is also how to recognise that nobody is to blame but this process, which has run out of
something.

A room with errors of its own derives them from `GgpError`, so that the command line can answer
each with one line on standard error instead of a stack trace.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

SHORTAGES: Final = frozenset(
    {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS, errno.EAGAIN}
)
"""Errors that the system reports when no files, memory or processes are left. That no local
port is left it cannot distinguish from an address that it has no way to."""


class GgpError(Exception):
    """Something expected went wrong; the message is fit for a user to read."""


class UnknownNameError(GgpError):
    """A name that is none of the known ones; the message offers those nearest to it.

    Attributes:
        kind: What was named, in words: "game", "player", "option".
        name: The name as it was given.
        suggestions: At most three known names, the nearest first.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        known = sorted(known)
        self.kind = kind
        self.name = name
        self.suggestions = _nearest(name, known)
        super().__init__(f"unknown {kind} {name!r}: {self._hint(known)}")

    def _hint(self, known: list[str]) -> str:
        if self.suggestions:
            return f"did you mean {' or '.join(self.suggestions)}?"
        return f"expected one of {', '.join(known)}" if known else "none are known"


class GameNotFoundError(UnknownNameError):
    """No bundled game has this name."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        super().__init__("game", name, known)


def shortage(error: BaseException | None) -> str:
    """Resource that this process lacks, if that is why something went wrong; else empty."""
    while error is not None:
        if isinstance(error, MemoryError):
            return os.strerror(errno.ENOMEM)
        if isinstance(error, OSError) and error.errno in SHORTAGES:
            return os.strerror(error.errno)
        error = error.__cause__
    return ""


def _nearest(name: str, known: Iterable[str]) -> tuple[str, ...]:
    # Compared without case: `tictactoe` is the commonest slip of all.
    by_folded = {word.casefold(): word for word in known}
    return tuple(by_folded[word] for word in get_close_matches(name.casefold(), by_folded))

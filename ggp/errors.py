"""The root of every error that `ggp` raises on purpose, and those that all rooms share.

Here is also what the system's own errors mean, and whether this process has run out of something.

A room with errors of its own derives them from `GgpError`, so that the command line can answer
each with one line on standard error instead of a stack trace.
"""

from __future__ import annotations

import copyreg
import errno
import os
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

SHORTAGES: Final = frozenset(
    {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS, errno.EAGAIN}
)
"""Errors that the system reports when no files, memory or processes are left. That no local
port is left it cannot distinguish from an address that it has no way to."""

_REASONS = {
    errno.ENOENT: "there is no such file",
    errno.ENOTDIR: "there is no such file",
    errno.EISDIR: "expected a file, this is a folder",
    errno.EACCES: "this is not permitted",
    errno.EPERM: "this is not permitted",
    errno.ENOSPC: "the disk is full",
    errno.EROFS: "nothing can be written there",
    errno.ECONNREFUSED: "nobody listens there; is the player running?",
    errno.EHOSTUNREACH: "there is no way to that machine",
    errno.ENETUNREACH: "there is no way to that machine",
    errno.ECONNRESET: "the other side broke the connection",
    errno.EPIPE: "the other side broke the connection",
}


class GgpError(Exception):
    """Something expected went wrong; the message is fit for a user to read."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Not by `__init__`, which may take other arguments: a pool of processes waits for ever for
        # an error that cannot be unpickled.
        new: Any = copyreg.__newobj__  # type: ignore[attr-defined]  # typeshed lacks it
        return new, (type(self), *self.args), vars(self)


class WrongUseError(GgpError):
    """The command line names something that does not exist, or cannot be what is meant."""


class CommandFailedError(GgpError):
    """A request could not be carried out; the message may have several lines."""


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


def reason_of(error: OSError) -> str:
    """Reason that the system gives, in our words where it is something usual."""
    import socket  # slow to import, and seldom needed

    if isinstance(error, socket.gaierror):
        return "no machine of that name is known"
    if error.errno in _REASONS:
        return _REASONS[error.errno]
    return error.strerror or str(error)


def reason_of_writing(error: OSError, file: Path) -> str:
    """As `reason_of`, for a file that was to be written: there it is the folder that is missing."""
    folder = file.resolve().parent
    if error.errno in {errno.ENOENT, errno.ENOTDIR} and not folder.is_dir():
        return f"there is no folder {folder}"
    return reason_of(error)


def _nearest(name: str, known: Iterable[str]) -> tuple[str, ...]:
    # Compared without case: `tictactoe` is the commonest slip of all.
    by_folded = {word.casefold(): word for word in known}
    return tuple(by_folded[word] for word in get_close_matches(name.casefold(), by_folded))

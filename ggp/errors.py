"""The base class of all errors that `ggp` raises on purpose, and errors that all packages share.

This module also explains errors of the operating system and detects shortages of resources.

A package with its own errors derives them from `GgpError`. The command line reports such an error
with one line on standard error instead of a stack trace.
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
"""Error numbers for a lack of file descriptors, memory or processes. A lack of local ports is not
among them, because the system reports it like an unreachable address."""

_REASONS = {
    errno.ENOENT: "there is no such file",
    errno.ENOTDIR: "there is no such file",
    errno.EISDIR: "expected a file, but this is a folder",
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.ENOSPC: "the disk is full",
    errno.EROFS: "the file system is read-only",
    errno.ECONNREFUSED: "no program listens there; is the player running?",
    errno.EHOSTUNREACH: "that machine cannot be reached",
    errno.ENETUNREACH: "that machine cannot be reached",
    errno.ECONNRESET: "the other side closed the connection",
    errno.EPIPE: "the other side closed the connection",
}


class GgpError(Exception):
    """An expected failure. Its message is written for users."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Do not call `__init__`, which may take other arguments. A process pool would wait for ever
        # for an error that cannot be unpickled.
        new: Any = copyreg.__newobj__  # type: ignore[attr-defined]  # typeshed lacks it
        return new, (type(self), *self.args), vars(self)


class WrongUseError(GgpError):
    """The user has named something that does not exist or cannot be used here."""


class CommandFailedError(GgpError):
    """A request could not be carried out. The message may have several lines."""


class UnknownNameError(GgpError):
    """The name is unknown. The message suggests the closest known names.

    Attributes:
        kind: The kind of thing named, as a word: "game", "player", "option".
        name: The name as given.
        suggestions: At most three known names, the closest first.
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
    """Return the system's message if `error` comes from a lack of memory, descriptors or processes.

    Return "" if it has another cause.
    """
    while error is not None:
        if isinstance(error, MemoryError):
            return os.strerror(errno.ENOMEM)
        if isinstance(error, OSError) and error.errno in SHORTAGES:
            return os.strerror(error.errno)
        error = error.__cause__
    return ""


def reason_of(error: OSError) -> str:
    """Return the reason for a system error, in plain words if the error is a common one."""
    import socket  # slow to import and seldom needed

    if isinstance(error, socket.gaierror):
        return "no machine of that name is known"
    if error.errno in _REASONS:
        return _REASONS[error.errno]
    return error.strerror or str(error)


def reason_of_writing(error: OSError, file: Path) -> str:
    """Return why `file` could not be written. If its folder is missing, name the folder."""
    folder = file.resolve().parent
    if error.errno in {errno.ENOENT, errno.ENOTDIR} and not folder.is_dir():
        return f"there is no folder {folder}"
    return reason_of(error)


def _nearest(name: str, known: Iterable[str]) -> tuple[str, ...]:
    # Ignore case: `tictactoe` is the most common slip.
    by_folded = {word.casefold(): word for word in known}
    return tuple(by_folded[word] for word in get_close_matches(name.casefold(), by_folded))

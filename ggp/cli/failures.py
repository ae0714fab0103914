"""Failures of a verb: exit with 2 if it was used wrongly, with 1 if it could not do its work."""

from __future__ import annotations

import errno
import socket
from pathlib import Path

from ggp.errors import GgpError

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


class WrongUseError(GgpError):
    """The command line names something that does not exist, or cannot be what is meant."""


class CommandFailedError(GgpError):
    """A request could not be carried out; the message may have several lines."""


def reason_of(error: OSError) -> str:
    """Reason that the system gives, in our words where it is something usual."""
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

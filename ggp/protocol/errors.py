"""Errors in messages and in communication with players."""

from __future__ import annotations

from ggp.errors import GgpError

SHOWN = 40  # number of characters of the faulty text that an error repeats


class ProtocolError(GgpError):
    """The text is not a message. The error says in one line what was expected, and where.

    Attributes:
        field: The faulty part of the message, such as "match" or "playclock".
        expected: A description of what was expected.
        got: What was found instead, shortened and with control characters escaped.
        position: The position of the faulty character, counted from 1.
    """

    def __init__(self, field: str, expected: str, got: str, position: int) -> None:
        self.field = field
        self.expected = expected
        self.got = shown(got)
        self.position = position
        super().__init__(f"expected {expected}, got: {self.got} at character {position}")


class ConnectionFailedError(GgpError):
    """A player could not be reached, or closed the connection before its reply was complete."""


class ReplyTimeoutError(GgpError):
    """A player did not answer in time."""


def shown(text: str, length: int = SHOWN) -> str:
    """Make a text printable on one line of an error message or log. Truncate it to `length`."""
    short = text if len(text) <= length else text[: length - 3] + "..."
    return "".join(char if char.isprintable() else _escaped(char) for char in short)


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")

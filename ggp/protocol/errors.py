"""Errors between a message's text and its meaning, and on the way to a player."""

from __future__ import annotations

from ggp.errors import GgpError

SHOWN = 40  # characters of the offending text that an error repeats


class ProtocolError(GgpError):
    """A text is no message; the error says in one line what was expected and where.

    Attributes:
        field: The part of the message that is wrong, such as "match" or "playclock".
        expected: What would have been right, in words.
        got: What came instead, shortened and with control characters escaped.
        position: The character at which it came, counted from 1.
    """

    def __init__(self, field: str, expected: str, got: str, position: int) -> None:
        self.field = field
        self.expected = expected
        self.got = shown(got)
        self.position = position
        super().__init__(f"expected {expected}, got: {self.got} at character {position}")


class ConnectionFailedError(GgpError):
    """A player could not be reached, or ended the connection without a whole reply."""


class ReplyTimeoutError(GgpError):
    """A player did not answer in time."""


def shown(text: str, length: int = SHOWN) -> str:
    """The text fit for one line of an error or a log: printable, and cut to a length."""
    short = text if len(text) <= length else text[: length - 3] + "..."
    return "".join(char if char.isprintable() else _escaped(char) for char in short)


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")

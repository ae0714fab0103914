"""Answers of the agent, before they become HTTP responses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ggp.errors import GgpError
from ggp.protocol import Notation, reply


class RefusalError(GgpError):
    """A message that is not carried out, whatever it says.

    Attributes:
        status: The HTTP status that says so.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class AnsweredTurn(NamedTuple):
    """The moments of a turn, on `ggp.clock.now()`."""

    asked: float
    """The engine was asked for a move."""
    chosen: float
    """There was one."""
    due: float
    """There was to be one at the latest."""
    end: float
    """The playclock is over."""


@dataclass(frozen=True, slots=True)
class HttpReply:
    """The text of an answer, and what the log should say of it."""

    text: str
    notation: Notation = Notation.PREFIX
    status: int = 200
    notes: Mapping[str, object] = field(default_factory=dict)
    turn: AnsweredTurn | None = None
    """Of an answer to PLAY."""


SILENCE = ""  # what Gamemaster expects of who is not in control, and after STOP and ABORT


def say(content: str, notation: Notation, identifier: str | None = None) -> HttpReply:
    """The reply with a word or move as its content, in the form that the message had."""
    return HttpReply(reply(content, notation, identifier), notation)

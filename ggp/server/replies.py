"""Answers of the player, before they become HTTP responses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ggp.engine import Choice
from ggp.errors import GgpError
from ggp.protocol import Notation, reply


class RefusalError(GgpError):
    """A message that is refused regardless of its content.

    Attributes:
        status: The HTTP status of the reply.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class AnsweredTurn(NamedTuple):
    """Our move in a turn, and the times of its steps as of `ggp.clock.now()`."""

    number: int
    """Number of the turn, counted from 0."""
    choice: Choice
    asked: float
    """When the engine was asked for a move."""
    chosen: float
    """When the move had been chosen."""
    due: float
    """The deadline for the move."""
    playclock: float
    """Seconds from the arrival of a PLAY to the end of the manager's clock."""


@dataclass(frozen=True, slots=True)
class HttpReply:
    """The text of an answer, and what to log about it."""

    text: str
    notation: Notation = Notation.PREFIX
    status: int = 200
    notes: Mapping[str, object] = field(default_factory=dict)
    turn: AnsweredTurn | None = None
    """The turn, for an answer to PLAY."""


SILENCE = ""  # what Gamemaster expects from a role not in control, and after STOP and ABORT


def say(content: str, notation: Notation, identifier: str | None = None) -> HttpReply:
    """Return a reply with a word or move as its content, in the notation of the message."""
    return HttpReply(reply(content, notation, identifier), notation)

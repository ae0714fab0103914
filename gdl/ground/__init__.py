"""Grounding: replace rules with variables by their instances, within a budget."""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import Enum

from gdl.errors import GdlError, Span

_MEBIBYTE = 2**20


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits on the time and memory of one grounding."""

    seconds: float = 20.0  # wall-clock time, from the rulesheet to the ground program
    memory: int = 4096 * _MEBIBYTE  # bytes that grounding may take, about


class Reason(Enum):
    """The reason why a rulesheet was not grounded."""

    TIME = "time"
    MEMORY = "memory"
    UNSAFE = "unsafe rule"
    STATELESS = "state or moves used before there are any"
    UNSTRATIFIED = "unstratified rules"
    SIZE = "size of the rules"
    MOVELESS = "role without moves"


class GroundingError(GdlError):
    """Raised if a rulesheet cannot be grounded, or not within its budget.

    The interpreter may still be able to play the game.
    """

    def __init__(self, reason: Reason, message: str, span: Span | None = None) -> None:
        super().__init__(message, span)
        self.reason = reason

    @property
    def is_playable(self) -> bool:
        """Whether the interpreter may be able to play the game to its end."""
        return self.reason is not Reason.MOVELESS


class GroundingDeadline:
    """The time at which the seconds of a budget run out."""

    def __init__(self, budget: Budget) -> None:
        self._seconds = budget.seconds
        self._end = time.monotonic() + budget.seconds

    def remaining(self) -> float:
        """Return the seconds left, at least 0."""
        return max(0.0, self._end - time.monotonic())

    def check(self) -> None:
        """Raise GroundingError if the time has run out."""
        if self.remaining() <= 0:
            raise self.error()

    def error(self) -> GroundingError:
        """Return the error that says that the time has run out."""
        return GroundingError(Reason.TIME, f"grounding took longer than {self._seconds:g} s")

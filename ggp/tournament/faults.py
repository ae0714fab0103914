"""Answers that were replaced by random legal moves: late, illegal, or none at all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Faults:
    """Numbers of a player's answers that did not count, START being one.

    >>> Faults.of("TO") + Faults.of("IL (mark 1 1)") + Faults.of("")
    Faults(timeouts=1, illegal=1, connection=0)
    """

    timeouts: int = 0
    """Late: `TO` in a record."""
    illegal: int = 0
    """`IL`."""
    connection: int = 0
    """It could not be reached, or broke off: `CE`."""

    @classmethod
    def of(cls, error: str) -> Self:
        """The faults of one answer, from its text in the record."""
        kind = error[:2]
        return cls(int(kind == "TO"), int(kind == "IL"), int(kind == "CE"))

    @classmethod
    def all(cls, some: Iterable[Faults]) -> Faults:
        """Of several matches together."""
        return sum(some, Faults())

    def __add__(self, other: Faults) -> Faults:
        return Faults(
            self.timeouts + other.timeouts,
            self.illegal + other.illegal,
            self.connection + other.connection,
        )

    def __str__(self) -> str:
        """Those that there are, as records call them: `3 TO, 1 IL`."""
        counts = ((self.timeouts, "TO"), (self.illegal, "IL"), (self.connection, "CE"))
        return ", ".join(f"{count} {name}" for count, name in counts if count)

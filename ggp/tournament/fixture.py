"""A fixture of a tournament and its result, with the faults of its players."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from operator import add
from typing import Final, Self

ABSENT_SHARE: Final = 0.25
"""A player counts as absent if its answers were missing, late or illegal in at least this share of
turns. Turns in which it had only one move are included.
"""


@dataclass(frozen=True, slots=True)
class Faults:
    """Counts of a player's invalid answers, including the answer to START.

    >>> Faults.of("TO") + Faults.of("IL (mark 1 1)") + Faults.of("")
    Faults(timeouts=1, illegal=1, connection=0)
    """

    timeouts: int = 0
    """Late answers, `TO` in a record."""
    illegal: int = 0
    """Illegal answers, `IL` in a record."""
    connection: int = 0
    """Answers that failed because the player was unreachable or the connection broke, `CE`."""

    @classmethod
    def of(cls, error: str) -> Self:
        """Return the faults of one answer, given its error text in the record."""
        kind = error[:2]
        return cls(int(kind == "TO"), int(kind == "IL"), int(kind == "CE"))

    @classmethod
    def all(cls, some: Iterable[Faults]) -> Faults:
        """Return the sum of faults over several matches."""
        return sum(some, Faults())

    def __add__(self, other: Faults) -> Faults:
        return Faults(*map(add, astuple(self), astuple(other)))

    def __str__(self) -> str:
        """Return the nonzero counts with the names used in records, such as `3 TO, 1 IL`."""
        counts = zip(astuple(self), ("TO", "IL", "CE"), strict=True)
        return ", ".join(f"{count} {name}" for count, name in counts if count)


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match that is to be played."""

    number: int
    """Number in the order of play, counted from 0."""
    round: int
    """Number of the round, counted from 0."""
    game: str
    players: tuple[str, ...]
    """Names of the players, one for each role but `random`, in role order."""
    seed: int


@dataclass(frozen=True, slots=True)
class Result:
    """A fixture that has been played."""

    fixture: Fixture
    goals: tuple[int, ...]
    """The goals of the players, 0..100, as the tournament counts them. An aborted match counts 0
    for all.
    """
    faults: tuple[Faults, ...] = ()
    """The faults of the players. Empty if they are not known."""
    absent: tuple[bool, ...] = ()
    """Which players did not play. Empty if all played."""


def is_absent(num_faults: int, num_turns: int) -> bool:
    """Return whether a player with `num_faults` invalid answers counts as absent from a match.

    >>> is_absent(1, num_turns=4), is_absent(1, num_turns=5), is_absent(0, num_turns=0)
    (True, False, False)
    """
    return num_faults >= max(1, ABSENT_SHARE * num_turns)


def counted_goals(goals: Sequence[int], absent: Sequence[bool]) -> tuple[int, ...]:
    """Return the goals of a match as the tournament counts them.

    A player who did not play gets 0. If only one player played, it gets 100. If several played,
    they keep the goals they reached.

    >>> counted_goals([100, 0], absent=[True, False])
    (0, 100)
    """
    if not any(absent):
        return tuple(goals)
    alone = 100 if list(absent).count(False) == 1 else None
    return tuple(
        0 if is_absent else goal if alone is None else alone
        for goal, is_absent in zip(goals, absent, strict=True)
    )


def counted_as(goals: Sequence[int], absent: Sequence[bool]) -> str:
    """Return a text that says how a match counts if a player did not play, else "".

    >>> counted_as([100, 0], absent=[True, False])
    'counts as 0 : 100'
    """
    if not any(absent):
        return ""
    counted = " : ".join(map(str, counted_goals(goals, absent)))
    return "does not count" if all(absent) else f"counts as {counted}"

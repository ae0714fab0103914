"""A fixture of a tournament and its result, with the faults of its players."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from operator import add
from typing import Final, Self

ABSENT_SHARE: Final = 0.25
"""Of a match's turns, those in which the player had one move only as well: whose answers were
missing, late or illegal in so many did not play it."""


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
        return Faults(*map(add, astuple(self), astuple(other)))

    def __str__(self) -> str:
        """Those that there are, as records call them: `3 TO, 1 IL`."""
        counts = zip(astuple(self), ("TO", "IL", "CE"), strict=True)
        return ", ".join(f"{count} {name}" for count, name in counts if count)


@dataclass(frozen=True, slots=True)
class Fixture:
    """One match that is to be played."""

    number: int
    """From 0, in the order of play."""
    round: int
    """From 0."""
    game: str
    players: tuple[str, ...]
    """By name, one for each role but `random`, in role order."""
    seed: int


@dataclass(frozen=True, slots=True)
class Result:
    """A fixture that has been played."""

    fixture: Fixture
    goals: tuple[int, ...]
    """Of its players, 0..100, as they count; a match that was broken off counts 0 for all."""
    faults: tuple[Faults, ...] = ()
    """Of its players; empty where that is not known."""
    absent: tuple[bool, ...] = ()
    """Which of them did not play; empty for none."""


def is_absent(num_faults: int, num_turns: int) -> bool:
    """Whether a player with so many answers that did not count did not play a match.

    >>> is_absent(1, num_turns=4), is_absent(1, num_turns=5), is_absent(0, num_turns=0)
    (True, False, False)
    """
    return num_faults >= max(1, ABSENT_SHARE * num_turns)


def counted_goals(goals: Sequence[int], absent: Sequence[bool]) -> tuple[int, ...]:
    """The goals of a match as they count: 0 for who did not play, 100 for who alone did.

    Where several played these have what they came to among each other.

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
    """A text on how a match counts where somebody did not play; else empty.

    >>> counted_as([100, 0], absent=[True, False])
    'counts as 0 : 100'
    """
    if not any(absent):
        return ""
    counted = " : ".join(map(str, counted_goals(goals, absent)))
    return "counts for nobody" if all(absent) else f"counts as {counted}"

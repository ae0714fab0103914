"""A fixture of a tournament, and its result."""

from __future__ import annotations

from dataclasses import dataclass

from ggp.tournament.faults import Faults


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
    """Of its players, 0..100; a match that was broken off counts 0 for all."""
    faults: tuple[Faults, ...] = ()
    """Of its players; empty where that is not known."""

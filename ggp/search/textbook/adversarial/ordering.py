"""In which order alpha-beta looks at the moves of a state: the best first prunes most.

The lecture's worst case is an order in which nothing is pruned, the best case one in which each
side's best move comes first: O(b^(d/2)) states instead of O(b^d).

At a MAX node the actions are our moves, at a MIN node the joint moves that answer ours.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import gdl
from ggp.search.core.choices import Joint

Action = gdl.Move | Joint
A = TypeVar("A", gdl.Move, Joint)

NUM_KILLERS = 2  # per ply: the usual number, and a third was never found to help


class Spot(NamedTuple):
    """A node whose actions are to be ordered."""

    state: gdl.State
    ply: int  # joint moves from the root to here
    is_max: bool  # whether we choose, not the others
    first: Action | None  # the best action as the table remembers it; None if it does not


class Ordering:
    """Puts actions in order: in that of the rules, as the slides do. Others derive from it."""

    def arrange(self, actions: Sequence[A], spot: Spot) -> Sequence[A]:
        """The same actions, the most promising for who chooses first."""
        return actions

    def praise(self, action: Action, ply: int, depth: int) -> None:
        """Take note that an action made the rest superfluous, with `depth` plies left."""

    def advance(self) -> None:
        """Take note that the root moved on by a ply."""


AS_LISTED = Ordering()


class LearnedOrder(Ordering):
    """The remembered best action first, then killers, then by history.

    Killer moves (Huberman 1968; Akl and Newborn 1977): what refuted a sibling may refute this state
    too; two are kept for each ply. History heuristic (Schaeffer 1989): what has cut off often,
    anywhere, weighted by the square of the depth below it.
    """

    def __init__(self, *, killers: bool = True, history: bool = True) -> None:
        self._has_killers = killers
        self._has_history = history
        self._killers: dict[int, list[Action]] = {}
        self._history: dict[Action, int] = {}

    def arrange(self, actions: Sequence[A], spot: Spot) -> Sequence[A]:
        """By what is known; what is worth the same keeps its order."""
        killers = self._killers.get(spot.ply, ())
        history = self._history

        def promise(action: A) -> tuple[bool, bool, int]:
            return (action == spot.first, action in killers, history.get(action, 0))

        return sorted(actions, key=promise, reverse=True)

    def praise(self, action: Action, ply: int, depth: int) -> None:
        """The action becomes a killer of its ply, and better known."""
        if self._has_killers:
            others = [killer for killer in self._killers.get(ply, ()) if killer != action]
            self._killers[ply] = [action, *others][:NUM_KILLERS]
        if self._has_history:
            self._history[action] = self._history.get(action, 0) + max(1, depth) ** 2

    def advance(self) -> None:
        """Killers move up by a ply; history counts half from now on."""
        self._killers = {ply - 1: found for ply, found in self._killers.items() if ply > 0}
        self._history = {action: count // 2 for action, count in self._history.items() if count > 1}


class Shuffled(Ordering):
    """A random order, for comparison."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def arrange(self, actions: Sequence[A], spot: Spot) -> Sequence[A]:
        """Every order is equally likely."""
        return self._rng.sample(actions, len(actions))


class Foreseen(Ordering):
    """The order of values known beforehand, best or worst first: the ends of the scale."""

    def __init__(
        self, value: Callable[[gdl.State, Action], float], *, worst_first: bool = False
    ) -> None:
        """Args: `value` of an action in a state, for us; whether the order is turned round."""
        self._value = value
        self._worst_first = worst_first

    def arrange(self, actions: Sequence[A], spot: Spot) -> Sequence[A]:
        """By value: MAX looks at the highest first, MIN at the lowest; or the reverse."""
        return sorted(
            actions,
            key=lambda action: self._value(spot.state, action),
            reverse=spot.is_max is not self._worst_first,
        )

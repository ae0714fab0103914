"""The order in which alpha-beta searches a state's moves. Trying good moves first prunes most.

In the worst case the order prunes nothing. In the best case each side's best move comes first, and
only O(b^(d/2)) states are searched instead of O(b^d).

At a MAX node the actions are our moves. At a MIN node they are the joint moves that answer ours.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import gdl
from ggp.search.core.choices import Joint

Action = gdl.Move | Joint
A = TypeVar("A", gdl.Move, Joint)

NUM_KILLERS = 2  # per ply; this is the usual number, and a third killer never helped


class Spot(NamedTuple):
    """A node whose actions are to be ordered."""

    state: gdl.State
    ply: int  # joint moves from the root to here
    is_max: bool  # whether we choose, rather than the others
    first: Action | None  # the best action in the transposition table; None if unknown


class Ordering:
    """The base class of orderings. It keeps the order in which the state machine lists actions."""

    def arrange(self, actions: Sequence[A], spot: Spot) -> Sequence[A]:
        """Return the same actions, the most promising one for the choosing side first."""
        return actions

    def praise(self, action: Action, ply: int, depth: int) -> None:
        """Record that an action caused a cutoff with `depth` plies left."""

    def advance(self) -> None:
        """Update the ordering after the match has advanced by one ply."""


AS_LISTED = Ordering()


class LearnedOrder(Ordering):
    """An ordering with the best action of the table first, then killers, then others by history.

    Killer moves (Huberman 1968; Akl and Newborn 1977) are moves that refuted a sibling and so may
    refute this state too. Two are kept for each ply. The history heuristic (Schaeffer 1989) counts
    how often a move caused a cutoff anywhere, weighted by the square of the depth below it.
    """

    def __init__(self, *, killers: bool = True, history: bool = True) -> None:
        self._has_killers = killers
        self._has_history = history
        self._killers: dict[int, list[Action]] = {}
        self._history: dict[Action, int] = {}

    def arrange(self, actions: Sequence[A], spot: Spot) -> Sequence[A]:
        """Return the actions sorted by what was learned. Ties keep their order."""
        killers = self._killers.get(spot.ply, ())
        history = self._history

        def promise(action: A) -> tuple[bool, bool, int]:
            return (action == spot.first, action in killers, history.get(action, 0))

        return sorted(actions, key=promise, reverse=True)

    def praise(self, action: Action, ply: int, depth: int) -> None:
        """Make the action a killer of its ply, and add it to the history."""
        if self._has_killers:
            others = [killer for killer in self._killers.get(ply, ()) if killer != action]
            self._killers[ply] = [action, *others][:NUM_KILLERS]
        if self._has_history:
            self._history[action] = self._history.get(action, 0) + max(1, depth) ** 2

    def advance(self) -> None:
        """Move the killers up by a ply, and halve the history."""
        self._killers = {ply - 1: found for ply, found in self._killers.items() if ply > 0}
        self._history = {action: count // 2 for action, count in self._history.items() if count > 1}


class Shuffled(Ordering):
    """A random ordering, for comparison."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def arrange(self, actions: Sequence[A], spot: Spot) -> Sequence[A]:
        """Return the actions in a random order; all orders are equally likely."""
        return self._rng.sample(actions, len(actions))


class Foreseen(Ordering):
    """An ordering by given values: the best or, if reversed, the worst possible ordering."""

    def __init__(
        self, value: Callable[[gdl.State, Action], float], *, worst_first: bool = False
    ) -> None:
        """Create an ordering by the values that a function returns.

        Args:
            value: Returns the value of an action in a state, for the searching role.
            worst_first: Whether to reverse the order.
        """
        self._value = value
        self._worst_first = worst_first

    def arrange(self, actions: Sequence[A], spot: Spot) -> Sequence[A]:
        """Return the actions by value: the highest first at MAX nodes, the lowest at MIN nodes.

        If `worst_first` is set, reverse the order.
        """
        return sorted(
            actions,
            key=lambda action: self._value(spot.state, action),
            reverse=spot.is_max is not self._worst_first,
        )

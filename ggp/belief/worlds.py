"""Worlds: the states that a role considers possible and their probabilities, as arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import overload

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.belief.information import Words, row_hashes

Weights = NDArray[np.float64]
Numbers = NDArray[np.int32]
Index = NDArray[np.integer] | NDArray[np.bool_] | slice


@dataclass(frozen=True, eq=False)
class Worlds:
    """`N` worlds for `R` roles. A world is a state and what each role knows in it.

    Two worlds with equal states and equal knowledge are the same world.
    """

    keys: Words
    """`[N, W]` the states: packed as in `gdl.StateBatch` if `is_packed`, otherwise as numbers."""
    known: Words  # `[N, R]` what each role knows, see `ggp.belief.information`
    weights: Weights  # `[N]` probability of each world; the sum is 1 after `normalised`
    moves: Numbers  # `[N, R]` number of each role's last move; -1 if there was none
    is_packed: bool  # whether the keys are packed states
    to_states: Callable[[Words], list[gdl.State]]  # converts keys to states

    @property
    def num(self) -> int:
        """Number of worlds."""
        return len(self.keys)

    @property
    def packed(self) -> Words | None:
        """The states as `gdl.StateBatch` packs them, `[N, W]`. None if the game is not compiled."""
        return self.keys if self.is_packed else None

    @property
    def states(self) -> Sequence[gdl.State]:
        """The states as the machine represents them, each created on demand."""
        return States(self)

    def take(self, index: Index, weights: Weights | None = None) -> Worlds:
        """Return the worlds at `index`. If `weights` is None, the worlds keep their weights."""
        return replace(
            self,
            keys=self.keys[index],
            known=self.known[index],
            moves=self.moves[index],
            weights=self.weights[index] if weights is None else weights,
        )

    def normalised(self) -> Worlds:
        """Return the worlds with weights scaled to a sum of 1. If all are 0, make them equal."""
        total = self.weights.sum()
        weights = self.weights / total if total > 0 else np.full(self.num, 1 / max(1, self.num))
        return replace(self, weights=weights)

    def merged(self, by_state: bool = False) -> Worlds:
        """Return each distinct world once, with the total weight of its copies.

        Args:
            by_state: Whether to merge all worlds with equal states, and take the roles' knowledge
                from the most likely of them.
        """
        hashes = row_hashes(self.keys) if by_state else row_hashes(self.keys, self.known)
        order = np.lexsort((-self.weights, hashes)) if by_state else np.argsort(hashes)
        ordered = hashes[order]
        is_first = np.ones(len(order), np.bool_)
        is_first[1:] = ordered[1:] != ordered[:-1]
        if is_first.all():
            return self
        starts = np.flatnonzero(is_first)
        return self.take(order[starts], np.add.reduceat(self.weights[order], starts))

    def resampled(self, num: int, rng: np.random.Generator) -> Worlds:
        """Draw `num` worlds. Return each world once, with the number of its draws as its weight."""
        counts = np.bincount(draws(self.weights, num, rng), minlength=self.num)
        index = np.flatnonzero(counts)
        return self.take(index, counts[index].astype(np.float64))


class States(Sequence[gdl.State]):
    """The states of worlds, each created on demand."""

    def __init__(self, worlds: Worlds) -> None:
        self._worlds = worlds

    def __len__(self) -> int:
        return self._worlds.num

    @overload
    def __getitem__(self, index: int) -> gdl.State: ...

    @overload
    def __getitem__(self, index: slice) -> list[gdl.State]: ...

    def __getitem__(self, index: int | slice) -> gdl.State | list[gdl.State]:
        worlds = self._worlds
        if isinstance(index, slice):
            return worlds.to_states(worlds.keys[index])
        return worlds.to_states(worlds.keys[[index]])[0]

    def __iter__(self) -> Iterator[gdl.State]:
        return iter(self[:])


def draws(weights: Weights, num: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return `num` random indices. Each occurs in proportion to its weight, up to rounding.

    The method is systematic resampling.

    Args:
        weights: The weight of each index. At least one must not be 0.
        rng: Generator of the only random number, which is an offset.
    """
    ends = np.cumsum(weights)
    points = (np.arange(num) + rng.random()) * (ends[-1] / num)
    found: NDArray[np.int64] = np.searchsorted(ends, points, side="right")
    return np.minimum(found, len(weights) - 1)


def joined(parts: Sequence[Worlds]) -> Worlds:
    """Concatenate one or more parts without changing the weights."""
    return replace(
        parts[0],
        keys=np.concatenate([part.keys for part in parts]),
        known=np.concatenate([part.known for part in parts]),
        moves=np.concatenate([part.moves for part in parts]),
        weights=np.concatenate([part.weights for part in parts]),
    )


@dataclass(frozen=True, slots=True)
class World:
    """A possible state, and the joint move that led to it, or None in the initial state."""

    state: gdl.State
    joint_move: tuple[gdl.Move, ...] | None


@dataclass(frozen=True, slots=True)
class TurnPercepts:
    """A role's information about one turn: its own move and its percepts."""

    own_move: gdl.Move  # the move that the role made
    percepts: frozenset[gdl.Term]  # what the role saw after the joint move
    is_over: bool | None = None  # whether the game ended with this turn, or None if unknown


Counts = NDArray[np.int64]
Model = Callable[[int, Words, Numbers], Weights]
"""A model of how likely the moves of a role are. For each of `N` moves, `model(role, known, moves)`
returns the probability, given what the role knows, times the number of the role's legal moves. So 1
means as likely as the average move."""

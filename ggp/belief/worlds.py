"""Worlds: the states that a role holds possible, with how likely they are, as arrays."""

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
    """Worlds, each a state and what each role knows there. `N` worlds, `R` roles.

    Two worlds with equal state and equal knowledge are one world.
    """

    keys: Words
    """`[N, W]` the states: where the game is compiled, as a batch packs them; else a number."""
    known: Words  # `[N, R]` what each role knows, see `ggp.belief.information`
    weights: Weights  # `[N]` how likely each is; their sum is 1
    moves: Numbers  # `[N, R]` the numbers of the moves that led there last; -1 where none did
    is_packed: bool  # whether the keys are packed states
    to_states: Callable[[Words], list[gdl.State]]  # makes states of keys

    @property
    def num(self) -> int:
        """Number of worlds."""
        return len(self.keys)

    @property
    def packed(self) -> Words | None:
        """`[N, W]` the states as `gdl.StateBatch` packs them; None if they are not compiled."""
        return self.keys if self.is_packed else None

    @property
    def states(self) -> Sequence[gdl.State]:
        """The states, as the machine has them; each is made when it is asked for."""
        return States(self)

    def take(self, index: Index, weights: Weights | None = None) -> Worlds:
        """Some of them, with weights of their own or those they have."""
        return replace(
            self,
            keys=self.keys[index],
            known=self.known[index],
            moves=self.moves[index],
            weights=self.weights[index] if weights is None else weights,
        )

    def normalised(self) -> Worlds:
        """These worlds with weights whose sum is 1: equal ones if they are all 0."""
        total = self.weights.sum()
        weights = self.weights / total if total > 0 else np.full(self.num, 1 / max(1, self.num))
        return replace(self, weights=weights)

    def merged(self, by_state: bool = False) -> Worlds:
        """Each world once, with the sum of its weights.

        Args:
            by_state: Whether worlds are one already if their states are equal; what the roles know
                there is what they know in the likeliest of them.
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
        """At most so many: each is drawn as often as its weight says, up to the next integer."""
        counts = np.bincount(draws(self.weights, num, rng), minlength=self.num)
        index = np.flatnonzero(counts)
        return self.take(index, counts[index].astype(np.float64))


class States(Sequence[gdl.State]):
    """The states of worlds, made when they are asked for."""

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
    """`[num]` indices, each as often as its weight says but for rounding (systematic resampling).

    Args:
        weights: Not all are 0.
        rng: Where the rounding begins.
    """
    ends = np.cumsum(weights)
    points = (np.arange(num) + rng.random()) * (ends[-1] / num)
    found: NDArray[np.int64] = np.searchsorted(ends, points, side="right")
    return np.minimum(found, len(weights) - 1)


def joined(parts: Sequence[Worlds]) -> Worlds:
    """All of some worlds; weights are compared as they stand, and there are some."""
    return replace(
        parts[0],
        keys=np.concatenate([part.keys for part in parts]),
        known=np.concatenate([part.known for part in parts]),
        moves=np.concatenate([part.moves for part in parts]),
        weights=np.concatenate([part.weights for part in parts]),
    )


@dataclass(frozen=True, slots=True)
class World:
    """A state that may be the true one, and the joint move that would have led to it."""

    state: gdl.State
    joint_move: tuple[gdl.Move, ...] | None


@dataclass(frozen=True, slots=True)
class TurnPercepts:
    """A role's knowledge of one turn: its own move, and what it saw."""

    own_move: gdl.Move  # the move that was made for it
    percepts: frozenset[gdl.Term]  # what it saw of the joint move
    is_over: bool | None = None  # whether the game has ended by it; None if nobody has said so


Counts = NDArray[np.int64]
Model = Callable[[int, Words, Numbers], Weights]
"""How likely the moves of a role are: `model(role, known, moves)` is `[N]` the probability of each
move, by its number, of who knows that, times the number of its moves: 1 for one of equal ones."""

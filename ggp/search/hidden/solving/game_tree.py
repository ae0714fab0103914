"""The tree of a small game as arrays: who chooses where, among what, knowing what.

A node is a way through the game at which somebody has a choice, or its end. Roles that choose at
the same time do so in a row, and those that are later do not know what was chosen; forced moves are
folded away. `random` chooses each of its moves equally often, as GDL-II has it.

Nodes are numbered by turns, so that children have higher numbers than their parents, and those that
a role cannot tell apart (an *information set*) have numbers in a row. All passes over a tree are
therefore plain loops, up or down the numbers.

A *slot* is a move in an information set; a strategy is a share for each slot.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.belief import TurnPercepts
from ggp.search.kernels.arrays import FloatArray, IntArray

NOTHING: Final = 0  # the number of what a role knows before the first move


class KnowledgeTree:
    """Everything that one role may know, each with its number.

    Knowledge grows by a turn at a time, so it is a tree: a number, a move and the percepts lead to
    the next number.
    """

    def __init__(self) -> None:
        self._next: dict[tuple[int, gdl.Move, frozenset[gdl.Term]], int] = {}

    def after(self, number: int, own_move: gdl.Move, percepts: frozenset[gdl.Term]) -> int:
        """The number of what is known after one turn more; a new one if it is new."""
        return self._next.setdefault((number, own_move, percepts), len(self._next) + 1)

    def find(self, turns: Iterable[TurnPercepts]) -> int | None:
        """The number of what is known after these turns; None if it never comes to that."""
        number: int | None = NOTHING
        for turn in turns:
            if number is None:
                return None
            number = self._next.get((number, turn.own_move, frozenset(turn.percepts)))
        return number


def hides_information(game: gdl.Game) -> bool:
    """Whether roles know only what the rules let them see (GDL-II)."""
    return game.rulesheet is not None and game.rulesheet.has_percepts


def percepts_of_all(
    game: gdl.Game, state: gdl.State, moves: Sequence[gdl.Move]
) -> list[frozenset[gdl.Term]]:
    """The percepts of each role when a joint move is made."""
    if hides_information(game):
        return [frozenset(game.percepts(state, moves, role)) for role in game.roles]
    pairs = zip(game.roles, moves, strict=True)
    seen = frozenset(gdl.Compound("does", (role, move)) for role, move in pairs)
    return [seen] * len(game.roles)


CHANCE, END = -1, -2
"""Instead of a player who chooses: `random` does, or the game is over."""


class Tree(NamedTuple):
    """A tree for kernels: `N` nodes, `E` edges, `P` players, `S` sets, `L` slots."""

    actors: NDArray[np.int8]  # [N] the player who chooses, CHANCE or END
    sets: IntArray  # [N] the information set of who chooses, or NONE
    first_edges: IntArray  # [N + 1]
    children: IntArray  # [E] the node behind each edge
    goals: FloatArray  # [N, P] at ends
    set_actors: NDArray[np.int8]  # [S]
    set_starts: IntArray  # [S] the first node of a set
    set_ends: IntArray  # [S] and the one after its last
    first_slots: IntArray  # [S + 1]
    parent_slots: IntArray  # [S] the slot that its player chose before, or NONE


@dataclass(frozen=True, eq=False)
class GameTree:
    """A game's tree, and what its numbers mean."""

    game: gdl.Game
    players: tuple[gdl.Role, ...]  # the roles but for `random`; numbers of players count these
    arrays: Tree
    moves: tuple[gdl.Move, ...]  # the move of each slot
    knowledge: tuple[KnowledgeTree, ...]  # what each player may know
    known: IntArray  # `[S]` the number of what a set's player knows in it
    _sets: dict[tuple[int, int], int]

    def __repr__(self) -> str:
        return f"GameTree({self.num_nodes} nodes, {self.num_sets} information sets)"

    @property
    def num_nodes(self) -> int:
        """Nodes, ends included."""
        return len(self.arrays.actors)

    @property
    def num_sets(self) -> int:
        """Information sets of all players."""
        return len(self.arrays.set_actors)

    @property
    def num_slots(self) -> int:
        """Moves of all information sets."""
        return len(self.moves)

    @property
    def choosing(self) -> tuple[int, ...]:
        """The players who ever have a choice."""
        return tuple(int(player) for player in np.unique(self.arrays.set_actors))

    @property
    def total(self) -> float | None:
        """The sum of the goals of two players who choose, if it is always the same."""
        if len(self.choosing) != 2:
            return None
        ends = self.arrays.actors == END
        totals = self.arrays.goals[ends][:, self.choosing].sum(axis=1)
        return float(totals[0]) if (totals == totals[0]).all() else None

    def player(self, role: gdl.Role) -> int:
        """The number of a role that is not `random`."""
        return self.players.index(role)

    def find_set(self, player: int, turns: Iterable[TurnPercepts]) -> int | None:
        """The information set after these turns of a player; None if it has no choice there."""
        number = self.knowledge[player].find(turns)
        return None if number is None else self._sets.get((player, number))

    def slots(self, number: int) -> range:
        """The slots of a set."""
        first, last = self.arrays.first_slots[number : number + 2].tolist()
        return range(first, last)

    def uniform(self) -> FloatArray:
        """The strategies in which everybody makes all moves equally often."""
        sizes = np.diff(self.arrays.first_slots)
        return np.repeat(1.0 / sizes, sizes)

    def mixture(self, number: int, shares: FloatArray) -> dict[gdl.Move, float]:
        """The share of each move of a set, the most frequent first."""
        pairs = [(self.moves[slot], float(shares[slot])) for slot in self.slots(number)]
        return dict(sorted(pairs, key=lambda pair: -pair[1]))


def normalised(tree: Tree, sums: FloatArray) -> FloatArray:
    """Shares that are as numbers of slots; equal ones where all are 0."""
    if not len(sums):
        return sums.copy()
    sizes = np.diff(tree.first_slots)
    totals = np.repeat(np.add.reduceat(sums, tree.first_slots[:-1]), sizes)
    even = np.repeat(1.0 / sizes, sizes)
    return np.where(totals > 0, sums / np.where(totals > 0, totals, 1.0), even)


def as_ints(numbers: Sequence[int]) -> IntArray:
    """Numbers as an array."""
    return np.array(numbers, np.int32)

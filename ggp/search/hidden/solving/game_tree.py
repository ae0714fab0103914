"""The tree of a small game as arrays: who chooses in each node, which moves, and what they know.

A node is a history of the game after which a role has a choice or the game is over. Roles that
choose at the same time do so one after another, without knowing the earlier choices. Forced moves
have no nodes. `random` makes all its moves equally often, as in GDL-II.

Nodes are numbered by turns, so that children have higher numbers than their parents. Nodes that a
role cannot tell apart (an *information set*) have consecutive numbers. So all passes over a tree
are plain loops, up or down the numbers.

A *slot* is a move in an information set. A strategy gives each slot a share: the probability that
the player makes this move.
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

NO_KNOWLEDGE: Final = 0  # the number for what a role knows before the first move


class KnowledgeTree:
    """A numbering of everything that one role may know in the course of a game.

    Knowledge grows turn by turn, so it forms a tree. The number before a turn, the role's own move
    and its percepts determine the number after the turn.
    """

    def __init__(self) -> None:
        self._next: dict[tuple[int, gdl.Move, frozenset[gdl.Term]], int] = {}

    def after(self, number: int, own_move: gdl.Move, percepts: frozenset[gdl.Term]) -> int:
        """Return the number for what the role knows after another turn.

        Assign a number if this knowledge is new.
        """
        return self._next.setdefault((number, own_move, percepts), len(self._next) + 1)

    def find(self, turns: Iterable[TurnPercepts]) -> int | None:
        """Return the number for what the role knows after `turns`, or None if they cannot occur."""
        number: int | None = NO_KNOWLEDGE
        for turn in turns:
            if number is None:
                return None
            number = self._next.get((number, turn.own_move, frozenset(turn.percepts)))
        return number


def hides_information(game: gdl.Game) -> bool:
    """Return whether roles know only what the rules let them see (GDL-II), instead of all moves."""
    return game.rulesheet is not None and game.rulesheet.has_percepts


def percepts_of_all(
    game: gdl.Game, state: gdl.State, moves: Sequence[gdl.Move]
) -> list[frozenset[gdl.Term]]:
    """Return what each role sees of a joint move: its percepts in GDL-II, otherwise all moves."""
    if hides_information(game):
        return [frozenset(game.percepts(state, moves, role)) for role in game.roles]
    pairs = zip(game.roles, moves, strict=True)
    seen = frozenset(gdl.Compound("does", (role, move)) for role, move in pairs)
    return [seen] * len(game.roles)


CHANCE, END = -1, -2
"""Values of `Tree.actors` that are not players: `random` chooses, or the game is over."""


class Tree(NamedTuple):
    """A tree for kernels: `N` nodes, `E` edges, `P` players, `S` sets, `L` slots."""

    actors: NDArray[np.int8]  # [N] the player who chooses, CHANCE or END
    sets: IntArray  # [N] the information set of the player who chooses, or NONE
    first_edges: IntArray  # [N + 1] where the edges of each node begin
    children: IntArray  # [E] the node to which each edge leads
    goals: FloatArray  # [N, P] goals at ends
    set_actors: NDArray[np.int8]  # [S] the player who chooses
    set_starts: IntArray  # [S] the first node of a set
    set_ends: IntArray  # [S] the node after its last
    first_slots: IntArray  # [S + 1] where the slots of each set begin
    parent_slots: IntArray  # [S] the slot that the player chose last before the set, or NONE


@dataclass(frozen=True, eq=False)
class GameTree:
    """The tree of a game, with the roles and moves that its numbers stand for."""

    game: gdl.Game
    players: tuple[gdl.Role, ...]  # the roles except `random`; player numbers index this tuple
    arrays: Tree
    moves: tuple[gdl.Move, ...]  # the move of each slot
    knowledge: tuple[KnowledgeTree, ...]  # what each player may know
    known: IntArray  # `[S]` the number for what the player knows in each set
    _sets: dict[tuple[int, int], int]

    def __repr__(self) -> str:
        return f"GameTree({self.num_nodes} nodes, {self.num_sets} information sets)"

    @property
    def num_nodes(self) -> int:
        """Number of nodes, including ends."""
        return len(self.arrays.actors)

    @property
    def num_sets(self) -> int:
        """Number of information sets of all players."""
        return len(self.arrays.set_actors)

    @property
    def num_slots(self) -> int:
        """Number of slots: the moves of all information sets."""
        return len(self.moves)

    @property
    def choosing(self) -> tuple[int, ...]:
        """Numbers of the players that have a choice somewhere in the game."""
        return tuple(int(player) for player in np.unique(self.arrays.set_actors))

    @property
    def total(self) -> float | None:
        """The fixed sum of the goals of the two players with choices.

        None if the sum varies, or if the number of players with choices is not two.
        """
        if len(self.choosing) != 2:
            return None
        ends = self.arrays.actors == END
        totals = self.arrays.goals[ends][:, self.choosing].sum(axis=1)
        return float(totals[0]) if (totals == totals[0]).all() else None

    def player(self, role: gdl.Role) -> int:
        """Return the player number of a role that is not `random`."""
        return self.players.index(role)

    def find_set(self, player: int, turns: Iterable[TurnPercepts]) -> int | None:
        """Return the number of the information set after a player's turns.

        Return None if the player has no choice there, or if these turns cannot occur.
        """
        number = self.knowledge[player].find(turns)
        return None if number is None else self._sets.get((player, number))

    def slots(self, number: int) -> range:
        """Return the slots of the information set with this number."""
        first, last = self.arrays.first_slots[number : number + 2].tolist()
        return range(first, last)

    def uniform(self) -> FloatArray:
        """Return the shares of the slots if all moves are made equally often, `[L]`."""
        sizes = np.diff(self.arrays.first_slots)
        return np.repeat(1.0 / sizes, sizes)

    def mixture(self, number: int, shares: FloatArray) -> dict[gdl.Move, float]:
        """Return the share of each move in an information set, the largest share first."""
        pairs = [(self.moves[slot], float(shares[slot])) for slot in self.slots(number)]
        return dict(sorted(pairs, key=lambda pair: -pair[1]))


def normalised(tree: Tree, sums: FloatArray) -> FloatArray:
    """Return the numbers `sums`, `[L]`, scaled so that they add up to 1 in each information set.

    If all numbers of an information set are 0, give its slots equal shares.
    """
    if not len(sums):
        return sums.copy()
    sizes = np.diff(tree.first_slots)
    totals = np.repeat(np.add.reduceat(sums, tree.first_slots[:-1]), sizes)
    even = np.repeat(1.0 / sizes, sizes)
    return np.where(totals > 0, sums / np.where(totals > 0, totals, 1.0), even)


def as_ints(numbers: Sequence[int]) -> IntArray:
    """Return numbers as an array of 32-bit integers."""
    return np.array(numbers, np.int32)

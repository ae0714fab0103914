"""Find all states that follow from given states, breadth first, hundreds at a time on lanes.

graph = explore(expander, roots, ExploreLimits(), Deadline.after(60), print)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.belief.information import STEP, mixed
from ggp.clock import Deadline
from ggp.log import ReportLine
from ggp.search.evaluation.book.retrograde import Graph, GraphRows, ranges
from ggp.search.kernels.arrays import BoolArray, IntArray, LongArray, Words

Hashes = NDArray[np.uint64]


class HashCollisionError(ArithmeticError):
    """Two different states have the same hash, so the exploration needs another salt."""


def hashes_of(states: Words, salt: int) -> Hashes:
    """Return the hash of each state, `[n]`. Another `salt` gives other hashes."""
    found: Hashes = np.full(len(states), salt, np.uint64)
    for word in range(states.shape[1]):
        found = mixed((found ^ states[:, word]) + np.uint64(STEP))
    return found


class Known:
    """The numbers of the states found so far, by the hashes of the states."""

    def __init__(self, salt: int) -> None:
        self._salt = salt
        self._hashes: Hashes = np.empty(0, np.uint64)  # ascending
        self._numbers: IntArray = np.empty(0, np.int32)

    def number(self, states: Words, all_states: Words, num: int) -> tuple[IntArray, IntArray]:
        """Return the numbers of `states`. Assign numbers from `num` on to new states.

        Args:
            states: `[n, W]`, possibly with duplicates.
            all_states: `[num or more, W]` the known states, by number.

        Returns:
            The number of each state, `[n]`. Also the index of a row of `states` for each new state,
            in the order of their numbers.

        Raises:
            HashCollisionError: Two different states have the same hash.
        """
        unique, rows, inverse = np.unique(
            hashes_of(states, self._salt), return_index=True, return_inverse=True
        )
        if not np.array_equal(states[rows][inverse], states):
            raise HashCollisionError
        places = np.searchsorted(self._hashes, unique)
        is_known = np.zeros(len(unique), np.bool_)
        inside = places < len(self._hashes)
        is_known[inside] = self._hashes[places[inside]] == unique[inside]
        numbers = np.empty(len(unique), np.int32)
        numbers[is_known] = self._numbers[places[is_known]]
        if not np.array_equal(all_states[numbers[is_known]], states[rows[is_known]]):
            raise HashCollisionError
        is_new = ~is_known
        numbers[is_new] = np.arange(num, num + int(is_new.sum()), dtype=np.int32)
        self._hashes = np.insert(self._hashes, places[is_new], unique[is_new])
        self._numbers = np.insert(self._numbers, places[is_new], numbers[is_new])
        return numbers[inverse.reshape(-1)], rows[is_new].astype(np.int32)


Place = tuple[gdl.State, int]
"""A state that is not terminal, and the number of joint moves from the initial state to it."""
Root = tuple[Words, int]
"""A packed state that is not terminal, and its phase."""

# How many states to expand, and how many children to number, at once. The numbers are large,
# because each call of `Known.number` copies all hashes.
NODES_AT_ONCE = 1 << 16
CHILDREN_AT_ONCE = 1 << 19


def silent(text: str) -> None:
    """Ignore a progress report."""


@dataclass(frozen=True, slots=True)
class ExploreLimits:
    """Limits at which the exploration stops."""

    states: int = 2_000_000
    """Maximum number of states, approximately, because it is checked once per batch."""
    moves: int = 60_000_000
    """Maximum number of joint moves, approximately. Each takes 16 bytes while a graph is solved."""

    def shared(self, num: int) -> ExploreLimits:
        """Return the limits of each of `num` graphs, if all together must stay within `self`."""
        return ExploreLimits(max(1, self.states // num), max(1, self.moves // num))


def explore(
    expander: gdl.Expander,
    roots: Sequence[Root],
    limits: ExploreLimits,
    deadline: Deadline,
    progress: ReportLine = silent,
) -> Graph:
    """Return the graph of all states that follow from the roots, as far as the limits allow."""
    for salt in range(100):
        try:
            return Explorer(expander, salt, limits, deadline, progress).run(roots)
        except HashCollisionError:
            continue
    raise AssertionError("the hashes of the states collide with each of a hundred salts")


class Explorer:
    """One exploration of the states of a game. All hashes use the same salt."""

    def __init__(
        self,
        expander: gdl.Expander,
        salt: int,
        limits: ExploreLimits,
        deadline: Deadline,
        progress: ReportLine,
    ) -> None:
        self._expander, self._limits = expander, limits
        self._deadline, self._progress = deadline, progress
        self._known = Known(salt)
        self._rows = GraphRows(expander.num_words, expander.num_roles)
        self._followed: list[IntArray] = []  # states, as numbers, in the order of their expansion
        self._num_moves: list[IntArray] = []  # legal moves of each role in these states
        self._children: list[IntArray] = []
        self._num_edges = 0
        self._num_told = 0

    def run(self, roots: Sequence[Root]) -> Graph:
        """Expand the roots and all new states, layer by layer."""
        for state, phase in roots:
            self._add_root(state, phase)
        first, is_complete = 0, True
        while first < self._rows.num and is_complete:
            last = self._rows.num
            layer = np.arange(first, last, dtype=np.int32)
            is_complete = self._follow_all(layer[~self._rows.is_terminal[first:last]])
            first = last
        return self._graph(is_complete)

    def _add_root(self, state: Words, phase: int) -> None:
        expander = self._expander
        expander.children[0] = state
        expander.look(1, phase)
        self._take_in(expander.children[:1].copy(), *self._ends(1), phase)

    def _follow_all(self, nodes: IntArray) -> bool:
        """Expand the states of a layer. Return False if a limit or the deadline stopped this."""
        for phase in range(self._expander.num_phases):
            ours = nodes[self._rows.phases[nodes] == phase]
            for first in range(0, len(ours), NODES_AT_ONCE):
                if self._is_over():
                    return False
                self._follow(ours[first : first + NODES_AT_ONCE], phase)
        return True

    def _is_over(self) -> bool:
        return (
            self._rows.num >= self._limits.states
            or self._num_edges >= self._limits.moves
            or self._deadline.is_over()
        )

    def _follow(self, nodes: IntArray, phase: int) -> None:
        expander = self._expander
        num_moves, legal = self._legal(nodes, phase)
        starts = np.cumsum(num_moves).reshape(num_moves.shape) - num_moves
        parents, moves = _joint_moves(num_moves, starts, legal)
        self._followed.append(nodes)
        self._num_moves.append(num_moves.astype(np.int32))
        for first in range(0, len(parents), CHILDREN_AT_ONCE):
            here = slice(first, first + CHILDREN_AT_ONCE)
            made = self._make(self._rows.states[nodes[parents[here]]], moves[here], phase)
            following = (phase + 1) % expander.num_phases
            self._children.append(self._take_in(*made, following))
        self._num_edges += len(parents)
        self._tell()

    def _legal(self, nodes: IntArray, phase: int) -> tuple[LongArray, IntArray]:
        """Return the number of legal moves of each role in each state, `[n, R]`, and the moves."""
        expander, rows = self._expander, self._expander.num_leaves_max
        counts, legal = [], []
        for first in range(0, len(nodes), rows):
            num = min(rows, len(nodes) - first)
            expander.children[:num] = self._rows.states[nodes[first : first + num]]
            expander.look(num, phase)
            starts = expander.legal_starts[: num * expander.num_roles + 1].astype(np.int64)
            counts.append(np.diff(starts).reshape(num, expander.num_roles))
            legal.append(expander.legal[: starts[-1]].copy())
        return np.concatenate(counts), np.concatenate(legal)

    def _make(
        self, parents: Words, moves: IntArray, phase: int
    ) -> tuple[Words, BoolArray, NDArray[np.int16]]:
        expander, rows = self._expander, self._expander.num_leaves_max
        states = np.empty_like(parents)
        is_terminal = np.empty(len(parents), np.bool_)
        goals = np.empty((len(parents), expander.num_roles), np.int16)
        for first in range(0, len(parents), rows):
            num = min(rows, len(parents) - first)
            here = slice(first, first + num)
            expander.parents[:num], expander.moves[:num] = parents[here], moves[here]
            expander.expand(num, phase)
            states[here] = expander.children[:num]
            is_terminal[here], goals[here] = self._ends(num)
        return states, is_terminal, goals

    def _ends(self, num: int) -> tuple[BoolArray, NDArray[np.int16]]:
        expander = self._expander
        return expander.is_terminal[:num].astype(np.bool_), expander.goals[:num].astype(np.int16)

    def _take_in(
        self, states: Words, is_terminal: BoolArray, goals: NDArray[np.int16], phase: int
    ) -> IntArray:
        rows = self._rows
        numbers, new = self._known.number(states, rows.states, rows.num)
        rows.add(states[new], is_terminal[new], goals[new], phase)
        return numbers

    def _tell(self) -> None:
        if self._rows.num - self._num_told >= 100_000:
            self._num_told = self._rows.num
            self._progress(f"{self._rows.num:,} states, {self._num_edges:,} moves")

    def _graph(self, is_complete: bool) -> Graph:
        rows, num = self._rows, self._rows.num
        followed = _joined(self._followed, np.int32)
        moves = np.zeros((num, self._expander.num_roles), np.int32)
        if len(followed):
            moves[followed] = np.concatenate(self._num_moves)
        counts = moves.prod(axis=1, dtype=np.int64)
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        children = np.empty(int(starts[-1]), np.int32)
        children[ranges(starts[followed], counts[followed])] = _joined(self._children, np.int32)
        return Graph(
            states=rows.states[:num],
            is_terminal=rows.is_terminal[:num],
            goals=rows.goals[:num],
            num_moves=moves,
            starts=starts,
            children=children,
            is_complete=is_complete,
        )


def _joined(parts: list[IntArray], kind: type[np.int32]) -> IntArray:
    return np.concatenate(parts) if parts else np.empty(0, kind)


def _joint_moves(
    num_moves: LongArray, starts: LongArray, legal: IntArray
) -> tuple[LongArray, IntArray]:
    """Return all joint moves in `n` states.

    Args:
        num_moves: `[n, R]` number of legal moves of each role.
        starts: `[n, R]` index in `legal` of the first of these moves.
        legal: The legal moves of all states and roles, one after another.

    Returns:
        For each joint move, the index of its state, `[joint moves]`, and the moves of all roles,
        `[joint moves, R]`.
    """
    counts = num_moves.prod(axis=1)
    rows = np.repeat(np.arange(len(counts)), counts)
    rest = ranges(np.zeros(len(counts), np.int64), counts)
    moves = np.empty((len(rows), num_moves.shape[1]), np.int32)
    for role in reversed(range(num_moves.shape[1])):
        choices = num_moves[rows, role]
        moves[:, role] = legal[starts[rows, role] + rest % choices]
        rest //= choices
    return rows, moves

"""What the tree says at its root: which move is best, what it is worth, and what is expected."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.search.choices import Joint
from ggp.search.lanes.descend import child_of
from ggp.search.lanes.pool import BEST, JOINTS, NONE, OPEN, WORST, Pool
from ggp.search.result import MoveValue, SearchResult

Floats = NDArray[np.floating[Any]]

LINE_LENGTH = 20  # plies of the expected line
UNTRIED = 50.0


class Ranking:
    """The moves of one role at a node that is not terminal."""

    def __init__(
        self,
        pool: Pool,
        node: int,
        own: int,
        inputs: Sequence[tuple[int, gdl.Move]],
        *,
        has_chance: bool = False,
        is_short: bool = False,
    ) -> None:
        """The moves.

        Args:
            pool: The tree.
            node: The state.
            own: Index of the role.
            inputs: Role and move of each input.
            has_chance: Whether there is a `random` role.
            is_short: Whether nodes were solved that the game does not end in.
        """
        self._pool = pool
        self._node = node
        self._own = own
        self._inputs = inputs
        # Where chance or several roles decide at once, the pool does not count plies.
        self._has_lengths = not has_chance and not is_short and not pool.used[JOINTS]

    @cached_property
    def _limits(self) -> dict[int, tuple[float, float]]:
        """What is proven of each own move."""
        edges = self._edges(self._node, self._own)
        if self._pool.deciders[self._node] != self._own:
            return dict.fromkeys(edges, (WORST, BEST))
        lows, highs = self._bounds(edges)
        return dict(zip(edges, zip(lows.tolist(), highs.tolist(), strict=True), strict=True))

    @cached_property
    def _extremes(self) -> tuple[float, float]:
        """The best that any own move guarantees, and the best that any still allows."""
        floor, ceiling = map(max, zip(*self._limits.values(), strict=True))
        return floor, ceiling

    def _bounds(self, edges: range) -> tuple[Floats, Floats]:
        """What is proven of the moves of the one who decides, as arrays."""
        pool = self._pool
        children = pool.children[edges.start : edges.stop]
        is_known = children != NONE
        lows = np.where(is_known, pool.lower[children, self._own], WORST)
        return lows, np.where(is_known, pool.upper[children, self._own], BEST)

    @property
    def limits(self) -> list[tuple[float, float]]:
        """What is proven of each own move, in the order of the legal moves."""
        return list(self._limits.values())

    @property
    def is_solved(self) -> bool:
        """Whether the value is proven for every role."""
        pool, node = self._pool, self._node
        return bool((pool.lower[node] == pool.upper[node]).all())

    @property
    def is_decided(self) -> bool:
        """Whether more search cannot change the move."""
        pool, node = self._pool, self._node
        edges = self._edges(node, self._own)
        if pool.kinds[node] != OPEN or len(edges) < 2:
            return True
        if pool.lower[node, self._own] == pool.upper[node, self._own]:
            return True
        if pool.deciders[node] != self._own:
            return False
        # Asked after each batch of rounds, so the moves are not looked at one by one here.
        lows, highs = self._bounds(edges)
        floor = lows.max()
        may_be_best = (highs > floor) | ((lows == floor) & (floor > WORST))
        return int(np.count_nonzero(may_be_best)) == 1

    def result(self) -> SearchResult:
        """The moves, the best first, and what is expected after the first of them."""
        pool, node = self._pool, self._node
        ranked = sorted(self._edges(node, self._own), key=self._rank, reverse=True)
        values = [self._value(edge) for edge in ranked]
        best = values[0]
        return SearchResult(
            move=best.move,
            value=best.value,
            visits=int(pool.visits[node]),
            lower=best.lower,
            upper=best.upper,
            line=self._line(ranked[0]),
            moves=tuple(values),
        )

    def _edges(self, node: int, role: int) -> range:
        first_edges = self._pool.first_edges[node]
        return range(int(first_edges[role]), int(first_edges[role + 1]))

    def _move(self, edge: int) -> gdl.Move:
        return self._inputs[int(self._pool.inputs[edge])][1]

    def _value(self, edge: int) -> MoveValue:
        pool = self._pool
        low, high = self._limits[edge]
        count = int(pool.counts[edge])
        mean = float(pool.sums[edge]) / count if count else UNTRIED
        value = min(max(mean, low), high)
        return MoveValue(self._move(edge), value, count, low, high, self._length(edge))

    def _length(self, edge: int) -> int | None:
        """Plies to the end after a move; None unless what follows is proven for all."""
        pool, node, before = self._pool, self._node, 0
        if pool.deciders[node] == self._own:
            node, before = int(pool.children[edge]), 1
        if not self._has_lengths or node == NONE:
            return None
        is_solved = bool((pool.lower[node] == pool.upper[node]).all())
        return before + int(pool.lengths[node]) if is_solved else None

    def _rank(self, edge: int) -> tuple[bool, bool, float, float, float]:
        """Proven best first, then what was looked at most; where all is lost, what lasts longest.

        A guarantee is taken unless a move that may give more is also thought to give more.
        """
        value = self._value(edge)
        floor, ceiling = self._extremes
        is_sure = value.lower == floor == ceiling
        may_be_best = value.upper > floor or (value.lower == floor and floor > WORST)
        is_hopeful = may_be_best and value.value >= floor
        return is_sure, is_hopeful, self._patience(edge, ceiling), value.visits, value.value

    def _patience(self, edge: int, ceiling: float) -> float:
        pool = self._pool
        child = int(pool.children[edge]) if pool.deciders[self._node] == self._own else NONE
        if child == NONE:
            return math.inf if ceiling == WORST else 0.0
        if ceiling == WORST:
            return float(pool.lengths[child])
        # Of proven wins the shortest; elsewhere the length says nothing.
        return -float(pool.lengths[child]) if pool.lower[child, self._own] == BEST else 0.0

    def _likely(self, node: int, role: int) -> int:
        """The edge that a role takes: the one looked at most, or the way to a proven end."""
        pool, edges = self._pool, self._edges(node, role)
        is_solved = bool((pool.lower[node] == pool.upper[node]).all())
        if is_solved and self._has_lengths and pool.deciders[node] == role:
            children = pool.children[edges.start : edges.stop]
            fits = (children != NONE) & (pool.lower[children, role] == pool.lower[node, role])
            fits &= (pool.lower[children] == pool.upper[children]).all(axis=1)
            fits &= pool.lengths[children] == pool.lengths[node] - 1
            if fits.any():
                return edges[int(fits.argmax())]
        return max(edges, key=lambda e: int(pool.counts[e]))

    def _line(self, edge: int) -> tuple[Joint, ...]:
        """The joint moves looked at most, the first of them with a move of our own."""
        pool, node, line = self._pool, self._node, list[Joint]()
        own: int | None = edge
        while node != NONE and pool.kinds[node] == OPEN and len(line) < LINE_LENGTH:
            chosen = [
                own if own is not None and role == self._own else self._likely(node, role)
                for role in range(pool.lower.shape[1])
            ]
            child = int(child_of(pool, node, np.array(chosen, np.int32)))
            if line and child == NONE and min(int(pool.counts[e]) for e in chosen) == 0:
                break
            own = None
            line.append(tuple(self._move(e) for e in chosen))
            node = child
        return tuple(line)

"""Ranking: find the best move at the root of the tree, its value, and the expected line."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.search.core.choices import Joint
from ggp.search.core.result import MoveValue, SearchResult
from ggp.search.core.root import drawn_first, floor_and_ceiling, rank
from ggp.search.fast.lanes import LaneSettings
from ggp.search.fast.tree.backup import value_of
from ggp.search.fast.tree.nodes import BEST, JOINTS, KNOWN, MAX_JOINT_MOVES, OPEN, WORST, Pool
from ggp.search.fast.tree.prove import HIGH, LOW, limit_moves
from ggp.search.fast.tree.regret_matching import num_joint_moves, shares_of
from ggp.search.fast.tree.selection import child_of
from ggp.search.kernels.arrays import NONE

Floats = NDArray[np.floating[Any]]

LINE_LENGTH = 20  # plies of the expected line
UNTRIED = 50.0


@dataclass(eq=False)
class Ranking:
    """A ranking of one role's moves at a node that is not terminal."""

    pool: Pool
    node: int
    own: int
    """Index of the role."""
    inputs: Sequence[tuple[int, gdl.Move]]
    settings: LaneSettings
    chance: int
    """Index of the `random` role, or NONE."""
    is_short: bool
    """Whether nodes were solved without reaching the end of the game, so that lengths may be too
    short."""
    chances: Mapping[int, float]
    """The expected goals if the other roles err, by edge, for moves of equal proven value."""

    @property
    def _has_lengths(self) -> bool:
        # If chance or several roles decide, lengths are not forced.
        return self.chance == NONE and not self.is_short and not self.pool.used[JOINTS]

    @cached_property
    def bounds(self) -> dict[int, tuple[float, float]]:
        """The proven bounds of each own move, by edge, in the order of the legal moves."""
        pool, node = self.pool, self.node
        edges = self._edges(node, self.own)
        if len(edges) == 1 or pool.kinds[node] != OPEN:
            own = float(pool.lower[node, self.own]), float(pool.upper[node, self.own])
            return dict.fromkeys(edges, own)
        if pool.deciders[node] == NONE:
            if num_joint_moves(pool, node) > MAX_JOINT_MOVES:
                return dict.fromkeys(edges, (WORST, BEST))
            limit_moves(pool, node)
            rows = pool.limits[edges.start - pool.first_edges[node, 0] :]
            return {e: (float(r[LOW]), float(r[HIGH])) for e, r in zip(edges, rows, strict=False)}
        lows, highs = self._bound_arrays(edges)
        return dict(zip(edges, zip(lows.tolist(), highs.tolist(), strict=True), strict=True))

    @cached_property
    def _values(self) -> dict[int, MoveValue]:
        return {edge: self._value(edge) for edge in self.bounds}

    @cached_property
    def limits(self) -> dict[int, tuple[float, float]]:
        """Like `bounds`, but both bounds equal the value if everything after the move is known."""
        return {edge: value.limits for edge, value in self._values.items()}

    @cached_property
    def _extremes(self) -> tuple[float, float]:
        return floor_and_ceiling(self.limits.values())

    def _bound_arrays(self, edges: range) -> tuple[Floats, Floats]:
        pool = self.pool
        children = pool.children[edges.start : edges.stop]
        is_known = children != NONE
        lows = np.where(is_known, pool.lower[children, self.own], WORST)
        return lows, np.where(is_known, pool.upper[children, self.own], BEST)

    def _limit_arrays(self, edges: range) -> tuple[Floats, Floats]:
        """Return `limits` as two arrays `[E]`. Valid only if the role alone decides."""
        pool = self.pool
        lows, highs = self._bound_arrays(edges)
        children = pool.children[edges.start : edges.stop]
        is_closed = (children != NONE) & (pool.is_closed[children] != 0)
        for index in np.flatnonzero(is_closed & (lows < highs)).tolist():
            child = int(children[index])
            lows[index] = highs[index] = value_of(pool, child, self.own, self.chance)
        return lows, highs

    @property
    def is_decided(self) -> bool:
        """Whether searching longer cannot change the move."""
        pool, node = self.pool, self.node
        edges = self._edges(node, self.own)
        if pool.kinds[node] != OPEN or len(edges) < 2:
            return True
        is_known = pool.is_closed[node] or pool.lower[node, self.own] == pool.upper[node, self.own]
        if pool.deciders[node] != self.own:
            return bool(is_known)
        # This runs after each batch, so it does not loop over the moves in Python.
        lows, highs = self._limit_arrays(edges)
        floor = lows.max()
        if is_known:  # even so, an open move may turn out to be as good
            return floor == BEST or not ((lows < highs) & (highs >= floor)).any()
        are_hopeful = (highs > floor) | ((lows == floor) & (floor > WORST))  # as `may_be_best` says
        return int(np.count_nonzero(are_hopeful)) == 1

    @property
    def equals(self) -> list[int]:
        """Edges of the moves that share the best proven value, if there are several.

        Empty if another move may still be better, if the value is a win, or if the role does not
        decide alone.
        """
        pool, node = self.pool, self.node
        edges = self._edges(node, self.own)
        is_open = pool.kinds[node] == OPEN and pool.deciders[node] == self.own
        if not is_open or self._extremes[1] == BEST:
            return []
        sure = [edge for edge in edges if self._is_sure(edge)]
        return sure if len(sure) > 1 else []

    def result(self, sample: float = 0.0) -> SearchResult:
        """Return the moves, the best first, and the expected line after the first of them.

        Args:
            sample: From 0 to 1. The same `sample` gives the same move in the same tree.
        """
        pool, node = self.pool, self.node
        ranked = sorted(self._edges(node, self.own), key=self._rank, reverse=True)
        if self.settings.is_mixing and not self._is_sure(ranked[0]):
            ranked = drawn_first(ranked, [self.shares.get(edge, 0.0) for edge in ranked], sample)
        values = [self._values[edge] for edge in ranked]
        return SearchResult.ranked(values, int(pool.visits[node]), self._line(ranked[0]))

    def _edges(self, node: int, role: int) -> range:
        first_edges = self.pool.first_edges[node]
        return range(int(first_edges[role]), int(first_edges[role + 1]))

    def _move(self, edge: int) -> gdl.Move:
        return self.inputs[int(self.pool.inputs[edge])][1]

    def _value(self, edge: int) -> MoveValue:
        pool = self.pool
        low, high = self.bounds[edge]
        count = int(pool.counts[edge])
        mean = float(pool.values[edge]) if count else UNTRIED
        value = min(max(mean, low), high)
        share = self.shares.get(edge, 0.0) if self.settings.is_mixing else 0.0
        child = int(pool.children[edge]) if pool.deciders[self.node] == self.own else NONE
        is_settled = child != NONE and int(pool.is_closed[child]) == KNOWN
        if is_settled:
            value = float(value_of(pool, child, self.own, self.chance))
        return MoveValue(
            self._move(edge), value, count, low, high, self._length(edge), share, is_settled
        )

    def _length(self, edge: int) -> int | None:
        """Return the plies to the end after a move if its value is proven, else None."""
        pool, node, before = self.pool, self.node, 0
        if pool.deciders[node] == self.own:
            node, before = int(pool.children[edge]), 1
        if not self._has_lengths or node == NONE:
            return None
        is_proven = pool.lower[node, self.own] == pool.upper[node, self.own]
        return before + int(pool.lengths[node, self.own]) if is_proven else None

    @cached_property
    def shares(self) -> dict[int, float]:
        """Probability of each own move, by edge. Empty unless several roles decide at once."""
        pool, node = self.pool, self.node
        if pool.kinds[node] != OPEN or pool.deciders[node] != NONE:
            return {}
        found = shares_of(pool, node, self.chance)
        if found is None:
            return {}
        start = int(pool.first_edges[node, 0])
        return {edge: float(found[edge - start]) for edge in self._edges(node, self.own)}

    def _is_sure(self, edge: int) -> bool:
        floor, ceiling = self._extremes
        return bool(self.limits[edge][0] == floor == ceiling)

    def _rank(self, edge: int) -> tuple[bool, bool, float, float, float, float]:
        value = self._values[edge]
        floor, ceiling = self._extremes
        return rank(
            value,
            floor,
            ceiling,
            final=self.settings.final if value.visits else "visits",
            patience=self._patience(edge, ceiling),
            chance=self.chances.get(edge, 0.0),
        )

    def _patience(self, edge: int, ceiling: float) -> float:
        pool = self.pool
        child = int(pool.children[edge]) if pool.deciders[self.node] == self.own else NONE
        if child == NONE:
            return math.inf if ceiling == WORST else 0.0
        if ceiling == WORST:
            return float(pool.lengths[child, self.own])
        # Prefer the shortest proven win. Other lengths say nothing.
        is_won = pool.lower[child, self.own] == BEST
        return -float(pool.lengths[child, self.own]) if is_won else 0.0

    def _likely(self, node: int, role: int) -> int:
        """Return the edge that a role will probably take: to a proven end, or the most visited."""
        pool, edges = self.pool, self._edges(node, role)
        is_solved = bool((pool.lower[node] == pool.upper[node]).all())
        if is_solved and self._has_lengths and pool.deciders[node] == role:
            children = pool.children[edges.start : edges.stop]
            fits = (children != NONE) & (pool.lower[children, role] == pool.lower[node, role])
            fits &= (pool.lower[children] == pool.upper[children]).all(axis=1)
            fits &= pool.lengths[children, role] == pool.lengths[node, role] - 1
            if fits.any():
                return edges[int(fits.argmax())]
        return max(edges, key=lambda e: int(pool.counts[e]))

    def _line(self, edge: int) -> tuple[Joint, ...]:
        """Return the expected line that starts with our move `edge`."""
        pool, node, line = self.pool, self.node, list[Joint]()
        own: int | None = edge
        while node != NONE and pool.kinds[node] == OPEN and len(line) < LINE_LENGTH:
            chosen = [
                own if own is not None and role == self.own else self._likely(node, role)
                for role in range(pool.lower.shape[1])
            ]
            child = int(child_of(pool, node, np.array(chosen, np.int32)))
            if line and child == NONE and min(int(pool.counts[e]) for e in chosen) == 0:
                break
            own = None
            line.append(tuple(self._move(e) for e in chosen))
            node = child
        return tuple(line)

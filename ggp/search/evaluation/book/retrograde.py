"""Retrograde analysis: compute the values of states backwards from the end of the game.

This is the method of Thompson, Retrograde Analysis of Certain Endgames, 1986, for any number of
roles. It works in waves. Each wave computes the values of all states whose successors have values
already.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from ggp.search.core.result import WORST
from ggp.search.kernels.arrays import BoolArray, IntArray, LongArray, Words

WORD_BITS = 64


@dataclass(frozen=True, slots=True)
class Graph:
    """A state graph: `N` states in `W` words each, with `R` roles and `E` joint moves in total."""

    states: Words  # [N, W] packed, no state twice
    is_terminal: BoolArray  # [N] whether the game is over
    goals: NDArray[np.int16]  # [N, R] goals in terminal states
    num_moves: IntArray  # [N, R] legal moves of each role; 0 in states that were not expanded
    starts: LongArray  # [N + 1] where the joint moves of each state begin
    children: IntArray  # [E] the state after each; the last role's move changes fastest
    is_complete: bool  # whether the graph has all states that can be reached from the roots

    @property
    def num_states(self) -> int:
        """Number of states, N."""
        return len(self.states)

    @property
    def num_stuck(self) -> int:
        """Number of states where a role has no legal move. Valid only if the graph is complete."""
        return int(np.count_nonzero(~self.is_terminal & (self.num_moves.min(axis=1) == 0)))


def ranges(starts: LongArray, counts: LongArray) -> LongArray:
    """Concatenate ranges of integers. Range i has `counts[i]` integers, from `starts[i]` on."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total, dtype=np.int64) + np.repeat(starts - ends + counts, counts)


class GraphRows:
    """The states found so far, in arrays that grow."""

    def __init__(self, num_words: int, num_roles: int) -> None:
        self.num = 0
        self.states: Words = np.empty((1024, num_words), np.uint64)
        self.is_terminal: BoolArray = np.zeros(1024, np.bool_)
        self.goals: NDArray[np.int16] = np.zeros((1024, num_roles), np.int16)
        self.phases: NDArray[np.uint8] = np.zeros(1024, np.uint8)

    def add(
        self, states: Words, is_terminal: BoolArray, goals: NDArray[np.int16], phase: int
    ) -> None:
        """Append states of the same `phase`. The caller must not add a state twice."""
        end = self.num + len(states)
        if end > len(self.states):
            self._grow(end)
        here = slice(self.num, end)
        self.states[here], self.is_terminal[here] = states, is_terminal
        self.goals[here], self.phases[here] = goals, phase
        self.num = end

    def _grow(self, size: int) -> None:
        size = max(size, len(self.states) * 3 // 2)
        for name in ("states", "is_terminal", "goals", "phases"):
            old = getattr(self, name)
            new = np.zeros((size, *old.shape[1:]), old.dtype)
            new[: self.num] = old[: self.num]
            setattr(self, name, new)


Values = NDArray[np.float64]

_CHUNK = 1 << 20  # joint moves handled at once
_NEVER = np.iinfo(np.int32).max


@dataclass(frozen=True, slots=True)
class Solution:
    """Values of the `N` states of a graph."""

    values: Values  # [N, R] the goal of each role
    lengths: IntArray  # [N] plies to the end of the game, see `solve`
    is_solved: BoolArray  # [N] whether the value is known; if not, ignore the row


def solve(graph: Graph, chance: int | None) -> Solution:
    """Compute the values of all states from which every path leads to a terminal state.

    Lengths assume that a role that gets the worst goal delays the end, and that any other role
    hastens it. If several roles or chance decide, the longest path counts.

    Args:
        graph: The states. States from which a cycle can be reached are not solved.
        chance: Index of the `random` role, if the game has one.
    """
    solution = Solution(
        values=graph.goals.astype(np.float64),
        lengths=np.zeros(graph.num_states, np.int32),
        is_solved=graph.is_terminal.copy(),
    )
    waiting = np.diff(graph.starts)
    parents, starts = _reversed(graph)
    wave = np.flatnonzero(graph.is_terminal)
    while len(wave):
        _value(graph, wave[~graph.is_terminal[wave]], solution, chance)
        solution.is_solved[wave] = True
        edges = ranges(starts[wave], starts[wave + 1] - starts[wave])
        before, counts = np.unique(parents[edges], return_counts=True)
        waiting[before] -= counts
        wave = before[waiting[before] == 0]
    return solution


def _reversed(graph: Graph) -> tuple[IntArray, LongArray]:
    """Return the predecessors of all states in one array, and where those of each state begin."""
    owners = np.repeat(np.arange(graph.num_states, dtype=np.int32), np.diff(graph.starts))
    counts = np.bincount(graph.children, minlength=graph.num_states)
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    return owners[np.argsort(graph.children, kind="stable")], starts


def _value(graph: Graph, nodes: LongArray, solution: Solution, chance: int | None) -> None:
    if not len(nodes):
        return
    shapes, kinds = np.unique(graph.num_moves[nodes], axis=0, return_inverse=True)
    for number, row in enumerate(shapes.tolist()):
        ours, shape = nodes[kinds.reshape(-1) == number], tuple(row)
        size = prod(shape)
        for first in range(0, len(ours), max(1, _CHUNK // size)):
            here = ours[first : first + max(1, _CHUNK // size)]
            following = graph.children[graph.starts[here][:, np.newaxis] + np.arange(size)]
            values = solution.values[following].reshape(len(here), *shape, len(shape))
            lengths = solution.lengths[following].reshape(len(here), *shape)
            solution.values[here], solution.lengths[here] = decide(values, lengths, chance)


def decide(values: Values, lengths: IntArray, chance: int | None) -> tuple[Values, IntArray]:
    """Compute the values of `S` states from those of their successors.

    Args:
        values: `[S, moves of role 0, moves of role 1, ..., R]` values of the successors.
        lengths: `[S, moves of role 0, ...]` plies from the successors to the end.
        chance: Index of the `random` role, if the game has one.

    Returns:
        The values of the states, `[S, R]`, and the plies from them to the end, `[S]`.
    """
    if chance is not None and values.shape[1 + chance] > 1:
        values = values.mean(axis=1 + chance, keepdims=True)
        lengths = lengths.max(axis=1 + chance, keepdims=True)
    num, num_roles = len(values), values.shape[-1]
    deciders = [role for role in range(num_roles) if values.shape[1 + role] > 1]
    joint, ways = values.reshape(num, -1, num_roles), lengths.reshape(num, -1)
    if len(deciders) != 1:
        sure = [_sure(values[..., role], role) for role in range(num_roles)]
        return np.stack(sure, axis=1), ways.max(axis=1) + 1
    own = joint[:, :, deciders[0]]
    best = own.max(axis=1)
    is_best = own == best[:, np.newaxis]
    left = np.where(is_best[:, :, np.newaxis], joint, np.inf).min(axis=1)
    soonest = np.where(is_best, ways, _NEVER).min(axis=1)
    latest = np.where(is_best, ways, 0).max(axis=1)
    return left, np.where(best == WORST, latest, soonest) + 1


def _sure(values: Values, role: int) -> NDArray[np.float64]:
    """Return the goal in each of `S` states that a role can guarantee with a single move, `[S]`.

    All roles move at once.
    """
    own = np.moveaxis(values, 1 + role, 1)
    sure: NDArray[np.float64] = own.reshape(*own.shape[:2], -1).min(axis=2).max(axis=1)
    return sure

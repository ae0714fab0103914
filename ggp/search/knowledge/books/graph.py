"""The graph of a game: states, and which joint move leads from where to where."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int32]
LongArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
Words = NDArray[np.uint64]

WORD_BITS = 64


@dataclass(frozen=True, slots=True)
class Graph:
    """Some states of a game. `N` states of `W` words, `R` roles, `E` joint moves in all."""

    states: Words  # [N, W] packed, each once
    is_terminal: BoolArray  # [N]
    goals: NDArray[np.int16]  # [N, R] of the terminal ones
    num_moves: IntArray  # [N, R] legal moves of each role; 0 in states that were not followed
    starts: LongArray  # [N + 1] where the joint moves of each state begin
    children: IntArray  # [E] what they lead to: joint moves in order, the last role's move first
    roots: IntArray  # [any] where it began
    is_complete: bool
    """Whether all that follows from the roots is there."""

    @property
    def num_states(self) -> int:
        """N."""
        return len(self.states)

    @property
    def num_stuck(self) -> int:
        """States in which the rules leave a role without a move; of a complete graph only."""
        return int(np.count_nonzero(~self.is_terminal & (self.num_moves.min(axis=1) == 0)))


def ranges(starts: LongArray, counts: LongArray) -> LongArray:
    """All numbers `starts[i]` up to `starts[i] + counts[i]`, one range after the other."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total, dtype=np.int64) + np.repeat(starts - ends + counts, counts)


class GraphRows:
    """All that is known of the states so far, in arrays that grow."""

    def __init__(self, num_words: int, num_roles: int) -> None:
        self.num = 0
        self.states: Words = np.empty((1024, num_words), np.uint64)
        self.is_terminal: BoolArray = np.zeros(1024, np.bool_)
        self.goals: NDArray[np.int16] = np.zeros((1024, num_roles), np.int16)
        self.phases: NDArray[np.uint8] = np.zeros(1024, np.uint8)

    def add(
        self, states: Words, is_terminal: BoolArray, goals: NDArray[np.int16], phase: int
    ) -> None:
        """Add states that are not known yet."""
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

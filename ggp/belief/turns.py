"""What a role learns in a turn, one of the worlds that agree with it, and how likely moves are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.belief.information import Words
from ggp.belief.worlds import Numbers, Weights


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

"""What a role learns in a turn, and one of the worlds that agree with it."""

from __future__ import annotations

from dataclasses import dataclass

import gdl


@dataclass(frozen=True, slots=True)
class World:
    """A state that may be the true one, and the joint move that would have led to it."""

    state: gdl.State
    joint_move: tuple[gdl.Move, ...] | None


@dataclass(frozen=True, slots=True)
class TurnPercepts:
    """A role's knowledge of one turn: its own move, and what it saw.

    Attributes:
        own_move: The move that was made for it.
        percepts: What it saw of the joint move.
        is_over: Whether the game has ended by it; None if nobody has said so.
    """

    own_move: gdl.Move
    percepts: frozenset[gdl.Term]
    is_over: bool | None = None

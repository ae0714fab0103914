"""The contract of what carries worlds on, and what a role learns in a turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.belief.information import Words
from ggp.belief.worlds import Numbers, Weights, Worlds
from ggp.clock import Deadline


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


class Stepper(Protocol):
    """Carries worlds of one role on by joint moves. It belongs to one thread.

    Attributes:
        num_at_once: How many worlds it carries on at once, at most.
        room: How many worlds may be kept, with those of earlier turns.
        model: How likely the others' moves are, but for those of chance; None: one is as likely as
            the other.
    """

    num_at_once: int
    room: int
    model: Model | None

    def begin(self, state: gdl.State) -> Worlds:
        """One world: this state, with nothing known of what was before."""

    def count_legal(self, worlds: Worlds, deadline: Deadline) -> Counts:
        """`[N, R]` how many moves each role has in worlds, 0 in those that are over.

        There are fewer rows if the deadline came before.
        """

    def follow(self, worlds: Worlds, ranks: Counts, turn: TurnPercepts) -> Worlds:
        """What worlds become by a joint move each, without those that disagree with the turn.

        Args:
            worlds: At most `num_at_once`. None is over.
            ranks: `[N, R]` which of its legal moves each role makes; of ours it does not count.
            turn: Our move, what we saw, and whether the game is over.
        """

    def count_strangers(self, worlds: Worlds, ranks: Counts, turn: TurnPercepts) -> Counts:
        """`[N]` how many percepts our role would have by joint moves that it did not have.

        The arguments are those of `follow`. It is -1 where our move is not legal.
        """

    def is_legal(self, worlds: Worlds, moves: Sequence[gdl.Move], deadline: Deadline) -> bool:
        """Whether a joint move is legal in one of the worlds that there is time to look at."""

    def joint_move(self, moves: Numbers) -> tuple[gdl.Move, ...] | None:
        """The joint move of `Worlds.moves`; None if there was none."""

    def move_numbers(self, moves: Sequence[gdl.Move]) -> Numbers | None:
        """The numbers of a joint move; None if some role never has that move."""

    def keep_only(self, parts: Sequence[Worlds]) -> None:
        """Take note that no other worlds than these will be asked about any more."""

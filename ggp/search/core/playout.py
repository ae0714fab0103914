"""Random playouts: everybody moves at random until the game is over."""

from __future__ import annotations

import random
from dataclasses import dataclass

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Joint, goals_in

UNDECIDED = 50.0  # a playout that did not end says nothing about who wins
HORIZON = 500  # plies; no bundled game is as long


@dataclass(frozen=True, slots=True)
class Playout:
    """The course and the end of one random game."""

    goals: tuple[float, ...]
    """The goal of each role, in role order, 0..100."""
    moves: tuple[Joint, ...]
    """The joint moves made, in order."""
    is_complete: bool
    """Whether a terminal state was reached within the horizon."""


def playout(
    machine: gdl.StateMachine,
    state: gdl.State,
    rng: random.Random,
    deadline: Deadline,
    horizon: int = HORIZON,
) -> Playout | None:
    """Play at random from a state to the end of the game; None if the time is over before that.

    After `horizon` plies, or where a role has no legal move, the game counts as undecided.
    """
    moves: list[Joint] = []
    while not machine.is_terminal(state):
        if deadline.is_over():
            return None
        joint = random_joint(machine, state, rng) if len(moves) < horizon else ()
        if not joint:
            return Playout((UNDECIDED,) * len(machine.roles), tuple(moves), is_complete=False)
        state = machine.next_state(state, joint)
        moves.append(joint)
    return Playout(goals_in(machine, state), tuple(moves), is_complete=True)


def random_joint(machine: gdl.StateMachine, state: gdl.State, rng: random.Random) -> Joint:
    """A uniformly random legal move for each role; empty if some role has none."""
    joint = []
    for role in machine.roles:
        moves = machine.legal_moves(state, role)
        if not moves:
            return ()
        # Cheaper than rng.choice, in the innermost loop of all; uniform to 2**-53.
        joint.append(moves[int(rng.random() * len(moves))])
    return tuple(joint)

"""Random playouts, in which all roles move at random until the game is over."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Joint, goals_in

UNDECIDED = 50.0  # goal of every role in a playout that was stopped before its end
HORIZON = 500  # maximum number of plies; every bundled game is shorter


@dataclass(frozen=True, slots=True)
class Playout:
    """The moves and the outcome of one random game."""

    goals: tuple[float, ...]  # the goal of each role, in role order, 0..100
    moves: tuple[Joint, ...]  # the joint moves made, in order
    is_complete: bool  # whether a terminal state was reached within the horizon


def playout(
    machine: gdl.StateMachine,
    state: gdl.State,
    rng: random.Random,
    deadline: Deadline,
    horizon: int = HORIZON,
) -> Playout | None:
    """Play at random from a state to the end of the game; return None if the deadline comes first.

    After `horizon` plies, or if a role has no legal move, the game counts as undecided.
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
    """Return a uniformly random legal move for each role; empty if some role has none."""
    joint = []
    for role in machine.roles:
        moves = machine.legal_moves(state, role)
        if not moves:
            return ()
        # Cheaper than rng.choice, because this is the innermost loop; uniform to 2**-53.
        joint.append(moves[int(rng.random() * len(moves))])
    return tuple(joint)


NUM_STATES = 200
SEED = 1


def sample_states(
    machine: gdl.StateMachine, num: int = NUM_STATES, seed: int = SEED
) -> tuple[gdl.State, ...]:
    """Return `num` states, none of them terminal, from random games played one after another.

    Return no states if the initial state is terminal or a role cannot move in it.
    """
    rng = random.Random(seed)
    states: list[gdl.State] = []
    while len(states) < num:
        walk = list(_walk(machine, rng, min(HORIZON, num - len(states))))
        if not walk:
            break
        states += walk
    return tuple(states)


def _walk(machine: gdl.StateMachine, rng: random.Random, plies: int) -> Iterator[gdl.State]:
    state = machine.initial_state()
    for _ in range(plies):
        if machine.is_terminal(state):
            return
        joint = random_joint(machine, state, rng)
        if not joint:
            return
        yield state
        state = machine.next_state(state, joint)

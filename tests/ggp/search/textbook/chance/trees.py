"""Trees whose values are known by hand, and positions of every game, for the tests of this room."""

from __future__ import annotations

import random

import gdl
from tests.fakes.gametree import Place, decision, game_tree, terminal


def bins() -> gdl.Game:
    """The three bins of "Search in Games": A {-50, 50}, B {1, 3}, C {15, -5}, as goals 0..100.

    Numbers are moved by 50: A {0, 100}, B {51, 53}, C {65, 45}.
    """
    return game_tree(
        ("me", "you"),
        decision("me", a=bin_of(0, 100), b=bin_of(51, 53), c=bin_of(65, 45)),
    )


def bin_of(left: int, right: int) -> Place:
    """You choose one of two numbers."""
    return decision("you", left=terminal(left, 100 - left), right=terminal(right, 100 - right))


def position_of(machine: gdl.StateMachine, plies: int, seed: int) -> gdl.State:
    """A state some random plies from the start, not terminal."""
    rng = random.Random(seed)
    state = machine.initial_state()
    for _ in range(plies):
        joint = [rng.choice(machine.legal_moves(state, role)) for role in machine.roles]
        after = machine.next_state(state, joint)
        if machine.is_terminal(after):
            break
        state = after
    return state

"""Positions of all bundled games that these tests search, and how deep that takes no time."""

from __future__ import annotations

import random
from functools import cache

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.search.choices import choices_in

DEPTHS = {
    "breakthrough": 2,
    "breakthroughSmall": 2,
    "chomp": 2,
    "connectFour": 3,
    "hex": 2,
    "ticTacToe": 4,
    "threePlayerTicTacToe": 2,
    "goofspiel": 2,
    "lightsOut": 2,
    "othello": 3,
    "tron": 3,
}
"""Plies that are searched; `USUAL` in other games."""
USUAL = 4
NEVER = Deadline.never()


@cache
def machine_of(name: str) -> gdl.StateMachine:
    """A bundled game, compiled for one state at a time."""
    return gdl.load(games.text(name), "scalar")


@cache
def position_of(name: str, plies: int = 4, seed: int = 1) -> gdl.State:
    """A state after some random plies, fewer if the game would be over."""
    machine, rng = machine_of(name), random.Random(seed)
    state = machine.initial_state()
    for _ in range(plies):
        joint = tuple(rng.choice(moves) for moves in choices_in(machine, state))
        after = machine.next_state(state, joint)
        if machine.is_terminal(after):
            break
        state = after
    return state


def depth_of(name: str) -> int:
    """How many plies the laws search in a game."""
    return DEPTHS.get(name, USUAL)

"""Positions of all bundled games that these tests search, and how deep that takes no time."""

from __future__ import annotations

import random
from functools import cache
from itertools import product

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.search.core.choices import choices_in

MAX_STATES = 800
"""States in the last ply that the laws search."""
MAX_PLIES = 4
NEVER = Deadline.never()


@cache
def machine_of(name: str) -> gdl.Game:
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


@cache
def depth_of(name: str) -> int:
    """Plies that the laws search in a game: as many as take no time."""
    machine, level = machine_of(name), [position_of(name)]
    for depth in range(MAX_PLIES):
        level = [
            machine.next_state(state, joint)
            for state in level
            if not machine.is_terminal(state)
            for joint in product(*choices_in(machine, state))
        ]
        if len(level) > MAX_STATES:
            return max(1, depth)
    return MAX_PLIES

"""States of random play: from them the evaluations find out what the rules do not say."""

from __future__ import annotations

import random
from collections.abc import Iterator

import gdl
from ggp.search.core.playout import HORIZON, random_joint

NUM_STATES = 200
SEED = 1


def sample_states(
    machine: gdl.StateMachine,
    num: int = NUM_STATES,
    seed: int = SEED,
    horizon: int = HORIZON,
) -> tuple[gdl.State, ...]:
    """States of random games, one game after the other, none of them terminal.

    Args:
        machine: The game.
        num: How many states; fewer if the first state is terminal or stuck.
        seed: The same seed gives the same states.
        horizon: Plies after which a game is left.
    """
    rng = random.Random(seed)
    states: list[gdl.State] = []
    while len(states) < num:
        walk = list(_walk(machine, rng, min(horizon, num - len(states))))
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

"""Decide whether the goals of two roles have a fixed sum, and whether the roles take turns.

The decision is based on random games. What holds in all of them usually holds in every game.
"""

from __future__ import annotations

import random
from typing import Final, NamedTuple

import numpy as np

import gdl
from ggp.match.referee import played_roles
from ggp.search.core.choices import choices_in

NUM_GAMES: Final = 256
NUM_STEPS: Final = 512
NUM_PLAIN_GAMES: Final = 8
"""Number of random games if the game is not compiled."""


class Sharing(NamedTuple):
    """Relation between two roles.

    Attributes:
        total: The fixed sum of their goals. None if there is no fixed sum or not exactly two roles.
        is_in_turns: Whether the roles never have a choice at the same time.
    """

    total: float | None
    is_in_turns: bool


def sharing_in(game: gdl.Game) -> Sharing:
    """Return how a game's roles relate to each other. The result depends only on the game."""
    own = [game.roles.index(role) for role in played_roles(game)]
    if len(own) != 2:
        return Sharing(None, is_in_turns=False)
    sums, is_in_turns = _plainly(game, own) if game.scalar is None else _on_lanes(game, own)
    return Sharing(float(sums.pop()) if len(sums) == 1 else None, is_in_turns)


def _on_lanes(game: gdl.Game, own: list[int]) -> tuple[set[int], bool]:
    batch, rng = game.batch(NUM_GAMES), np.random.default_rng(0)
    sums, is_in_turns = set[int](), True
    for _ in range(NUM_STEPS):
        is_in_turns &= not (batch.num_legal[:, own] > 1).all(axis=1).any()
        batch.step(batch.draw(rng))
        ended = batch.is_terminal.nonzero()[0]
        sums.update(batch.goals[ended][:, own].sum(axis=1).tolist())
        if len(sums) > 1:
            break
    return sums, is_in_turns


def _plainly(game: gdl.Game, own: list[int]) -> tuple[set[int], bool]:
    rng, sums, is_in_turns = random.Random(0), set[int](), True
    for _ in range(NUM_PLAIN_GAMES):
        state = game.initial_state()
        for _ in range(NUM_STEPS):
            choices = () if game.is_terminal(state) else choices_in(game, state)
            if not choices:
                break
            is_in_turns &= not all(len(choices[role]) > 1 for role in own)
            state = game.next_state(state, tuple(map(rng.choice, choices)))
        if game.is_terminal(state):
            sums.add(sum(game.goal(state, game.roles[role]) for role in own))
    return sums, is_in_turns

"""A game of random legal actions in one environment."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from ggp.environments.single import Environment


def play(env: Environment, seed: int) -> list[tuple[Any, float, bool, bool, dict[str, Any]]]:
    """A game of random legal actions: what reset and each step returned."""
    rng = random.Random(seed)
    observation, info = env.reset(seed=seed)
    steps = [(observation, 0.0, False, False, info)]
    while not steps[-1][2] and not steps[-1][3]:
        legal = np.flatnonzero(steps[-1][4]["action_mask"]).tolist()
        steps.append(env.step(rng.choice(legal)))
    return steps

"""Temporal differences: learn a guess from a later guess.

TD(lambda) of Sutton, Learning to Predict by the Methods of Temporal Differences, 1988, as Tesauro
and Sejnowski's backgammon players of the lecture *Game Playing* came to use it. After each game the
states get the targets of the forward view,

    G(t) = (1 - lambda) V(t+1) + lambda G(t+1),   G(last) = the goals at the end,

and the weights move towards them. With lambda = 1 only the end counts, with 0 only the next guess.
"""

from __future__ import annotations

import numpy as np

from ggp.search.kernels.arrays import FloatArray
from ggp.training.weights.model import LinearModel
from ggp.training.weights.selfplay import PlayedGame


def learn_from(model: LinearModel, game: PlayedGame, trace: float, rate: float) -> None:
    """Move the weights of a model after one game.

    Args:
        model: Changed in place.
        game: What was played.
        trace: lambda, from 0 to 1.
        rate: See `LinearModel.learn`.
    """
    values = np.array([model(state) for state in game.states]).reshape(-1, len(game.goals)) / 100
    model.learn(game.states, targets(values, np.array(game.goals) / 100, trace), rate)


def targets(values: FloatArray, outcome: FloatArray, trace: float) -> FloatArray:
    """`[T, R]` what each state should have been worth.

    Args:
        values: `[T, R]` what the states were thought to be worth, from 0 to 1.
        outcome: `[R]` what came out.
        trace: lambda.
    """
    found = np.empty_like(values)
    following, after = outcome, outcome  # V(t+1) and G(t+1)
    for time in reversed(range(len(values))):
        after = (1 - trace) * following + trace * after
        found[time] = after
        following = values[time]
    return found

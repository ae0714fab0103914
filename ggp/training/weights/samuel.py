"""Samuel's way: learn a guess from what a search makes of it.

A. L. Samuel, Some Studies in Machine Learning Using the Game of Checkers, 1959, which the lecture
*Game Playing* names: it "learned by playing against a copy of itself". The value that a search
backs up from some plies further on is a better guess than the value at first sight, so after each
game the weights move to close the gap, in every state in which somebody searched:

    target(s) = backed-up value of s at the search depth

Three things differ. Samuel moved his weights by the signs of the errors, after each move, and let
the copy stand still until it was beaten; here the steps are those of the least squares that became
usual later, after each game, and the copy learns as well, so that a game teaches twice as much.
"""

from __future__ import annotations

import numpy as np

from ggp.search.kernels.arrays import FloatArray
from ggp.training.weights.model import LinearModel
from ggp.training.weights.selfplay import PlayedGame


def learn_from(model: LinearModel, game: PlayedGame, rate: float) -> None:
    """Move the weights of a model after one game.

    Args:
        model: Changed in place.
        game: What was played; its searches looked 2 plies ahead or more, since nearer values teach
            little.
        rate: See `LinearModel.learn`.
    """
    rows = targets(game, model.is_tug_of_war)
    known = np.flatnonzero((~np.isnan(rows)).any(1))
    model.learn([game.states[time] for time in known.tolist()], rows[known], rate)


def targets(game: PlayedGame, is_tug_of_war: bool) -> FloatArray:
    """`[T, R]` the values backed up, from 0 to 1; NaN where nobody searched.

    Args:
        game: What was played.
        is_tug_of_war: Whether what is good for one of two roles is as bad for the other.
    """
    rows = np.array(game.backed, np.float64).reshape(-1, len(game.goals)) / 100
    if is_tug_of_war:
        rows = np.where(np.isnan(rows), 1 - rows[:, ::-1], rows)
    return rows

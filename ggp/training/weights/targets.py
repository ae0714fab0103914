"""Target values of the states of a game, from which the weights learn.

TD(lambda) of Sutton, Learning to Predict by the Methods of Temporal Differences, 1988, learns a
guess from a later guess. It was later used by Tesauro and Sejnowski's backgammon players, which the
lecture *Game Playing* mentions. After each game the states get the targets of the forward view,

    G(t) = (1 - lambda) V(t+1) + lambda G(t+1),   G(last) = the goals at the end,

and the weights move towards them. With lambda = 1 only the end counts, with 0 only the next guess.

A. L. Samuel, Some Studies in Machine Learning Using the Game of Checkers, 1959, is named in the
lecture *Game Playing*. It learns a guess from the result of a search: it "learned by playing
against a copy of itself". The value that a search backs up from some plies ahead is a better guess
than the static value. So after each game the weights move to close the gap, in every state in which
a role searched:

    target(s) = backed-up value of s at the search depth

Three things differ here. Samuel moved his weights by the signs of the errors, after each move, and
kept the copy fixed until it was beaten. Here the steps are made after each game, by the method of
least squares that became usual later, and the copy learns as well, so that a game teaches twice as
much.
"""

from __future__ import annotations

import numpy as np

from ggp.search.kernels.arrays import FloatArray
from ggp.training.weights.model import LinearModel
from ggp.training.weights.selfplay import PlayedGame


def learn_td(model: LinearModel, game: PlayedGame, trace: float, rate: float) -> None:
    """Move the weights of a model after one game, by TD(lambda).

    Args:
        model: Changed in place.
        rate: See `LinearModel.learn`.
    """
    values = np.array([model(state) for state in game.states]).reshape(-1, len(game.goals)) / 100
    model.learn(game.states, td_targets(values, np.array(game.goals) / 100, trace), rate)


def td_targets(values: FloatArray, outcome: FloatArray, trace: float) -> FloatArray:
    """Return `[T, R]` the target values of the states.

    Args:
        values: `[T, R]` the estimated values of the states, from 0 to 1.
        outcome: `[R]` the goals at the end, from 0 to 1.
    """
    found = np.empty_like(values)
    following, after = outcome, outcome  # V(t+1) and G(t+1)
    for time in reversed(range(len(values))):
        after = (1 - trace) * following + trace * after
        found[time] = after
        following = values[time]
    return found


def learn_samuel(model: LinearModel, game: PlayedGame, rate: float) -> None:
    """Move the weights of a model after one game, by Samuel's method.

    Args:
        model: Changed in place.
        game: The game that was played. Its searches should look 2 plies ahead or more, because
            values from fewer plies teach little.
        rate: See `LinearModel.learn`.
    """
    rows = samuel_targets(game, model.is_tug_of_war)
    known = np.flatnonzero((~np.isnan(rows)).any(1))
    model.learn([game.states[time] for time in known.tolist()], rows[known], rate)


def samuel_targets(game: PlayedGame, is_tug_of_war: bool) -> FloatArray:
    """Return `[T, R]` the backed-up values, from 0 to 1. NaN means that no role searched.

    Args:
        is_tug_of_war: Whether what is good for one of two roles is equally bad for the other.
    """
    rows = np.array(game.backed, np.float64).reshape(-1, len(game.goals)) / 100
    if is_tug_of_war:
        rows = np.where(np.isnan(rows), 1 - rows[:, ::-1], rows)
    return rows

"""Target values of the states of a game, from which the weights learn.

TD(lambda) (Sutton, Learning to Predict by the Methods of Temporal Differences, 1988) learns the
value of a state from the values of later states. The backgammon players of Tesauro and Sejnowski
used it later; the lecture *Game Playing* mentions them. After each game the states get the targets
of the forward view,

    G(t) = (1 - lambda) V(t+1) + lambda G(t+1),   G(last) = the goals at the end,

and the weights change so that the values come closer to the targets. With lambda = 1 only the end
of the game counts, with lambda = 0 only the value of the next state.

The method of A. L. Samuel, Some Studies in Machine Learning Using the Game of Checkers, 1959,
learns the value of a state from the result of a search. The lecture *Game Playing* names his
program, which "learned by playing against a copy of itself". The value that a search backs up from
some plies ahead is a better estimate than the static value. So after each game the weights change
to close the gap, in every state in which a role searched:

    target(s) = backed-up value of s at the search depth

Three things differ here. Samuel changed his weights by the signs of the errors, after each move,
and kept the copy fixed until it was beaten. Here the weights change after each game, in proportion
to the errors (`LinearModel.learn`), and the copy learns as well, so that a game teaches twice as
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
        model: The model; changed in place.
        trace: lambda, from 0 to 1.
        rate: See `LinearModel.learn`.
    """
    values = np.array([model(state) for state in game.states]).reshape(-1, len(game.goals)) / 100
    model.learn(game.states, td_targets(values, np.array(game.goals) / 100, trace), rate)


def td_targets(values: FloatArray, outcome: FloatArray, trace: float) -> FloatArray:
    """Return the target values of the states by TD(lambda), `[T, R]`.

    Args:
        values: `[T, R]` the estimated values of the states, from 0 to 1.
        outcome: `[R]` the goals at the end, from 0 to 1.
        trace: lambda, from 0 to 1.
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
        model: The model; changed in place.
        game: The game that was played. Its searches should look 2 plies ahead or more, because
            values from fewer plies teach little.
        rate: See `LinearModel.learn`.
    """
    rows = samuel_targets(game, model.is_tug_of_war)
    known = np.flatnonzero((~np.isnan(rows)).any(1))
    model.learn([game.states[time] for time in known.tolist()], rows[known], rate)


def samuel_targets(game: PlayedGame, is_tug_of_war: bool) -> FloatArray:
    """Return the backed-up values of the states, `[T, R]`, from 0 to 1.

    A value is NaN if no search has found it.

    Args:
        is_tug_of_war: Whether there are two roles, and one loses what the other gains. Then the
            search of one role also gives the value of the other.
    """
    rows = np.array(game.backed, np.float64).reshape(-1, len(game.goals)) / 100
    if is_tug_of_war:
        rows = np.where(np.isnan(rows), 1 - rows[:, ::-1], rows)
    return rows

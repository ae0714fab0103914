"""Evaluations: estimates of the values of states that are not terminal.

>>> import gdl
>>> from ggp import games
>>> machine = gdl.load(games.text("ticTacToe"))
>>> named(machine, "mobility")(machine.initial_state())
(50.0, 50.0)
"""

from ggp.search.evaluation.evaluation import Evaluation, EvenEvaluation, GoalEvaluation
from ggp.search.evaluation.naming import NAMES, named
from ggp.search.evaluation.weights import Weights, WeightsError, read_weights, write_weights

__all__ = [
    "NAMES",
    "Evaluation",
    "EvenEvaluation",
    "GoalEvaluation",
    "Weights",
    "WeightsError",
    "named",
    "read_weights",
    "write_weights",
]

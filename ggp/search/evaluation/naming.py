"""Look up evaluations by name, as in the option `eval` of players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import gdl
from ggp.errors import UnknownNameError
from ggp.search.evaluation.evaluation import (
    Evaluation,
    EvenEvaluation,
    GoalEvaluation,
    ProximityEvaluation,
)
from ggp.search.evaluation.linear import LinearEvaluation, MeanEvaluation
from ggp.search.evaluation.mobility import ControlEvaluation, MobilityEvaluation
from ggp.search.evaluation.weights import Weights

SIMPLE: Final[Mapping[str, Callable[[gdl.Game], Evaluation]]] = {
    "even": EvenEvaluation,
    "goal": GoalEvaluation,
    "mobility": MobilityEvaluation,
    "control": ControlEvaluation,
    "proximity": ProximityEvaluation,
}
"""Evaluations that need only the game."""

LINEAR: Final = "linear"
UNTRAINED: Final = ("goal", "mobility")
"""Without weights, `linear` is the mean of these evaluations."""

NAMES: Final = (LINEAR, *SIMPLE)
"""All names that `named` accepts."""


def named(game: gdl.Game, name: str, weights: Weights | None = None) -> Evaluation:
    """Return the evaluation called `name`.

    Args:
        weights: The weights for `linear`. If None, `linear` is the mean of the evaluations in
            `UNTRAINED`. All other evaluations ignore the weights.

    Raises:
        UnknownNameError: There is no evaluation of that name.
        WeightsError: The weights are for another game.
    """
    if name in SIMPLE:
        return SIMPLE[name](game)
    if name != LINEAR:
        raise UnknownNameError("evaluation", name, NAMES)
    if weights is None:
        return MeanEvaluation([named(game, part) for part in UNTRAINED])
    return LinearEvaluation(game, weights, partial(named, game), tuple(SIMPLE))

"""Evaluations by name, as the option `eval` of the players knows them."""

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
"""Evaluations that need nothing but the game."""

LINEAR: Final = "linear"
UNTRAINED: Final = ("goal", "mobility")
"""The evaluations whose mean `linear` is as long as there are no weights."""

NAMES: Final = (LINEAR, *SIMPLE)
"""All names that `named` knows."""


def named(game: gdl.Game, name: str, weights: Weights | None = None) -> Evaluation:
    """The evaluation of this name.

    Args:
        weights: What `linear` combines; by default the evaluations in `UNTRAINED`, equally. Other
            evaluations have no weights.

    Raises:
        UnknownNameError: There is no such evaluation.
        WeightsError: The weights are of another game.
    """
    if name in SIMPLE:
        return SIMPLE[name](game)
    if name != LINEAR:
        raise UnknownNameError("evaluation", name, NAMES)
    if weights is None:
        return MeanEvaluation([named(game, part) for part in UNTRAINED])
    return LinearEvaluation(game, weights, partial(named, game), tuple(SIMPLE))

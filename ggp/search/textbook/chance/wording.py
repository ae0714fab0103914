"""Opponent models as text: `random`, `minimax`, or a mixture such as `adversarial:1+random:3`.

    MIXTURE = PART { "+" PART }
    PART    = NAME [ ":" WEIGHT ]          a weight is above 0; 1 if there is none

A comma would end the option of a player, so there is none.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import gdl
from ggp.search.evaluation.evaluation import Evaluation
from ggp.search.textbook.chance.models import (
    DepthMinimax,
    Mixture,
    OpponentModel,
    adversarial,
    cooperative,
    uniform,
)

PLAIN: dict[str, OpponentModel] = {
    "adversarial": adversarial,
    "cooperative": cooperative,
    "random": uniform,
}
MINIMAX = "minimax"
NAMES = (*PLAIN, MINIMAX)


@dataclass(frozen=True, slots=True)
class MinimaxHabit:
    """Playing habits of the opponents in the model `minimax`."""

    depth: int = 2
    """Plies that they look ahead."""
    p: float = 0.8
    """Probability that they use what they found, from 0 to 1; else they move at random."""


def parse_mixture(text: str) -> tuple[tuple[str, float], ...]:
    """The names and weights of a mixture.

    Raises:
        ValueError: It is none.
    """
    return tuple(map(_parse_part, text.split("+")))


def _parse_part(text: str) -> tuple[str, float]:
    name, colon, number = text.strip().partition(":")
    weight = float(number) if colon else 1.0
    if name not in NAMES or not math.isfinite(weight) or weight <= 0:
        raise ValueError(text)
    return name, weight


def make_model(
    mixture: str, machine: gdl.StateMachine, evaluate: Evaluation, habit: MinimaxHabit
) -> OpponentModel:
    """The model that a text describes.

    Args:
        mixture: As above.
        machine: The game.
        evaluate: What opponents of the model `minimax` think of states where their depth ends.
        habit: How they play.

    Raises:
        ValueError: The text is no mixture.
    """
    parts = [
        (_model(name, machine, evaluate, habit), weight) for name, weight in parse_mixture(mixture)
    ]
    return parts[0][0] if len(parts) == 1 else Mixture(parts)


def _model(
    name: str, machine: gdl.StateMachine, evaluate: Evaluation, habit: MinimaxHabit
) -> OpponentModel:
    if name != MINIMAX:
        return PLAIN[name]
    searching = DepthMinimax(machine, habit.depth, evaluate)
    weighed = ((searching, habit.p), (uniform, 1 - habit.p))
    return Mixture([(model, weight) for model, weight in weighed if weight > 0])

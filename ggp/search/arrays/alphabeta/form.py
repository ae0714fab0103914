"""Evaluations that the array code can compute: linear ones, and value networks.

Linear ones are sums of goals, mobility, control and facts, each with a weight.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.search.knowledge.evaluation.combined import LinearEvaluation, MeanEvaluation
from ggp.search.knowledge.evaluation.evaluation import (
    EVEN,
    Evaluation,
    EvenEvaluation,
    GoalEvaluation,
)
from ggp.search.knowledge.evaluation.mobility import ControlEvaluation, MobilityEvaluation
from ggp.search.knowledge.network.evaluation import NetworkEvaluation
from ggp.search.knowledge.network.kernel import Floats


@dataclass(frozen=True, slots=True)
class HiddenUnits:
    """A value network for one role. `K` facts, `H` units, `P` phases."""

    facts: tuple[str, ...]
    reference: NDArray[np.bool_]  # [K] whether each is true most of the time
    rows: Floats  # [K, H]
    start: Floats  # [H]
    output: Floats  # [P, H]
    bias: Floats  # [P]
    phase_of: Callable[[gdl.State], int]

    @classmethod
    def of(cls, evaluate: NetworkEvaluation, own: int) -> HiddenUnits:
        """The part of a network that counts for a role."""
        network = evaluate.network
        output, bias = network.output[:, own], network.bias[:, own]
        if network.is_shared:
            other, half = 1 - own, np.float32(1 / 2)
            output = half * (output - network.output[:, other])
            bias = half * (bias - network.bias[:, other])
        return cls(
            network.facts,
            network.reference,
            network.rows,
            network.start,
            output,
            bias,
            evaluate.phase_of,
        )


NO_UNITS = HiddenUnits(
    facts=(),
    reference=np.zeros(0, np.bool_),
    rows=np.zeros((0, 0), np.float32),
    start=np.zeros(0, np.float32),
    output=np.zeros((1, 0), np.float32),
    bias=np.zeros(1, np.float32),
    phase_of=lambda state: 0,
)
"""The network of a form without one."""


@dataclass(frozen=True, slots=True)
class Form:
    """The value of a state for one role: a bias and weighted features, summed up; or a network.

    The sum is squashed as `ggp.search.knowledge.evaluation.linear` does, or cut to 0..100.
    """

    bias: float = 0.0
    goal: float = 0.0
    mobility: float = 0.0
    control: float = 0.0
    weight_of: Callable[[gdl.Term], float] | None = None
    """The weight of a fact, added while it is true; None: facts add nothing."""
    is_squashed: bool = False
    marks: tuple[gdl.Term, ...] = ()
    """For mobility: the fact of each role that marks its turn; empty if the rules do not."""
    usual: float = 0.0
    """For mobility: moves of a role that waits, where turns are not marked."""
    units: HiddenUnits | None = None
    """A value network, which counts alone then."""

    def needs(self, fact: gdl.Term) -> bool:
        """Whether the value depends on a fact by itself."""
        if self.units is not None:
            return str(fact) in self.units.facts
        return fact in self.marks or (self.weight_of is not None and self.weight_of(fact) != 0.0)


def form_of(evaluate: Evaluation, own: int) -> Form | None:
    """An evaluation as the array code computes it for a role; None if it cannot.

    Args:
        evaluate: One of `ggp.search.knowledge.evaluation`; others are not known here.
        own: Index of the role.
    """
    if isinstance(evaluate, NetworkEvaluation):
        return Form(units=HiddenUnits.of(evaluate, own))
    if isinstance(evaluate, MeanEvaluation):
        share = 1 / len(evaluate.parts)
        return _sum(Form(), [(part, share) for part in evaluate.parts])
    if not isinstance(evaluate, LinearEvaluation):
        return _sum(Form(), [(evaluate, 1.0)])
    # A part counts from -1 to 1 there: what is even adds nothing.
    weights = [(part, row[own] / EVEN) for part, row in evaluate.parts]
    facts = evaluate.facts
    form = Form(
        bias=facts.bias[own] - sum(weight * EVEN for _, weight in weights),
        weight_of=lambda fact: facts.weights_of(fact)[own],
        is_squashed=True,
    )
    return _sum(form, weights)


def _sum(form: Form, weights: list[tuple[Evaluation, float]]) -> Form | None:
    for part, weight in weights:
        added = _added(form, part, weight)
        if added is None:
            return None
        form = added
    return form


def _added(form: Form, part: Evaluation, weight: float) -> Form | None:
    if isinstance(part, EvenEvaluation):
        return replace(form, bias=form.bias + weight * EVEN)
    if isinstance(part, GoalEvaluation):
        return replace(form, goal=form.goal + weight)
    if isinstance(part, ControlEvaluation):
        return replace(form, control=form.control + weight)
    if isinstance(part, MobilityEvaluation):
        marks, usual = part.marks, part.usual
        return replace(form, mobility=form.mobility + weight, marks=marks, usual=usual)
    return None

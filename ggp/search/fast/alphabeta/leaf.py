"""Evaluations in arrays, for states in which the search stops before the game ends."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import gdl
from gdl import kernel
from ggp.search.core.result import BEST, WORST
from ggp.search.evaluation.evaluation import EVEN, Evaluation, EvenEvaluation, GoalEvaluation
from ggp.search.evaluation.linear import LinearEvaluation, MeanEvaluation
from ggp.search.evaluation.mobility import ControlEvaluation, MobilityEvaluation
from ggp.search.evaluation.network.kernel import GROUP, Floats
from ggp.search.evaluation.network.network import NetworkEvaluation
from ggp.search.kernels.arrays import FloatArray, IntArray
from ggp.search.kernels.game import count_legal, goal_of, make_from

if TYPE_CHECKING:
    from gdl import ScalarPlaces as Places


@dataclass(frozen=True, slots=True)
class Form:
    """An evaluation for one role: the sum of a bias and weighted features, or a network.

    The sum is squashed as in `ggp.search.evaluation.linear`, or clipped to 0..100.
    """

    bias: float = 0.0
    goal: float = 0.0
    mobility: float = 0.0
    control: float = 0.0
    weight_of: Callable[[gdl.Term], float] | None = None
    """Returns the weight of a fact, which is added if the fact is true. If None, facts have no
    weights."""
    is_squashed: bool = False
    marks: tuple[gdl.Term, ...] = ()
    """For mobility: the fact that marks the turn of each role; empty if the rules have none."""
    usual: float = 0.0
    """For mobility: number of moves of a role that is not to move, if turns are not marked."""
    network: NetworkEvaluation | None = None
    """A value network, which replaces all features."""
    own: int = 0
    """For a network: index of the role."""

    def needs(self, fact: gdl.Term) -> bool:
        """Return whether the value depends directly on a fact."""
        if self.network is not None:
            return str(fact) in self.network.network.facts
        return fact in self.marks or (self.weight_of is not None and self.weight_of(fact) != 0.0)


def form_of(evaluate: Evaluation, own: int) -> Form | None:
    """Convert an evaluation to a form for a role. Return None if it has no such form."""
    if isinstance(evaluate, NetworkEvaluation):
        return Form(network=evaluate, own=own)
    if isinstance(evaluate, MeanEvaluation):
        share = 1 / len(evaluate.parts)
        return _sum(Form(), [(part, share) for part in evaluate.parts])
    if not isinstance(evaluate, LinearEvaluation):
        return _sum(Form(), [(evaluate, 1.0)])
    # Linear evaluations scale their parts to -1..1, so that an even value adds nothing.
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
        if isinstance(part, EvenEvaluation):
            form = replace(form, bias=form.bias + weight * EVEN)
        elif isinstance(part, GoalEvaluation):
            form = replace(form, goal=form.goal + weight)
        elif isinstance(part, ControlEvaluation):
            form = replace(form, control=form.control + weight)
        elif isinstance(part, MobilityEvaluation):
            mobility = form.mobility + weight
            form = replace(form, mobility=mobility, marks=part.marks, usual=part.usual)
        else:
            return None
    return form


_BIAS, _GOAL, _MOBILITY, _CONTROL, _USUAL, _SQUASHED = range(6)
_LARGEST = 30.0  # the same as in `ggp.search.evaluation.linear.squashed`


class Units(NamedTuple):
    """A value network for one role of a game.

    There are `P` phases, `K` inputs, which are facts and pairs of facts, and `H` units. H = 0 means
    that there is no network.
    """

    bases: IntArray  # [K, 2] numbers of the two facts of a pair, or of a single fact twice
    reference: IntArray  # [K] value of each input in the reference state
    rows: Floats  # [K + 1, H] what an input adds if it is not as in `reference`; last row 0
    start: Floats  # [H] the sums of the reference state
    output: Floats  # [P, H]
    bias: Floats  # [P]
    sums: Floats  # [H] working memory
    active: IntArray  # [K + GROUP] working memory
    phase: IntArray  # [1] the phase of all evaluated states


class Leaf(NamedTuple):
    """A form for one role of a game. There are `K` weighted facts, `R` roles and `W` words."""

    terms: FloatArray  # [6] bias and weights, usual number of moves, whether the sum is squashed
    bases: IntArray  # [K] number of each fact
    weights: FloatArray  # [K]
    marks: IntArray  # [R] number of the fact that marks the turn of each role; or empty
    is_chance: IntArray  # [R]
    counts: FloatArray  # [R] working memory for the numbers of moves
    words: IntArray  # [2, W] working memory for a state, and the same with another role to move
    units: Units


def make_leaf(game: gdl.ScalarGame, form: Form) -> Leaf:
    """Create the arrays of a form, for a game that keeps all facts that the form needs."""
    number = {fact: base for base, fact in enumerate(game.facts)}
    weight_of = form.weight_of or (lambda fact: 0.0)
    known = {base: weight for fact, base in number.items() if (weight := weight_of(fact))}
    terms = (form.bias, form.goal, form.mobility, form.control, form.usual, form.is_squashed)
    return Leaf(
        terms=np.array(terms, np.float64),
        bases=np.array(list(known), np.int32),
        weights=np.array(list(known.values()), np.float64),
        marks=np.array([number[mark] for mark in form.marks], np.int32),
        is_chance=np.array([gdl.is_random(role) for role in game.roles], np.int32),
        counts=np.zeros(len(game.roles), np.float64),
        words=np.zeros((2, game.num_words), np.int32),
        units=_no_units() if form.network is None else _make_units(number, form.network, form.own),
    )


def _no_units() -> Units:
    bases, reference, sums = (
        np.zeros((0, 2), np.int32),
        np.zeros(0, np.int32),
        np.zeros(0, np.float32),
    )
    rows, bias = np.zeros((1, 0), np.float32), np.zeros(1, np.float32)
    active, phase = np.zeros(GROUP, np.int32), np.zeros(1, np.int32)
    return Units(bases, reference, rows, sums, rows, bias, sums, active, phase)


def _make_units(number: Mapping[gdl.Term, int], evaluate: NetworkEvaluation, own: int) -> Units:
    """Create the arrays of a network. Leave out facts that never change."""
    network = evaluate.network
    output, bias = network.output[:, own], network.bias[:, own]
    if network.is_shared:
        other, half = 1 - own, np.float32(1 / 2)
        output = half * (output - network.output[:, other])
        bias = half * (bias - network.bias[:, other])
    known = {str(fact): base for fact, base in number.items()}
    base_of = np.array([known.get(fact, -1) for fact in network.facts], np.int32)
    facts = np.concatenate([np.arange(len(base_of))[:, None].repeat(2, 1), network.pairs])
    bases = base_of[facts]
    is_there = (bases >= 0).all(1)
    is_usual, weights = network.reference[facts[is_there]].all(1), network.rows[is_there]
    rows = np.where(is_usual[:, None], -weights, weights)
    return Units(
        bases=bases[is_there],
        reference=is_usual.astype(np.int32),
        rows=np.concatenate([rows, np.zeros((1, len(network.start)), np.float32)]),
        start=network.start + weights[is_usual].sum(0),
        output=np.ascontiguousarray(output),
        bias=np.ascontiguousarray(bias),
        sums=np.zeros_like(network.start),
        active=np.zeros(len(weights) + GROUP, np.int32),
        phase=np.zeros(1, np.int32),
    )


@kernel
def value_of_leaf(at: Places, layout: IntArray, memory: IntArray, leaf: Leaf, own: int) -> float:
    """Return the value of the current state for a role. This may change the current state."""
    terms = leaf.terms
    if len(leaf.units.start) > 0:
        return _network_value(at, memory, leaf.units)
    total = float(terms[_BIAS])
    if terms[_GOAL] != 0.0:
        total += terms[_GOAL] * goal_of(at, layout, memory, own)
    for k in range(len(leaf.bases)):
        total += leaf.weights[k] * memory[at.values + 1 + leaf.bases[k]]
    if terms[_MOBILITY] != 0.0 or terms[_CONTROL] != 0.0:
        num_deciders = _count_moves(at, layout, memory, leaf)
        total += terms[_CONTROL] * _control(leaf, own, num_deciders)
        if terms[_MOBILITY] != 0.0:
            _count_waiting(at, layout, memory, leaf, num_deciders)
            total += terms[_MOBILITY] * _mobility(leaf, own)
    if terms[_SQUASHED] != 0.0:
        return 100.0 / (1.0 + math.exp(-min(max(total, -_LARGEST), _LARGEST)))
    return min(max(total, WORST), BEST)


@kernel
def _network_value(at: Places, memory: IntArray, units: Units) -> float:
    sums, rows, active, size = units.sums, units.rows, units.active, len(units.start)
    num = 0
    for place in range(len(units.bases)):
        first, second = units.bases[place]
        is_true = memory[at.values + 1 + first] & memory[at.values + 1 + second]
        if is_true != units.reference[place]:
            active[num] = place
            num += 1
    for place in range(num, num + GROUP):
        active[place] = len(units.bases)
    for unit in range(size):
        sums[unit] = units.start[unit]
    for place in range(0, num, GROUP):
        one, two = rows[active[place]], rows[active[place + 1]]
        three, four = rows[active[place + 2]], rows[active[place + 3]]
        for unit in range(size):
            sums[unit] += (one[unit] + two[unit]) + (three[unit] + four[unit])
    phase = units.phase[0]
    total, output = float(units.bias[phase]), units.output[phase]
    for unit in range(size):
        clipped = min(max(sums[unit], np.float32(0.0)), np.float32(1.0))
        total += output[unit] * (clipped * clipped)
    return 100.0 / (1.0 + math.exp(-min(max(total, -_LARGEST), _LARGEST)))


@kernel
def _count_moves(at: Places, layout: IntArray, memory: IntArray, leaf: Leaf) -> int:
    num_deciders = 0
    for role in range(at.num_roles):
        leaf.counts[role] = count_legal(at, layout, memory, role)
        if leaf.counts[role] > 1:
            num_deciders += 1
    return num_deciders


@kernel
def _control(leaf: Leaf, own: int, num_deciders: int) -> float:
    """Return the value of `ControlEvaluation`."""
    if num_deciders in (0, len(leaf.counts)):
        return EVEN
    return 75.0 if leaf.counts[own] > 1 else 25.0


@kernel
def _mobility(leaf: Leaf, own: int) -> float:
    """Return the value of `MobilityEvaluation`. All moves must have been counted."""
    num_others, others = 0, 0.0
    for role in range(len(leaf.counts)):
        if role != own and leaf.is_chance[role] == 0:
            num_others += 1
            others += leaf.counts[role]
    against = others / num_others if num_others > 0 else leaf.terms[_USUAL]
    total = leaf.counts[own] + against
    return 100.0 * leaf.counts[own] / total if total > 0 and leaf.is_chance[own] == 0 else EVEN


@kernel
def _count_waiting(
    at: Places, layout: IntArray, memory: IntArray, leaf: Leaf, num_deciders: int
) -> None:
    """If roles take turns, estimate the numbers of moves of roles that are not to move.

    If the rules mark turns, count the moves that the role would have in its turn.
    """
    if at.num_roles == 1 or num_deciders > 1:
        return
    for k in range(at.num_words):
        leaf.words[0, k] = memory[at.current + k]
    for role in range(at.num_roles):
        if leaf.counts[role] > 1 or leaf.is_chance[role] == 1:
            continue
        if len(leaf.marks) == 0:
            leaf.counts[role] = max(leaf.counts[role], leaf.terms[_USUAL])
            continue
        mark = leaf.marks[role]
        if leaf.words[0, mark >> 5] & layout[at.bits + (mark & 31)] == 0:
            _pass_turn(at, layout, leaf, mark)
            make_from(at, layout, memory, leaf.words[1])
            leaf.counts[role] = count_legal(at, layout, memory, role)
        leaf.counts[role] = max(leaf.counts[role], 1.0)


@kernel
def _pass_turn(at: Places, layout: IntArray, leaf: Leaf, mark: int) -> None:
    """Write the state in which `mark` is the only true mark of a turn."""
    for k in range(at.num_words):
        leaf.words[1, k] = leaf.words[0, k]
    for other in leaf.marks:
        leaf.words[1, other >> 5] &= ~layout[at.bits + (other & 31)]
    leaf.words[1, mark >> 5] |= layout[at.bits + (mark & 31)]

"""The value of a state where the search stops before the game does: a form, in arrays."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import gdl
from ggp.search.arrays.alphabeta.form import NO_UNITS, Form, HiddenUnits
from ggp.search.arrays.alphabeta.game_kernels import count_legal, goal_of, kernel, make_from
from ggp.search.arrays.alphabeta.stack import FloatArray, IntArray
from ggp.search.knowledge.evaluation.evaluation import EVEN
from ggp.search.knowledge.network.kernel import GROUP, Floats
from ggp.search.result import BEST, WORST

if TYPE_CHECKING:
    from gdl import ScalarPlaces as Places

_BIAS, _GOAL, _MOBILITY, _CONTROL, _USUAL, _SQUASHED = range(6)
_LARGEST = 30.0  # as `ggp.search.knowledge.evaluation.linear.squashed` has it


class Units(NamedTuple):
    """A value network for one role of a game. `K` facts, `H` units, `P` phases; H = 0: none."""

    bases: IntArray  # [K] number of each fact
    reference: IntArray  # [K] its value in the reference state
    rows: Floats  # [K + 1, H] what it adds that a fact differs from it; the last row is 0
    start: Floats  # [H] the sums of the reference state
    output: Floats  # [P, H]
    bias: Floats  # [P]
    sums: Floats  # [H] room
    active: IntArray  # [K + GROUP] room
    phase: IntArray  # [1] that of all states that are valued


class Leaf(NamedTuple):
    """A form for one role of a game. `K` facts with a weight, `R` roles, `W` words."""

    terms: FloatArray  # [6] bias and weights, moves of who waits, whether the sum is squashed
    bases: IntArray  # [K] number of each fact
    weights: FloatArray  # [K]
    marks: IntArray  # [R] number of the fact that marks the turn of each role; empty: none does
    is_chance: IntArray  # [R]
    counts: FloatArray  # [R] room for the moves of each role
    words: IntArray  # [2, W] room for a state, and for the same with another role in turn
    units: Units


def make_leaf(game: gdl.ScalarGame, form: Form) -> Leaf:
    """The form for a game that keeps the facts it needs."""
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
        units=_make_units(number, form.units),
    )


def _make_units(number: Mapping[gdl.Term, int], units: HiddenUnits | None) -> Units:
    """The network for a game that keeps its facts; of those that never change there are none."""
    if units is None:
        units = NO_UNITS
    known = {str(fact): base for fact, base in number.items()}
    places = [place for place, fact in enumerate(units.facts) if fact in known]
    is_usual, weights = units.reference[places], units.rows[places]
    rows = np.where(is_usual[:, None], -weights, weights)
    return Units(
        bases=np.array([known[units.facts[place]] for place in places], np.int32),
        reference=is_usual.astype(np.int32),
        rows=np.concatenate([rows, np.zeros((1, len(units.start)), np.float32)]),
        start=units.start + weights[is_usual].sum(0),
        output=np.ascontiguousarray(units.output),
        bias=np.ascontiguousarray(units.bias),
        sums=np.zeros_like(units.start),
        active=np.zeros(len(places) + GROUP, np.int32),
        phase=np.zeros(1, np.int32),
    )


@kernel
def worth(at: Places, layout: IntArray, memory: IntArray, leaf: Leaf, own: int) -> float:
    """The value of the current state for a role; afterwards another state may be the current."""
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
    """The network's value of the current state."""
    sums, rows, active, size = units.sums, units.rows, units.active, len(units.start)
    num = 0
    for place in range(len(units.bases)):
        if memory[at.values + 1 + units.bases[place]] != units.reference[place]:
            active[num] = place
            num += 1
    for place in range(num, num + GROUP):
        active[place] = len(units.bases)
    for unit in range(size):
        sums[unit] = units.start[unit]
    for place in range(0, num, GROUP):
        first, second = rows[active[place]], rows[active[place + 1]]
        third, fourth = rows[active[place + 2]], rows[active[place + 3]]
        for unit in range(size):
            sums[unit] += (first[unit] + second[unit]) + (third[unit] + fourth[unit])
    phase = units.phase[0]
    total, output = float(units.bias[phase]), units.output[phase]
    for unit in range(size):
        clipped = min(max(sums[unit], np.float32(0.0)), np.float32(1.0))
        total += output[unit] * (clipped * clipped)
    return 100.0 / (1.0 + math.exp(-min(max(total, -_LARGEST), _LARGEST)))


@kernel
def _count_moves(at: Places, layout: IntArray, memory: IntArray, leaf: Leaf) -> int:
    """Count the legal moves of each role; how many roles have a choice."""
    num_deciders = 0
    for role in range(at.num_roles):
        leaf.counts[role] = count_legal(at, layout, memory, role)
        if leaf.counts[role] > 1:
            num_deciders += 1
    return num_deciders


@kernel
def _control(leaf: Leaf, own: int, num_deciders: int) -> float:
    """As `ControlEvaluation`."""
    if num_deciders in (0, len(leaf.counts)):
        return EVEN
    return 75.0 if leaf.counts[own] > 1 else 25.0


@kernel
def _mobility(leaf: Leaf, own: int) -> float:
    """As `MobilityEvaluation`, when all moves were counted."""
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
    """In a game of turns, count the moves that roles which wait would have in their turn."""
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
    """Write the state in which this mark of a turn is true and no other is."""
    for k in range(at.num_words):
        leaf.words[1, k] = leaf.words[0, k]
    for other in leaf.marks:
        leaf.words[1, other >> 5] &= ~layout[at.bits + (other & 31)]
    leaf.words[1, mark >> 5] |= layout[at.bits + (mark & 31)]

"""Many random matches at once, of which the states and legal moves are observed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gdl.circuit.circuit import Circuit
from gdl.circuit.lanes.expander.expander import Expander, Simulator
from gdl.circuit.netlist import BoolArray, IntArray, Words

STATES = 128  # matches at once
MAX_STEPS = 200
GATE_STEPS = 1_000_000  # steps times gates; takes about half a second


class Step(NamedTuple):
    """A step of the matches that are not over."""

    phase: int  # of the states before the step
    before: BoolArray  # [N, 64 W] the bases
    after: BoolArray  # [N, 64 W] the bases
    legal: IntArray  # the legal inputs of all roles, in all states before the step


def random_play(circuit: Circuit, seed: int) -> Iterator[Step]:
    """Play matches at random for at most `MAX_STEPS` steps. When one is over, a new one begins."""
    rng = np.random.default_rng(seed)
    expander = Simulator(circuit).expander(seed)
    num, num_roles, phase = STATES, expander.num_roles, 0
    expander.children[:num] = expander.initial
    for _ in range(min(MAX_STEPS, GATE_STEPS * expander.num_phases // circuit.num_gates)):
        expander.look(num, phase)
        if phase == 0 and (is_over := _is_over(expander, num)).any():
            expander.children[:num][is_over] = expander.initial
            expander.look(num, phase)
        goes_on = ~_is_over(expander, num)
        if not goes_on.any():
            return  # the matches are over, or their first state is, and phase 0 does not come again
        starts = expander.legal_starts[: num * num_roles + 1].astype(np.int64)
        numbers = starts[:-1] + (rng.random(num * num_roles) * np.diff(starts)).astype(np.int64)
        before = expander.children[:num].copy()
        legal = expander.legal[: starts[-1]].copy()
        expander.parents[:num] = before
        expander.moves[:num] = legal[np.minimum(numbers, len(legal) - 1)].reshape(num, num_roles)
        expander.expand(num, phase)
        expander.children[:num][~goes_on] = before[~goes_on]
        after = expander.children[:num][goes_on]
        yield Step(phase, _bits(before[goes_on]), _bits(after), legal)
        phase = (phase + 1) % expander.num_phases


def _is_over(expander: Expander, num: int) -> BoolArray:
    """Return which states are over: terminal states, and states in which a role cannot move."""
    counts = np.diff(expander.legal_starts[: num * expander.num_roles + 1])
    is_stuck = (counts.reshape(num, -1) == 0).any(axis=1)
    found: BoolArray = (expander.is_terminal[:num] != 0) | is_stuck
    return found


def _bits(states: Words) -> BoolArray:
    packed = np.ascontiguousarray(states).view(np.uint8)
    return np.unpackbits(packed, axis=1, bitorder="little").astype(np.bool_)

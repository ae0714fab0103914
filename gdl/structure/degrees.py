"""Degrees of truth: how near the goals and the end of the game are to being true in a state.

A true fact has the degree 1, and a false one has `MISSING`. The degrees of all formulas follow from
these. The degree of a conjunction is the product of its parts' degrees, and that of a disjunction
is their probabilistic sum 1 - (1 - a)(1 - b). Each formula has a degree of being true and one of
being false, so that negation exchanges the two. A formula that holds has exactly the degree 1, and
any other formula stays below `MOST`. See Schiffel and Thielscher, Fluxplayer: A Successful General
Game Player, 2007.

Recursive formulas take the least fixpoint: their degrees start at 0 and rise from round to round.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.netlist import IntArray, Netlist
from gdl.circuit.passes.rewrite import renamed
from gdl.machine import State
from gdl.native.jit import kernel_elsewhere as kernel
from gdl.structure.cofactors import cone_of, own_literals

FloatArray = NDArray[np.float64]

MISSING = 0.2
MOST = 1 - 1e-6
MAX_LITERALS = 200_000  # literals visited per state; more takes too long to be worth it
MAX_ROUNDS = 12  # rounds of recursion, counted after all true formulas are known
MIN_CHANGE = 1e-3


class Formulas(NamedTuple):
    """Formulas for the kernel: the gates that goals and `terminal` depend on.

    Nodes and literals are numbered as in a netlist that has only these `G` gates.
    """

    offsets: IntArray  # [G + 1]
    literals: IntArray
    feedback: IntArray  # [F] literals
    wanted: IntArray  # [K + 1] literals of the goals, followed by terminal
    num_bases: int
    first_feedback: int
    holds: NDArray[np.bool_]  # [nodes] scratch buffer
    degrees: FloatArray  # [2, nodes] scratch buffer: of being false, of being true


class Degrees:
    """Evaluator that computes the degrees of truth of a game's goals. Use it in one thread only."""

    def __init__(self, goals: tuple[tuple[int, int], ...], formulas: Formulas) -> None:
        self.goals = goals
        self._formulas = formulas

    def of(self, state: State) -> tuple[list[float], float]:
        """Return the degree of truth of each of `goals`, and that of `terminal`."""
        assert isinstance(state, bytes)
        found = np.empty(len(self.goals) + 1)
        settle(self._formulas, np.frombuffer(state, np.uint8), found)
        *goals, terminal = found.tolist()
        return goals, terminal


def make_degrees(netlist: Netlist) -> Degrees | None:
    """Return an evaluator of a game's degrees of truth, or None if the game is too large."""
    wanted = np.array([*netlist.goal_literals, netlist.terminal], np.int32)
    needed, offsets, literals = cone_of(
        (netlist.offsets, netlist.literals), netlist.feedback, netlist.first_gate, wanted
    )
    if offsets[-1] > MAX_LITERALS:
        return None
    gates = np.flatnonzero(needed[netlist.first_gate :])
    mapping = own_literals(netlist)
    mapping[netlist.first_gate + gates] = 2 * (netlist.first_gate + np.arange(len(gates)))
    is_needed = needed[netlist.first_feedback : netlist.first_gate]
    feedback = np.where(is_needed, netlist.feedback, 0)
    num_nodes = netlist.first_gate + len(gates)
    formulas = Formulas(
        offsets=offsets,
        literals=renamed(mapping, literals),
        feedback=renamed(mapping, feedback),
        wanted=renamed(mapping, wanted),
        num_bases=netlist.num_bases,
        first_feedback=netlist.first_feedback,
        holds=np.zeros(num_nodes, np.bool_),
        degrees=np.zeros((2, num_nodes)),
    )
    return Degrees(tuple((role, value) for role, value, _ in netlist.goals), formulas)


@kernel
def settle(formulas: Formulas, state: NDArray[np.uint8], found: FloatArray) -> None:
    """Write into `found` the degrees that the goals and `terminal` have in a state."""
    holds, degrees = formulas.holds, formulas.degrees
    holds[:] = False
    degrees[0, :] = 1.0
    degrees[1, :] = 0.0
    for base in range(formulas.num_bases):
        is_true = bool(state[base >> 3] >> (base & 7) & 1)
        holds[1 + base] = is_true
        degrees[0, 1 + base] = MISSING if is_true else 1.0
        degrees[1, 1 + base] = 1.0 if is_true else MISSING
    _settle_gates(formulas)
    rounds = 0
    while rounds < MAX_ROUNDS:
        news, change = _feed_back(formulas)
        if not news and change < MIN_CHANGE:
            break
        # Do not count rounds in which formulas become true. There are at most as many as nodes.
        rounds += 0 if news else 1
        _settle_gates(formulas)
    for index in range(len(formulas.wanted)):
        literal = formulas.wanted[index]
        found[index] = degrees[1 - (literal & 1), literal >> 1]


@kernel
def _settle_gates(formulas: Formulas) -> None:
    holds, degrees = formulas.holds, formulas.degrees
    offsets, literals = formulas.offsets, formulas.literals
    first = len(holds) - (len(offsets) - 1)
    for gate in range(len(offsets) - 1):
        all_hold, all_true, none_false = True, 1.0, 1.0
        for k in range(offsets[gate], offsets[gate + 1]):
            sign, node = literals[k] & 1, literals[k] >> 1
            all_hold &= holds[node] != (sign == 1)
            all_true *= degrees[1 - sign, node]
            none_false *= 1.0 - degrees[sign, node]
        holds[first + gate] = all_hold
        degrees[1, first + gate] = 1.0 if all_hold else min(MOST, all_true)
        degrees[0, first + gate] = min(MOST, 1.0 - none_false) if all_hold else 1.0


@kernel
def _feed_back(formulas: Formulas) -> tuple[bool, float]:
    holds, degrees = formulas.holds, formulas.degrees
    news, change = False, 0.0
    for index in range(len(formulas.feedback)):
        literal, target = formulas.feedback[index], formulas.first_feedback + index
        sign, node = literal & 1, literal >> 1
        is_true = holds[node] != (sign == 1)
        news |= is_true and not holds[target]
        change = max(change, degrees[1 - sign, node] - degrees[1, target])
        holds[target] = is_true
        degrees[1, target] = degrees[1 - sign, node]
        degrees[0, target] = degrees[sign, node]
    return news, change

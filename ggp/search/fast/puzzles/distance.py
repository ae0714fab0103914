"""The distance of a state from the best goal: how many bases must change to satisfy its circuit.

Each node of the circuit has two costs: the cost of being true and the cost of being false. For a
base that is true, they are 0 and 1. The cost of a true AND is the sum of the costs of its literals.
The cost of a false AND is the least cost of one false literal. A literal that several gates need is
counted for each of them, and a move may change several bases. So the distance is not a lower bound,
and a search guided by it proves nothing about lengths.

But an infinite cost is exact. It means that the goal needs a latched base to change, which cannot
happen. So the state can reach at most the next lower goal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl import kernel
from ggp.search.kernels.arrays import BoolArray, IntArray, Words

if TYPE_CHECKING:
    import gdl

CostArray = NDArray[np.int16]

NO = 0  # the literal that is always false
NEVER = 16_000  # twice this still fits into 16 bits
MAX_LEVELS = 6  # number of best goals that are distinguished; all lower goals count as one
LEVEL = 1000  # distance added for each goal that cannot be reached
MAX_GATES = 20_000  # maximum, because with more gates the distance costs more than the states

# Flags of a base: once true, it stays true; once false, it stays false; it changes by itself.
_STAYS_TRUE, _STAYS_FALSE, _BY_ITSELF = 1, 2, 4


class GoalConditionArrays(NamedTuple):
    """The circuit of the best goals, with `M` sources and gates, `D` sources and `E` ends.

    Source 0 is always false. Source 1 stands for literals of unknown value, which may be true or
    false at no cost. All other sources are bases. An end is a goal in a phase, because each phase
    has its own circuit, which is simplified by what is true in that phase.
    """

    bases: IntArray  # [D] the base of each source, except the first two
    kinds: IntArray  # [D] the flags of the base: `_STAYS_TRUE`, `_STAYS_FALSE`, `_BY_ITSELF`
    offsets: IntArray  # [gates + 1] where the literals of each gate begin
    literals: IntArray  # with new node numbers: sources, then gates
    ends: IntArray  # [E, 2] literals that hold if the game ends with this goal
    values: IntArray  # [E] the goals, the best first
    levels: IntArray  # [E] how many goals are better
    rest: int  # the best goal that is not in `values`; 0 if there is none
    costs: CostArray  # [2, M, rows] costs of being false, and of being true


def conditions_of(
    netlists: Sequence[gdl.Netlist],
    is_clock: BoolArray,
    stays: gdl.Latches,
    num_rows: int,
) -> GoalConditionArrays | None:
    """Collect the conditions of the first role's best goals. Return None if they are too large.

    Args:
        netlists: The netlist of each phase.
        is_clock: `[B]` whether a base changes by itself. Such changes cost nothing.
        stays: Bases that stay true once they are true, or false once they are false.
        num_rows: How many states are measured at once.
    """
    goals = [
        (value, phase, goal)
        for phase, netlist in enumerate(netlists)
        for role, value, goal in netlist.goals
        if role == 0 and goal != NO
    ]
    values = sorted({value for value, _, _ in goals}, reverse=True)
    rest = values[MAX_LEVELS] if len(values) > MAX_LEVELS else 0
    ends = sorted((goal for goal in goals if goal[0] > rest), reverse=True)
    circuit = _Circuit(netlists)
    for _, phase, goal in ends:
        circuit.use(phase, [goal, netlists[phase].terminal])
    if circuit.num_gates > MAX_GATES:
        return None
    sources, offsets, literals = circuit.numbered()
    kinds = stays.true * _STAYS_TRUE + stays.false * _STAYS_FALSE
    kinds = np.where(is_clock, _BY_ITSELF, kinds)[sources[2:]]
    kinds = np.concatenate([[0, _BY_ITSELF], kinds])
    return GoalConditionArrays(
        bases=sources,
        kinds=kinds.astype(np.int32),
        offsets=offsets,
        literals=literals,
        ends=np.array(
            [circuit.literals(p, [g, netlists[p].terminal]) for _, p, g in ends], np.int32
        ).reshape(-1, 2),
        values=np.array([value for value, _, _ in ends], np.int32),
        levels=np.array([values.index(value) for value, _, _ in ends], np.int32),
        rest=rest,
        costs=np.zeros((2, len(sources) + circuit.num_gates, num_rows), np.int16),
    )


class _Circuit:
    """The parts of the phases' netlists that some literals depend on, with new node numbers."""

    def __init__(self, netlists: Sequence[gdl.Netlist]) -> None:
        self._netlists = netlists
        self._is_used = [np.zeros(n.first_gate + n.num_gates, np.bool_) for n in netlists]
        self._numbers: list[IntArray] = []

    @property
    def num_gates(self) -> int:
        return sum(
            int(is_used[netlist.first_gate :].sum())
            for netlist, is_used in zip(self._netlists, self._is_used, strict=True)
        )

    def use(self, phase: int, literals: Sequence[int]) -> None:
        """Add all nodes on which literals of a phase depend."""
        netlist, is_used = self._netlists[phase], self._is_used[phase]
        is_used[[literal >> 1 for literal in literals]] = True
        _mark_cone(netlist.offsets, netlist.literals, netlist.first_gate, is_used)

    def numbered(self) -> tuple[IntArray, IntArray, IntArray]:
        """Return the base of each source, where each gate's literals begin, and all literals."""
        num_bases = self._netlists[0].num_bases
        is_base = np.zeros(num_bases, np.bool_)
        for is_used in self._is_used:
            is_base |= is_used[1 : 1 + num_bases]
        bases = np.flatnonzero(is_base)
        end = 2 + len(bases)
        for netlist, is_used in zip(self._netlists, self._is_used, strict=True):
            number = np.ones(len(is_used), np.int32)  # feedback nodes may be anything
            number[0] = 0
            number[1 + bases] = 2 + np.arange(len(bases))
            gates = netlist.first_gate + np.flatnonzero(is_used[netlist.first_gate :])
            number[gates] = end + np.arange(len(gates))
            self._numbers.append(number)
            end += len(gates)
        parts = [part for phase in range(len(self._netlists)) for part in self._gates(phase)]
        offsets = np.cumsum([0, *map(len, parts)], dtype=np.int32)
        literals = np.concatenate([np.zeros(0, np.int32), *parts])
        return np.concatenate([[0, 0], bases]).astype(np.int32), offsets, literals

    def literals(self, phase: int, literals: Sequence[int] | IntArray) -> IntArray:
        """Convert literals of a phase to the new numbers."""
        array = np.asarray(literals, np.int32)
        found: IntArray = 2 * self._numbers[phase][array >> 1] + (array & 1)
        return found.astype(np.int32)

    def _gates(self, phase: int) -> Iterator[IntArray]:
        netlist = self._netlists[phase]
        for gate in np.flatnonzero(self._is_used[phase][netlist.first_gate :]).tolist():
            first, last = netlist.offsets[gate], netlist.offsets[gate + 1]
            yield self.literals(phase, netlist.literals[first:last])


@kernel
def _mark_cone(offsets: IntArray, literals: IntArray, first_gate: int, is_used: BoolArray) -> None:
    for gate in range(len(offsets) - 2, -1, -1):
        if is_used[first_gate + gate]:
            for index in range(offsets[gate], offsets[gate + 1]):
                is_used[literals[index] >> 1] = True


@kernel
def measure(
    conditions: GoalConditionArrays, states: Words, nodes: IntArray, far: IntArray, bounds: IntArray
) -> None:
    """Compute the distances of some states from the best goal, and bounds of their goals.

    Args:
        far: Written: the number of bases to change, plus `LEVEL` for each goal that is lost.
        bounds: Written: upper bounds of the goals that can still be reached.
    """
    num = len(nodes)
    _measure_sources(conditions, states, nodes)
    _measure_gates(conditions, num)
    ends, costs = conditions.ends, conditions.costs
    for row in range(num):
        bounds[row] = conditions.rest
        far[row] = LEVEL * MAX_LEVELS
        for end in range(len(ends)):
            goal, over = ends[end, 0], ends[end, 1]
            cost = int(costs[1 - (goal & 1), goal >> 1, row])
            cost_of_end = int(costs[1 - (over & 1), over >> 1, row])
            if max(cost, cost_of_end) < NEVER and bounds[row] <= conditions.values[end]:
                bounds[row] = conditions.values[end]
                steps = min(LEVEL - 1, cost + cost_of_end)
                far[row] = min(far[row], LEVEL * int(conditions.levels[end]) + steps)


@kernel
def _measure_sources(conditions: GoalConditionArrays, states: Words, nodes: IntArray) -> None:
    costs, kinds, bases = conditions.costs, conditions.kinds, conditions.bases
    for row in range(len(nodes)):
        costs[0, 0, row], costs[1, 0, row] = 0, NEVER
        costs[0, 1, row], costs[1, 1, row] = 0, 0
    for source in range(2, len(bases)):
        word, bit = bases[source] >> 6, np.uint64(bases[source] & 63)
        lose = NEVER if kinds[source] & _STAYS_TRUE else 1
        gain = NEVER if kinds[source] & _STAYS_FALSE else 1
        if kinds[source] & _BY_ITSELF:
            lose = gain = 0
        for row in range(len(nodes)):
            is_true = states[nodes[row], word] >> bit & np.uint64(1) != 0
            costs[0, source, row] = lose if is_true else 0
            costs[1, source, row] = 0 if is_true else gain


@kernel
def _measure_gates(conditions: GoalConditionArrays, num: int) -> None:
    costs, offsets, literals = conditions.costs, conditions.offsets, conditions.literals
    first = len(conditions.bases)
    for gate in range(len(offsets) - 1):
        place = first + gate
        for row in range(num):
            costs[1, place, row], costs[0, place, row] = 0, NEVER
        for index in range(offsets[gate], offsets[gate + 1]):
            sign, node = literals[index] & 1, literals[index] >> 1
            for row in range(num):
                held, holds = costs[1, place, row], costs[1 - sign, node, row]
                both = min(held + holds, NEVER - 1)
                costs[1, place, row] = NEVER if max(held, holds) >= NEVER else both
                costs[0, place, row] = min(costs[0, place, row], costs[sign, node, row])

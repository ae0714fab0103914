"""Units: groups of gates that are evaluated together, and which unit reads each value next.

A unit is a gate, together with the gates that are fused into it. Its operands are slots, each read
plain or complemented. The two operands a and b of a fused gate form a *pair*. The unit computes
NOT (a AND b) from them, and uses it as an input of its main gate.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.and_gates import ZERO
from gdl.circuit.netlist import IntArray
from gdl.circuit.schedule import MAX_GATE_INPUTS, Schedule
from gdl.native.jit import array_kernel, kernel

NEVER = -1  # no unit reads the value again

COMPLEMENTED, PAIRED = 1, 2  # bits of `Units.kinds`


class Units(NamedTuple):
    """The `U` units of a schedule, with `K` operands in total."""

    targets: IntArray  # [U] slots
    starts: IntArray  # [U + 1] where the operands of each unit begin: singles first, then pairs
    slots: IntArray  # [K]
    kinds: NDArray[np.int8]  # [K]
    next_of_target: IntArray  # [U] the next unit of the part that reads the result, or NEVER
    next_of_operand: IntArray  # [K] the next unit that reads the operand after this one, or NEVER
    is_stored: NDArray[np.bool_]  # [U] whether the result is read after the part
    parts: IntArray  # [S + K] where the units of each part of the schedule begin


def units_of(plan: Schedule, *, has_pairs: bool) -> Units:
    """Return the units of a schedule.

    Args:
        has_pairs: Whether to fuse the gates that the schedule allows to fuse. If not, there are no
            pairs.
    """
    fused = plan.fused & has_pairs
    first_gates = np.append(plan.runs[:, 1], len(plan.targets)).astype(np.int32)
    gates = first_gates[plan.parts]
    firsts = np.concatenate([[0], np.cumsum(~fused)]).astype(np.int32)
    num = int(firsts[-1])
    units = Units(
        targets=np.zeros(num, np.int32),
        starts=np.zeros(num + 1, np.int32),
        slots=np.zeros(len(plan.sources), np.int32),
        kinds=np.zeros(len(plan.sources), np.int8),
        next_of_target=np.zeros(num, np.int32),
        next_of_operand=np.zeros(len(plan.sources), np.int32),
        is_stored=np.zeros(num, np.bool_),
        parts=firsts[gates],
    )
    _join(_gates_of(plan, fused), np.full(plan.num_slots, NEVER, np.int32), units)
    outputs = (plan.feedback, plan.legal, plan.goals, plan.next)
    public = np.zeros(plan.num_slots, np.bool_)
    public[np.concatenate([[plan.terminal], *outputs]) >> 1] = True
    _find_reads(units, public)
    return units


class _Gates(NamedTuple):
    targets: IntArray  # [G] slots
    starts: IntArray  # [G + 1] where the sources of each gate begin
    complemented: IntArray  # [G] where the complemented sources begin
    sources: IntArray  # slots
    fused: NDArray[np.bool_]  # [G]


def _gates_of(plan: Schedule, fused: NDArray[np.bool_]) -> _Gates:
    shapes = np.repeat(plan.runs[:, 0], plan.runs[:, 2] - plan.runs[:, 1])
    num_plain, num_complemented = np.divmod(shapes, MAX_GATE_INPUTS + 1)
    starts = np.concatenate([[0], np.cumsum(num_plain + num_complemented)]).astype(np.int32)
    complemented = (starts[:-1] + num_plain).astype(np.int32)
    return _Gates(plan.targets, starts, complemented, plan.sources, fused)


@kernel
def _join(gates: _Gates, gate_of_slot: IntArray, units: Units) -> None:
    unit, num = ZERO, ZERO
    for gate in range(len(gates.targets)):
        gate_of_slot[gates.targets[gate]] = gate
        if gates.fused[gate]:
            continue
        for k in range(gates.starts[gate], gates.starts[gate + 1]):
            inner = gate_of_slot[gates.sources[k]]
            if inner < 0 or not gates.fused[inner]:
                num = _append(gates, gate, k, units, num)
        for k in range(gates.starts[gate], gates.starts[gate + 1]):
            inner = gate_of_slot[gates.sources[k]]
            if inner >= 0 and gates.fused[inner]:
                num = _append(gates, inner, gates.starts[inner], units, num)
                num = _append(gates, inner, gates.starts[inner] + 1, units, num)
        units.targets[unit] = gates.targets[gate]
        unit += 1
        units.starts[unit] = num


@kernel
def _append(gates: _Gates, gate: int, k: int, units: Units, num: int) -> int:
    units.slots[num] = gates.sources[k]
    is_complemented = COMPLEMENTED if k >= gates.complemented[gate] else 0
    units.kinds[num] = is_complemented + (PAIRED if gates.fused[gate] else 0)
    return num + 1


@array_kernel
def _find_reads(units: Units, public: NDArray[np.bool_]) -> None:
    """Find which unit reads each result and each operand next. Start with the last unit.

    Args:
        public: `[slots]` whether code other than the units may read each slot after any part.
    """
    next_read = np.full(len(public), NEVER, np.int32)
    is_read_later = public.copy()
    for part in range(len(units.parts) - 2, -1, -1):
        next_read[:] = NEVER
        for unit in range(units.parts[part + 1] - 1, units.parts[part] - 1, -1):
            target = units.targets[unit]
            units.next_of_target[unit] = next_read[target]
            units.is_stored[unit] = is_read_later[target]
            next_read[target] = NEVER
            is_read_later[target] = False
            first, last = units.starts[unit], units.starts[unit + 1]
            for k in range(first, last):
                units.next_of_operand[k] = next_read[units.slots[k]]
            for k in range(first, last):
                next_read[units.slots[k]] = unit
        for slot in range(len(public)):
            is_read_later[slot] |= public[slot] or next_read[slot] != NEVER

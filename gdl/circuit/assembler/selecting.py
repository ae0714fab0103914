"""Kernels that select instructions for units, and decide which values to keep in registers.

They make one pass over the units, part by part. A value stays in a register until it is not needed
any more, or until the register is needed for a value that is read sooner.
"""

from __future__ import annotations

import numpy as np

from gdl.circuit.and_gates import ZERO
from gdl.circuit.assembler.instructions import (
    AND,
    AND_NOT,
    LOAD,
    MOVE,
    NOWHERE,
    OR,
    STORE,
    TERNARY,
    XOR,
    Registers,
    append,
    hold,
    memory,
    release,
    take_register,
)
from gdl.circuit.assembler.units import COMPLEMENTED, NEVER, PAIRED, Units
from gdl.circuit.netlist import IntArray
from gdl.circuit.schedule import MAX_GATE_INPUTS
from gdl.native.jit import array_kernel, scalar_kernel

# A value that is read again within this number of units is worth loading into a register.
HORIZON = 32

MAX_OPERANDS = 2 * MAX_GATE_INPUTS


@array_kernel
def select_by_three(units: Units, at: Registers, ends: IntArray) -> None:
    """Select instructions for a processor with an instruction for any function of three vectors.

    Args:
        ends: Receives the number of instructions after each part.
    """
    operands, signs = np.empty(MAX_OPERANDS, np.int32), np.empty(MAX_OPERANDS, np.int32)
    for part in range(len(ends)):
        for unit in range(units.parts[part], units.parts[part + 1]):
            _bring(units, at, unit, operands, signs)
            to = _combine_by_three(units, at, unit, operands, signs)
            _let_go(units, at, unit)
            _keep(units, at, unit, to)
        ends[part] = _end_part(at)


@array_kernel
def select_by_two(units: Units, at: Registers, ends: IntArray) -> None:
    """Select instructions for a processor that combines only two vectors at a time.

    The units must have no pairs. The processor needs two registers after those in `at`: a spare
    one, and one in which all bits are 1.

    Args:
        ends: Receives the number of instructions after each part.
    """
    operands, signs = np.empty(MAX_OPERANDS, np.int32), np.empty(MAX_OPERANDS, np.int32)
    for part in range(len(ends)):
        for unit in range(units.parts[part], units.parts[part + 1]):
            _bring(units, at, unit, operands, signs)
            to = _combine_by_two(units, at, unit, operands, signs)
            _let_go(units, at, unit)
            _keep(units, at, unit, to)
        ends[part] = _end_part(at)


@scalar_kernel
def _end_part(at: Registers) -> int:
    """Empty all registers, because later parts read all values from memory.

    Return the number of instructions so far.
    """
    for register in range(len(at.slots)):
        release(at, register)
    for slot in range(len(at.in_memory)):
        at.in_memory[slot] = True
    return int(at.num[0])


@scalar_kernel
def _let_go(units: Units, at: Registers, unit: int) -> None:
    for k in range(units.starts[unit], units.starts[unit + 1]):
        place = at.places[units.slots[k]]
        if place == NOWHERE:
            continue
        at.reads[place] = units.next_of_operand[k]
        if units.next_of_operand[k] == NEVER:
            release(at, place)


@scalar_kernel
def _keep(units: Units, at: Registers, unit: int, to: int) -> None:
    target = units.targets[unit]
    at.in_memory[target] = units.is_stored[unit]
    if units.is_stored[unit]:
        append(at, STORE, target, to, 0, 0)
    if units.next_of_target[unit] != NEVER:
        hold(at, to, target, units.next_of_target[unit])


@scalar_kernel
def _bring(units: Units, at: Registers, unit: int, operands: IntArray, signs: IntArray) -> None:
    first, last = units.starts[unit], units.starts[unit + 1]
    for k in range(first, last):
        place = at.places[units.slots[k]]
        if place != NOWHERE:
            at.users[place] = unit
    for k in range(first, last):
        slot = units.slots[k]
        following = units.next_of_operand[k]
        is_soon = following != NEVER and following - unit < HORIZON
        if at.places[slot] == NOWHERE and is_soon:
            _load(at, unit, slot, following)
        place = at.places[slot]
        operands[k - first] = place if place != NOWHERE else memory(slot)
        signs[k - first] = units.kinds[k] & COMPLEMENTED


@scalar_kernel
def _load(at: Registers, unit: int, slot: int, following: int) -> int:
    register = take_register(at, unit)
    append(at, LOAD, register, 0, memory(slot), 0)
    hold(at, register, slot, following)
    return register


@scalar_kernel
def _in_register(at: Registers, unit: int, operand: int) -> int:
    if operand >= 0:
        return operand
    register = take_register(at, unit)
    append(at, LOAD, register, 0, operand, 0)
    return register


@scalar_kernel
def _num_singles(units: Units, unit: int) -> int:
    first, last = units.starts[unit], units.starts[unit + 1]
    num = ZERO
    while first + num < last and units.kinds[first + num] < PAIRED:
        num += 1
    return num


@scalar_kernel
def _swap(operands: IntArray, signs: IntArray, one: int, other: int) -> None:
    operand, sign = operands[one], signs[one]
    operands[one], signs[one] = operands[other], signs[other]
    operands[other], signs[other] = operand, sign


# --- Processors with an instruction for any function of three vectors -------------------------


@scalar_kernel
def _combine_by_three(
    units: Units, at: Registers, unit: int, operands: IntArray, signs: IntArray
) -> int:
    """Select the instructions of a unit. Return the register that holds its result."""
    num = _num_singles(units, unit)
    size = units.starts[unit + 1] - units.starts[unit]
    # Register `to` holds the result of the operands so far, complemented if `sign` is 1.
    to, sign, done = NOWHERE, ZERO, ZERO
    if num > 0:
        to, sign, done = _begin_with_singles(units, at, unit, operands, signs, num)
    low, high = done, num - 1
    while low <= high:  # combine two operands at a time, of which one is in a register
        if low < high and operands[low] < 0:
            _swap(operands, signs, low, high)
        if low < high and operands[low] >= 0:
            table = 1 << (4 * (1 - sign) + 2 * (1 - signs[low]) + (1 - signs[high]))
            append(at, TERNARY, to, operands[low], operands[high], table)
            low += 1
        elif sign + signs[high] == 0:
            append(at, AND, to, to, operands[high], 0)
        else:  # a function that ignores the middle vector
            table = 5 << (4 * (1 - sign) + (1 - signs[high]))
            append(at, TERNARY, to, to, operands[high], table)
        high -= 1
        sign = ZERO
    for index in range(num, size, 2):
        if operands[index] < 0:
            _swap(operands, signs, index, index + 1)
        left = _in_register(at, unit, operands[index])
        table = 0xFF & ~(0x11 << (2 * (1 - signs[index]) + (1 - signs[index + 1])))
        if to == NOWHERE:
            to = take_register(at, unit)
        else:
            table &= 0x0F << 4 * (1 - sign)
        append(at, TERNARY, to, left, operands[index + 1], table)
        sign = ZERO
    if sign == 1:
        append(at, TERNARY, to, to, to, 0x0F)
    return to


@scalar_kernel
def _begin_with_singles(
    units: Units, at: Registers, unit: int, operands: IntArray, signs: IntArray, num: int
) -> tuple[int, int, int]:
    """Combine the first operands.

    Return the register of the result, its sign, and the number of operands combined.
    """
    dying = _dying(units, unit, operands, num)
    if dying != NOWHERE:
        _swap(operands, signs, 0, dying)
        release(at, operands[0])
        return operands[0], signs[0], 1
    to = take_register(at, unit)
    for index in range(1, num):
        if operands[0] < 0 and operands[index] >= 0:
            _swap(operands, signs, 0, index)
        elif index > 1 and operands[index] < 0:
            _swap(operands, signs, 1, index)
    if num == 1 or operands[0] < 0:
        append(at, MOVE if operands[0] >= 0 else LOAD, to, 0, operands[0], 0)
        return to, signs[0], 1
    if signs[0] + signs[1] == 0:
        append(at, AND, to, operands[0], operands[1], 0)
    elif signs[0] == 1 and signs[1] == 0:
        append(at, AND_NOT, to, operands[0], operands[1], 0)
    else:  # a function that ignores what was in the register
        table = 0x11 << (2 * (1 - signs[0]) + (1 - signs[1]))
        append(at, TERNARY, to, operands[0], operands[1], table)
    return to, 0, 2


@scalar_kernel
def _dying(units: Units, unit: int, operands: IntArray, num: int) -> int:
    first, last = units.starts[unit], units.starts[unit + 1]
    for k in range(num):
        if operands[k] >= 0 and units.next_of_operand[first + k] == NEVER:
            num_uses = ZERO
            for other in range(last - first):
                num_uses += operands[other] == operands[k]
            if num_uses == 1:
                return k
    return NOWHERE


# --- Processors whose instructions combine two vectors ----------------------------------------


@scalar_kernel
def _combine_by_two(
    units: Units, at: Registers, unit: int, operands: IntArray, signs: IntArray
) -> int:
    size = units.starts[unit + 1] - units.starts[unit]
    num_plain = ZERO
    while num_plain < size and signs[num_plain] == 0:
        num_plain += 1
    ones = len(at.slots) + 1
    if num_plain == 0:
        so_far = operands[0]
        to = take_register(at, unit)
        for index in range(1, size):
            left = _in_register(at, unit, so_far)
            append(at, OR, to, left, operands[index], 0)
            so_far = to
        append(at, XOR, to, ones, so_far, 0)
        return to
    so_far = operands[0]
    to = take_register(at, unit)
    for index in range(1, num_plain):
        left = _in_register(at, unit, so_far)
        append(at, AND, to, left, operands[index], 0)
        so_far = to
    for index in range(num_plain, size):
        append(at, AND_NOT, to, _in_register(at, unit, operands[index]), so_far, 0)
        so_far = to
    if size == 1:
        append(at, MOVE if so_far >= 0 else LOAD, to, 0, so_far, 0)
    return to

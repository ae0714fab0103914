"""Instructions, the allocation of registers, and the bytes of code."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.netlist import IntArray
from gdl.native.jit import scalar_kernel

NOWHERE = -1  # a value in no register; a register without a value

# Operations that an instruction may have.
LOAD, STORE, MOVE, AND, AND_NOT, OR, XOR, TERNARY = range(8)

OP, TO, LEFT, RIGHT, TABLE = range(5)  # columns of the array of instructions


class Registers(NamedTuple):
    """The state of registers, and the instructions so far, with `N` registers and `V` slots.

    A value in memory is at its slot. Instructions have five columns: the operation; the register to
    write, or the slot for a store; the left operand, which is a register; the right operand, which
    is a register or `memory(slot)`; the truth table of a `TERNARY`.
    """

    slots: IntArray  # [N] the slot whose value each register holds, or NOWHERE
    reads: IntArray  # [N] the next unit that reads each register
    users: IntArray  # [N] the last unit that used each register, which is reserved during that unit
    places: IntArray  # [V] the register that holds a slot's value, or NOWHERE
    in_memory: NDArray[np.bool_]  # [V] whether the slot's value is also in memory
    instructions: IntArray  # [room, 5]
    num: IntArray  # [1] number of instructions


def make_registers(num_registers: int, num_slots: int, num_operands: int) -> Registers:
    """Return empty registers, with room for all instructions on `num_operands` operands."""
    return Registers(
        slots=np.full(num_registers, NOWHERE, np.int32),
        reads=np.full(num_registers, NOWHERE, np.int32),
        users=np.full(num_registers, NOWHERE, np.int32),
        places=np.full(num_slots, NOWHERE, np.int32),
        in_memory=np.ones(num_slots, np.bool_),
        # Each operand may take a load, a store of another value to make room, and an operation.
        instructions=np.empty((4 * num_operands + 16, 5), np.int32),
        num=np.zeros(1, np.int32),
    )


@scalar_kernel
def memory(slot: int) -> int:
    """Return the operand that stands for a value in memory."""
    return -1 - slot


@scalar_kernel
def append(at: Registers, op: int, to: int, left: int, right: int, table: int) -> None:
    """Append an instruction."""
    row = at.instructions[at.num[0]]
    row[OP], row[TO], row[LEFT], row[RIGHT], row[TABLE] = op, to, left, right, table
    at.num[0] += 1


@scalar_kernel
def take_register(at: Registers, unit: int) -> int:
    """Return a register that a unit may write to.

    This is an empty register, or else the one whose value is not needed for longest (Belady 1966).
    If that value is in no other register and not in memory, it is stored in memory first.
    """
    best, farthest = NOWHERE, -2
    for register in range(len(at.slots)):
        if at.users[register] == unit:
            continue
        if at.slots[register] == NOWHERE:
            best = register
            break
        if at.reads[register] > farthest:
            best, farthest = register, at.reads[register]
    slot = at.slots[best]
    if slot != NOWHERE:
        if not at.in_memory[slot]:
            append(at, STORE, slot, best, 0, 0)
            at.in_memory[slot] = True
        at.places[slot] = NOWHERE
        at.slots[best] = NOWHERE
    at.users[best] = unit
    return best


@scalar_kernel
def hold(at: Registers, register: int, slot: int, read: int) -> None:
    """Record that a register holds a slot's value, and that unit `read` is the next to read it."""
    at.slots[register] = slot
    at.reads[register] = read
    at.places[slot] = register


@scalar_kernel
def release(at: Registers, register: int) -> None:
    """Record that a register's value is not needed any more."""
    if at.slots[register] != NOWHERE:
        at.places[at.slots[register]] = NOWHERE
        at.slots[register] = NOWHERE


Code = NDArray[np.uint8]

VECTOR_BYTES = 64  # bytes of a lane vector; there is code only for this size
MAX_BYTES = 24  # bytes of machine code for one instruction
FRAME_BYTES = 128  # bytes of a function without its instructions


@scalar_kernel
def put(code: Code, end: int, byte: int) -> int:
    """Append a byte to the code. Return the new end of the code."""
    code[end] = byte & 0xFF
    return end + 1


@scalar_kernel
def put_four(code: Code, end: int, number: int) -> int:
    """Append a 32-bit number to the code, lowest byte first. Return the new end of the code."""
    for shift in range(0, 32, 8):
        code[end] = (number >> shift) & 0xFF
        end += 1
    return end

"""Instructions: whose value each register holds, which has to give way, and bytes of code."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.native.jit import scalar_kernel
from gdl.circuit.netlist import IntArray

NOWHERE = -1  # a value in no register; a register without a value

# Operations of instructions.
LOAD, STORE, MOVE, AND, AND_NOT, OR, XOR, TERNARY = range(8)

OP, TO, LEFT, RIGHT, TABLE = range(5)  # columns of instructions


class Registers(NamedTuple):
    """`N` registers, `V` slots. What is in memory stands at its slot.

    Instructions have five columns: what is done; the register that is written, of a store the slot;
    the left operand, a register; the right one, a register, or `memory(slot)`; the truth table
    of a `TERNARY`.
    """

    slots: IntArray  # [N] whose value each holds, or NOWHERE
    reads: IntArray  # [N] the unit that reads it next
    users: IntArray  # [N] the last unit that used it, which keeps it until it is done
    places: IntArray  # [V] the register that holds a slot's value, or NOWHERE
    in_memory: NDArray[np.bool_]  # [V] whether the value is also where the slot is
    instructions: IntArray  # [many, 5]
    num: IntArray  # [1] how many


def make_registers(num_registers: int, num_slots: int, num_operands: int) -> Registers:
    """Empty registers, and room for what so many operands can need."""
    return Registers(
        slots=np.full(num_registers, NOWHERE, np.int32),
        reads=np.full(num_registers, NOWHERE, np.int32),
        users=np.full(num_registers, NOWHERE, np.int32),
        places=np.full(num_slots, NOWHERE, np.int32),
        in_memory=np.ones(num_slots, np.bool_),
        # Of each operand: it is loaded, another one is stored for it, and it is combined.
        instructions=np.empty((4 * num_operands + 16, 5), np.int32),
        num=np.zeros(1, np.int32),
    )


@scalar_kernel
def memory(slot: int) -> int:
    """The operand that stands at a slot."""
    return -1 - slot


@scalar_kernel
def append(at: Registers, op: int, to: int, left: int, right: int, table: int) -> None:
    """Append an instruction."""
    row = at.instructions[at.num[0]]
    row[OP], row[TO], row[LEFT], row[RIGHT], row[TABLE] = op, to, left, right, table
    at.num[0] += 1


@scalar_kernel
def take_register(at: Registers, unit: int) -> int:
    """A register that a unit may write to: an empty one, or the one that is read last of all.

    Its value goes to memory first if it is nowhere else (Belady 1966).
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
    """Note that a register holds a slot's value, and which unit reads it next."""
    at.slots[register] = slot
    at.reads[register] = read
    at.places[slot] = register


@scalar_kernel
def release(at: Registers, register: int) -> None:
    """Note that a register's value is of no more use."""
    if at.slots[register] != NOWHERE:
        at.places[at.slots[register]] = NOWHERE
        at.slots[register] = NOWHERE


Code = NDArray[np.uint8]

VECTOR_BYTES = 64  # of the lane vectors that there is code for
MOST_BYTES = 24  # of what one instruction becomes
FRAME_BYTES = 128  # of a function, beside its instructions


@scalar_kernel
def put(code: Code, end: int, byte: int) -> int:
    """Write a byte; where the code ends then."""
    code[end] = byte & 0xFF
    return end + 1


@scalar_kernel
def put_four(code: Code, end: int, number: int) -> int:
    """Write a number of 32 bits, the lowest byte first; where the code ends then."""
    for shift in range(0, 32, 8):
        code[end] = (number >> shift) & 0xFF
        end += 1
    return end

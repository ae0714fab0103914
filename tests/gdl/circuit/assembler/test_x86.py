"""Each instruction does what its name says, with every register and wherever memory is."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from gdl.circuit.assembler.instructions import (
    AND,
    AND_NOT,
    LOAD,
    MOVE,
    OR,
    STORE,
    TERNARY,
    XOR,
    memory,
)
from gdl.circuit.assembler.x86 import encode_avx512, encode_narrow
from gdl.circuit.lanes.vectors import lane_array
from gdl.native.target import CodePages, Target, target, targets

pytestmark = [
    pytest.mark.skipif(target() is None, reason="no machine code for this processor"),
    pytest.mark.usefixtures("kernels", "machine_code"),
]

Vectors = NDArray[np.uint64]
Instruction = tuple[int, int, int, int, int]

NUM_SLOTS = 2600  # the last ones are farther than the registers that hold addresses reach
FAR = (0, 127, 128, 255, 256, 1000, 2303, 2304, 2599)
TWO: dict[int, Callable[[Vectors, Vectors], Vectors]] = {
    AND: np.bitwise_and,
    AND_NOT: lambda left, right: ~left & right,
    OR: np.bitwise_or,
    XOR: np.bitwise_xor,
}


def _run(instructions: list[Instruction], kind: Target) -> tuple[Vectors, Vectors]:
    """Vectors `[slots, 8]` before and after some instructions."""
    rows = np.array(instructions, np.int32)
    code = np.zeros(200 + 40 * len(rows), np.uint8)
    if kind is Target.AVX512:
        end = encode_avx512(rows, 0, len(rows), code, 0, NUM_SLOTS)
    else:
        end = encode_narrow(rows, 0, len(rows), code, 0, kind.num_bytes)
    pages = CodePages(code[:end])
    values = lane_array(NUM_SLOTS, 8)
    rng = np.random.default_rng(1)
    values["words"][:] = rng.integers(0, 1 << 64, (NUM_SLOTS, 8), dtype=np.uint64)
    before = values["words"].copy()
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(pages.address)(values.ctypes.data)
    return before, values["words"]


def _registers(kind: Target) -> range:
    return range(kind.num_registers if kind.has_ternary else kind.num_registers - 2)


def _operands(kind: Target) -> list[tuple[int, int, int]]:
    """Triples of registers in which each register stands in each place."""
    num = len(_registers(kind))
    return [(i, (i * 5 + 3) % num, (i * 11 + 7) % num) for i in range(num)]


@pytest.mark.parametrize("kind", targets())
@pytest.mark.parametrize("op", TWO)
def test_two_registers_are_combined(op: int, kind: Target) -> None:
    """Also where the result stands in the place of either operand."""
    for to, left, right in [*_operands(kind), (1, 1, 2), (1, 2, 1), (9, 9, 3), (3, 4, 3)]:
        program = [
            (LOAD, left, 0, memory(10), 0),
            (LOAD, right, 0, memory(11), 0),
            (op, to, left, right, 0),
            (STORE, 12, to, 0, 0),
        ]
        before, after = _run(program, kind)

        left_value = before[11] if left == right else before[10]
        np.testing.assert_array_equal(after[12], TWO[op](left_value, before[11]))


@pytest.mark.parametrize("kind", targets())
@pytest.mark.parametrize("op", TWO)
def test_a_register_and_memory_are_combined(op: int, kind: Target) -> None:
    """Wherever that is."""
    for slot, (to, left, _) in itertools.product(FAR, _operands(kind)[::3]):
        program = [(LOAD, left, 0, memory(10), 0), (op, to, left, memory(slot), 0)]
        before, after = _run([*program, (STORE, 12, to, 0, 0)], kind)

        np.testing.assert_array_equal(after[12], TWO[op](before[10], before[slot]))


@pytest.mark.parametrize("kind", targets())
def test_vectors_are_loaded_moved_and_stored(kind: Target) -> None:
    """From everywhere to everywhere, and nothing else is written."""
    for slot, (to, by, _) in itertools.product(FAR, _operands(kind)):
        program = [(LOAD, by, 0, memory(slot), 0), (MOVE, to, 0, by, 0)]
        before, after = _run([*program, (STORE, NUM_SLOTS - 1 - slot, to, 0, 0)], kind)

        before[NUM_SLOTS - 1 - slot] = before[slot]
        np.testing.assert_array_equal(after, before)


@pytest.mark.skipif(Target.AVX512 not in targets(), reason="no AVX-512")
@pytest.mark.parametrize("table", [0x80, 0x01, 0x1F, 0x0F, 0xF0, 0xCA, 0x5A])
def test_three_vectors_are_combined_by_a_table(table: int) -> None:
    """Bit 4a + 2b + c of the table is the value for a, b and c."""
    for to, slot in itertools.product(range(32), FAR):
        left = (to * 5 + 4) % 32 if to % 8 != 7 else to - 1
        right = (to + 13) % 32 if to % 2 and left != (to + 13) % 32 else memory(slot)
        program = [(LOAD, to, 0, memory(10), 0), (LOAD, left, 0, memory(11), 0)]
        if right >= 0:
            program.append((LOAD, right, 0, memory(slot), 0))
        program += [(TERNARY, to, left, right, table), (STORE, 12, to, 0, 0)]
        before, after = _run(program, Target.AVX512)

        expected = np.zeros(8, np.uint64)
        for index in range(8):
            if table >> index & 1:
                signs = (index >> 2 & 1, index >> 1 & 1, index & 1)
                terms = [
                    before[place] if sign else ~before[place]
                    for place, sign in zip((10, 11, slot), signs, strict=True)
                ]
                expected |= terms[0] & terms[1] & terms[2]
        np.testing.assert_array_equal(after[12], expected)

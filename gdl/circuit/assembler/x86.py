"""Kernels that encode instructions as machine code of x86-64.

The code of a segment is a function that gets the address of lane vectors of 512 bits. The encodings
are those of Intel's Software Developer's Manual, volume 2.
"""

from __future__ import annotations

import numpy as np

from gdl.circuit.and_gates import ZERO
from gdl.circuit.assembler.instructions import (
    AND,
    LEFT,
    LOAD,
    MOVE,
    OP,
    RIGHT,
    STORE,
    TABLE,
    TERNARY,
    TO,
    VECTOR_BYTES,
    Code,
    put,
    put_four,
)
from gdl.circuit.netlist import IntArray
from gdl.native.jit import kernel, scalar_kernel

# Opcodes of AND, AND_NOT, OR, XOR; of loads, stores, ternary operations and comparisons.
_LOGICAL = np.array([0xDB, 0xDF, 0xEB, 0xEF], np.uint8)
_LOAD, _STORE, _TERNARY, _EQUAL = 0x6F, 0x7F, 0x25, 0x76

# Registers that are reserved if there is no ternary operation.
_SPARE, _ONES = 14, 15

# Registers that hold addresses. A displacement of one byte reaches 256 slots from each.
_BASES = np.array([7, 0, 1, 2, 6, 8, 9, 10, 11], np.uint8)
_REACH = 256


# --- AVX-512: registers of 512 bits -----------------------------------------------------------


@scalar_kernel
def _put_evex(code: Code, end: int, opcode: int, to: int, left: int, right: int) -> int:
    """Encode an instruction on three registers. If `right` is negative, it is a value in memory."""
    base, slot, group = right, -1 - right, ZERO
    if right < 0:
        group = slot // _REACH
        base = int(_BASES[group]) if group < len(_BASES) else 7
    is_move = opcode in (_LOAD, _STORE)
    page = 3 if opcode == _TERNARY else 1
    high = (base >> 4 & 1) if right >= 0 else 0
    inverted = (to >> 3 & 1) << 7 | high << 6 | (base >> 3 & 1) << 5 | (to >> 4 & 1) << 4
    end = put(code, end, 0x62)
    end = put(code, end, (inverted ^ 0xF0) | page)
    end = put(code, end, 0x80 | (~left & 15) << 3 | 4 | (2 if is_move else 1))
    end = put(code, end, 0x40 | (1 - (left >> 4 & 1)) << 3)
    end = put(code, end, opcode)
    if right >= 0:
        return put(code, end, 0xC0 | (to & 7) << 3 | (base & 7))
    if group < len(_BASES):
        end = put(code, end, 0x40 | (to & 7) << 3 | (base & 7))
        return put(code, end, slot % _REACH - _REACH // 2)
    end = put(code, end, 0x80 | (to & 7) << 3 | (base & 7))
    return put_four(code, end, (slot - _REACH // 2) * VECTOR_BYTES)


@kernel
def encode_avx512(
    instructions: IntArray, first: int, last: int, code: Code, end: int, num_slots: int
) -> int:
    """Encode the instructions from `first` up to `last`, exclusive, as a function.

    Write the function into `code` from index `end` on. Return the index after it.
    """
    for group in range(1, min(len(_BASES), 1 + (num_slots - 1) // _REACH)):  # lea base, [rdi + ..]
        base = int(_BASES[group])
        end = put(code, end, 0x48 | (base >> 3) << 2)
        end = put(code, end, 0x8D)
        end = put(code, end, 0x80 | (base & 7) << 3 | 7)
        end = put_four(code, end, (group * _REACH + _REACH // 2) * VECTOR_BYTES)
    end = put_four(code, end, 0xC78148 | (_REACH // 2 * VECTOR_BYTES & 0xFF) << 24)  # add rdi, ..
    end = put_four(code, end, _REACH // 2 * VECTOR_BYTES >> 8) - 1
    for row in range(first, last):
        op, to = instructions[row, OP], instructions[row, TO]
        left, right = instructions[row, LEFT], instructions[row, RIGHT]
        if op in (LOAD, MOVE):
            end = _put_evex(code, end, _LOAD, to, 0, right)
        elif op == STORE:
            end = _put_evex(code, end, _STORE, left, 0, -1 - to)
        elif op == TERNARY:
            end = _put_evex(code, end, _TERNARY, to, left, right)
            end = put(code, end, instructions[row, TABLE])
        else:
            end = _put_evex(code, end, int(_LOGICAL[op - AND]), to, left, right)
    return put_four(code, end, 0xC377F8C5)  # vzeroupper, ret


# --- AVX2 and SSE2: registers of 256 and 128 bits, so vectors are processed part by part ------


@scalar_kernel
def _put_address(code: Code, end: int, to: int, right: int) -> int:
    if right >= 0:
        return put(code, end, 0xC0 | (to & 7) << 3 | (right & 7))
    end = put(code, end, 0x80 | (to & 7) << 3 | 7)
    return put_four(code, end, (-1 - right) * VECTOR_BYTES)


@scalar_kernel
def _put_vex(code: Code, end: int, opcode: int, to: int, left: int, right: int) -> int:
    is_move = opcode in (_LOAD, _STORE)
    base = right >> 3 & 1 if right >= 0 else 0
    end = put(code, end, 0xC4)
    end = put(code, end, ((to >> 3 & 1) << 7 | base << 5) ^ 0xE0 | 1)
    end = put(code, end, (~left & 15) << 3 | 4 | (2 if is_move else 1))
    end = put(code, end, opcode)
    return _put_address(code, end, to, right)


@scalar_kernel
def _put_sse(code: Code, end: int, opcode: int, to: int, right: int) -> int:
    base = right >> 3 & 1 if right >= 0 else 0
    end = put(code, end, 0xF3 if opcode in (_LOAD, _STORE) else 0x66)
    if to > 7 or base:
        end = put(code, end, 0x40 | (to >> 3) << 2 | base)
    end = put(code, end, 0x0F)
    end = put(code, end, opcode)
    return _put_address(code, end, to, right)


@scalar_kernel
def _put_sse_of_three(code: Code, end: int, opcode: int, to: int, left: int, right: int) -> int:
    if to == right:  # use the spare register, because `right` would be overwritten
        end = _put_sse(code, end, _LOAD, _SPARE, left)
        end = _put_sse(code, end, opcode, _SPARE, right)
        return _put_sse(code, end, _LOAD, to, _SPARE)
    if to != left:
        end = _put_sse(code, end, _LOAD, to, left)
    return _put_sse(code, end, opcode, to, right)


@kernel
def encode_narrow(
    instructions: IntArray, first: int, last: int, code: Code, end: int, num_bytes: int
) -> int:
    """Encode some instructions as a function. Return the index in `code` after the function.

    Args:
        instructions: All instructions. They expect that all bits of the last register are 1.
        first: Index of the first instruction to encode.
        last: Index after the last instruction to encode.
        code: Receives the code.
        end: Index in `code` where the function begins.
        num_bytes: Bytes of a register, 32 or 16.
    """
    is_wide = num_bytes == 32
    end = put(code, end, 0xB9)  # mov ecx, parts
    end = put_four(code, end, VECTOR_BYTES // num_bytes)
    if is_wide:
        end = _put_vex(code, end, _EQUAL, _ONES, _ONES, _ONES)
    else:
        end = _put_sse(code, end, _EQUAL, _ONES, _ONES)
    start = end
    for row in range(first, last):
        op, to = instructions[row, OP], instructions[row, TO]
        left, right = instructions[row, LEFT], instructions[row, RIGHT]
        if op in (LOAD, MOVE):
            end = _put_move(code, end, _LOAD, to, right, is_wide)
        elif op == STORE:
            end = _put_move(code, end, _STORE, left, -1 - to, is_wide)
        elif is_wide:
            end = _put_vex(code, end, int(_LOGICAL[op - AND]), to, left, right)
        else:
            end = _put_sse_of_three(code, end, int(_LOGICAL[op - AND]), to, left, right)
    end = put_four(code, end, 0x00C78348 | num_bytes << 24)  # add rdi, bytes
    end = put_four(code, end, 0x850FC9FF)  # dec ecx, jnz
    end = put_four(code, end, start - (end + 4))
    if is_wide:
        end = put_four(code, end, 0x9077F8C5)  # vzeroupper, nop
    return put(code, end, 0xC3)


@scalar_kernel
def _put_move(code: Code, end: int, opcode: int, to: int, right: int, is_wide: bool) -> int:
    if is_wide:
        return _put_vex(code, end, opcode, to, 0, right)
    return _put_sse(code, end, opcode, to, right)

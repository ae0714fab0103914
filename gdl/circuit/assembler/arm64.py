"""Kernels that encode instructions as machine code of AArch64.

The code of a segment is a function that gets the address of lane vectors of 512 bits. It evaluates
128 bits of all vectors at a time. The encodings are those of Arm's Architecture Reference Manual
for A-profile. The code uses only vector registers that a function need not preserve.
"""

from __future__ import annotations

from gdl.circuit.assembler.instructions import (
    AND,
    AND_NOT,
    LEFT,
    LOAD,
    MOVE,
    OP,
    OR,
    RIGHT,
    STORE,
    TO,
    VECTOR_BYTES,
    Code,
    put_four,
)
from gdl.circuit.netlist import IntArray
from gdl.native.jit import kernel, scalar_kernel

_BYTES = 16  # bytes of a register
_PAGE = 1024  # slots that can be reached from one address
_MAX_PAGES = 255  # pages that one instruction can add

_SPARE = 22


@scalar_kernel
def _number(register: int) -> int:
    """Return the processor's number of a register. Skip 8 to 15, which belong to the caller."""
    return register if register < 8 else register + 8


@scalar_kernel
def _put_access(code: Code, end: int, opcode: int, register: int, slot: int) -> int:
    page, base = slot // _PAGE, 0
    while page > 0:  # add x1, base, pages
        step = min(page, _MAX_PAGES)
        end = put_four(code, end, 0x91400001 | 16 * step << 10 | base << 5)
        base, page = 1, page - step
    place = slot % _PAGE * (VECTOR_BYTES // _BYTES)
    return put_four(code, end, opcode | place << 10 | base << 5 | _number(register))


@scalar_kernel
def _put_logical(code: Code, end: int, op: int, to: int, left: int, right: int) -> int:
    first, second = _number(left), _number(right)
    if op == AND:
        opcode = 0x4E201C00
    elif op == AND_NOT:  # bic complements its second operand
        opcode, first, second = 0x4E601C00, second, first
    elif op == OR:
        opcode = 0x4EA01C00
    else:
        opcode = 0x6E201C00
    return put_four(code, end, opcode | second << 16 | first << 5 | _number(to))


@kernel
def encode_neon(instructions: IntArray, first: int, last: int, code: Code, end: int) -> int:
    """Encode the instructions from `first` up to `last`, exclusive, as a function.

    Write the function into `code` from index `end` on. Return the index after it.
    """
    end = put_four(code, end, 0x52800002 | VECTOR_BYTES // _BYTES << 5)  # mov w2, parts
    end = put_four(code, end, 0x4F07E7E0 | _number(_SPARE + 1))  # movi ones, 0xff
    start = end
    for row in range(first, last):
        op, to = instructions[row, OP], instructions[row, TO]
        left, right = instructions[row, LEFT], instructions[row, RIGHT]
        if op == STORE:
            end = _put_access(code, end, 0x3D800000, left, to)
            continue
        if right < 0:
            loaded = to if op == LOAD else _SPARE
            end = _put_access(code, end, 0x3DC00000, loaded, -1 - right)
            right = loaded
        if op == MOVE:
            end = _put_logical(code, end, OR, to, right, right)
        elif op != LOAD:
            end = _put_logical(code, end, op, to, left, right)
    end = put_four(code, end, 0x91000000 | _BYTES << 10)  # add x0, x0, bytes
    end = put_four(code, end, 0x51000442)  # sub w2, w2, 1
    end = put_four(code, end, 0x34000042)  # cbz w2, over the next
    end = put_four(code, end, 0x14000000 | ((start - end) >> 2 & 0x3FFFFFF))  # b start
    return put_four(code, end, 0xD65F03C0)  # ret

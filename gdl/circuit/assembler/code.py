"""The gates of schedules as machine code in memory.

    code = GateCode([schedule(phase) for phase in phases])
    code.addresses[phase, segment]

Unlike tables, machine code need not look up addresses, and it keeps values in registers.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.assembler.arm64 import encode_neon
from gdl.circuit.assembler.instructions import (
    FRAME_BYTES,
    MAX_BYTES,
    VECTOR_BYTES,
    Code,
    make_registers,
)
from gdl.circuit.assembler.selecting import select_by_three, select_by_two
from gdl.circuit.assembler.units import Units, units_of
from gdl.circuit.assembler.x86 import encode_avx512, encode_narrow
from gdl.circuit.netlist import IntArray
from gdl.circuit.schedule import Schedule, Segment
from gdl.native.target import CodePages, Target, target

VECTOR_WORDS = VECTOR_BYTES // 8
NO_CODE = 0  # address of a segment without gates

_ALIGNMENT = 64

_log = logging.getLogger(__name__)


class GateCode:
    """Machine code for the gates of schedules, for lane vectors of 8 words.

    Attributes:
        addresses: `[P, S]` the address of the code of each segment, or NO_CODE. It is NO_CODE for
            `Segment.LOOP`, whose code is in `blocks`.
        blocks: `[K]` the address of the code of each block of the loop, phase after phase.
        num_bytes: Size of all the code together.
    """

    def __init__(self, schedules: Sequence[Schedule], kind: Target) -> None:
        """Assemble the code.

        Raises:
            OSError: The system does not let a process execute memory that it has written.
        """
        assembled = [assemble(plan, kind) for plan in schedules]
        self.num_bytes = sum(len(code) for code, _ in assembled)
        self._pages = CodePages(np.concatenate([code for code, _ in assembled]))
        segments, blocks = [], [np.zeros(0, np.int64)]
        start = self._pages.address
        for plan, (code, offsets) in zip(schedules, assembled, strict=True):
            found = np.where(offsets >= 0, start + offsets, NO_CODE)
            after = Segment.LOOP + len(plan.blocks) - 1
            segments.append([*found[: Segment.LOOP], NO_CODE, *found[after:]])
            if len(plan.feedback):
                blocks.append(found[Segment.LOOP : after])
            start += len(code)
        self.addresses: NDArray[np.int64] = np.array(segments, np.int64)
        self.blocks: NDArray[np.int64] = np.concatenate(blocks)


def gate_code(schedules: Sequence[Schedule], width: int = VECTOR_WORDS) -> GateCode | None:
    """Return the code of schedules, or None if this machine cannot run any.

    Args:
        schedules: One for each phase.
        width: The number of words of a lane vector. There is code only for 8.
    """
    kind = target()
    if kind is None or width != VECTOR_WORDS:
        return None
    try:
        return GateCode(schedules, kind)
    except OSError as error:  # the system allows no executable memory, or has none left
        _log.warning(
            "the gates of a game are evaluated by slower tables instead of machine code: %s", error
        )
        return None


def assemble(plan: Schedule, kind: Target) -> tuple[Code, NDArray[np.int64]]:
    """Return the code of a schedule, and for each part the index in the code where it begins.

    The index is -1 for parts without gates.
    """
    units = units_of(plan, has_pairs=kind.has_ternary)
    # Without ternary operations, one register holds ones, and another one is reserved as a spare.
    num_registers = kind.num_registers if kind.has_ternary else kind.num_registers - 2
    at = make_registers(num_registers, plan.num_slots, len(units.slots))
    ends = np.zeros(len(plan.parts) - 1, np.int32)
    (select_by_three if kind.has_ternary else select_by_two)(units, at, ends)
    return _encode(units, at.instructions, ends, plan.num_slots, kind)


def _encode(
    units: Units, instructions: IntArray, ends: IntArray, num_slots: int, kind: Target
) -> tuple[Code, NDArray[np.int64]]:
    code = np.empty(int(ends[-1]) * MAX_BYTES + len(ends) * FRAME_BYTES, np.uint8)
    offsets = np.full(len(ends), -1, np.int64)
    first = end = 0
    for part, last in enumerate(ends.tolist()):
        if units.parts[part] < units.parts[part + 1]:
            end += -end % _ALIGNMENT
            offsets[part] = end
            if kind is Target.AVX512:
                end = encode_avx512(instructions, first, last, code, end, num_slots)
            elif kind is Target.NEON:
                end = encode_neon(instructions, first, last, code, end)
            else:
                end = encode_narrow(instructions, first, last, code, end, kind.num_bytes)
        first = last
    end += -end % _ALIGNMENT
    return code[:end], offsets

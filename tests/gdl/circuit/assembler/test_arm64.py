"""The code for AArch64 does what the tables do, run by an emulator."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from gdl.circuit.assembler.arm64 import encode_neon
from gdl.circuit.assembler.code import assemble
from gdl.circuit.assembler.instructions import AND, AND_NOT, LOAD, MOVE, OR, STORE, XOR, memory
from gdl.circuit.lanes.playouts.lanes import Lanes
from gdl.circuit.schedule import schedule
from gdl.native.target import Target
from tests.gdl.circuit.lanes.random_netlists import random_netlist

unicorn = pytest.importorskip("unicorn", reason="no package unicorn to emulate AArch64")
arm64 = pytest.importorskip("unicorn.arm64_const")
pytestmark = pytest.mark.usefixtures("kernels")

CODE, VALUES, STACK, RETURN = 0x1000_0000, 0x4000_0000, 0x2000_0000, 0x3000_0000
NUM_SLOTS = 300_000
MEBIBYTE = 1 << 20

Vectors = NDArray[np.uint64]


def _run(code: NDArray[np.uint8], starts: list[int], values: Vectors) -> Vectors:
    """Vectors after the functions of a code that begin somewhere were called in turn."""
    machine = unicorn.Uc(unicorn.UC_ARCH_ARM64, unicorn.UC_MODE_ARM)
    for place, size in ((CODE, len(code)), (VALUES, values.nbytes), (RETURN, 1)):
        machine.mem_map(place, -(-size // MEBIBYTE) * MEBIBYTE)
    machine.mem_write(CODE, code.tobytes())
    machine.mem_write(VALUES, values.tobytes())
    for start in starts:
        machine.reg_write(arm64.UC_ARM64_REG_X0, VALUES)
        machine.reg_write(arm64.UC_ARM64_REG_LR, RETURN)
        machine.emu_start(CODE + start, RETURN)
    found = np.frombuffer(bytes(machine.mem_read(VALUES, values.nbytes)), np.uint64)
    return found.reshape(values.shape)


def _vectors(num_slots: int) -> Vectors:
    return np.random.default_rng(1).integers(0, 1 << 64, (num_slots, 8), dtype=np.uint64)


@pytest.mark.parametrize("slot", [0, 1023, 1024, 70_000, 261_120, NUM_SLOTS - 1])
def test_each_instruction_does_what_its_name_says(slot: int) -> None:
    """With every register, and wherever memory is."""
    rows: list[tuple[int, int, int, int, int]] = []
    expected: list[Vectors] = []
    before = _vectors(NUM_SLOTS)
    one, other = before[slot], before[3]
    for register in range(22):
        by = (register + 5) % 22
        rows += [(LOAD, by, 0, memory(slot), 0), (MOVE, register, 0, by, 0)]
        for op, value in (
            (AND, one & other),
            (AND_NOT, ~one & other),
            (OR, one | other),
            (XOR, one ^ other),
        ):
            rows += [(op, (register + 9) % 22, register, memory(3), 0)]
            rows += [(STORE, 10 + len(expected), (register + 9) % 22, 0, 0)]
            expected.append(value)
    instructions = np.array(rows, np.int32)
    code = np.zeros(24 * len(rows) + 128, np.uint8)
    end = encode_neon(instructions, 0, len(rows), code, 0)

    after = _run(code[:end], [0], before)

    np.testing.assert_array_equal(after[10 : 10 + len(expected)], expected)


@pytest.mark.parametrize(("gates", "bases"), [(60, 9), (900, 40), (900, 2000)])
def test_code_says_what_tables_say(gates: int, bases: int) -> None:
    """All that is read of the lanes is the same."""
    netlist = random_netlist(5, bases=bases, gates=gates)
    by_table, plan = schedule(netlist, straight=False), schedule(netlist, straight=True)
    lanes = Lanes([by_table])
    values = _vectors(plan.num_slots)
    values[0] = 0
    lanes.state.values["words"][: netlist.first_gate] = values[: netlist.first_gate]
    lanes.settle()

    code, starts = assemble(plan, Target.NEON)
    called = [start for start in starts[:-1].tolist() if start >= 0]
    after = _run(code, called, values)

    for mine, theirs in ((plan.legal, by_table.legal), (plan.goals, by_table.goals)):
        sign = np.where(mine & 1, ~np.uint64(0), np.uint64(0))[:, None]
        found = lanes.state.values["words"][theirs >> 1]
        sign_of_theirs = np.where(theirs & 1, ~np.uint64(0), np.uint64(0))[:, None]
        np.testing.assert_array_equal(after[mine >> 1] ^ sign, found ^ sign_of_theirs)

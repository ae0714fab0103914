"""Machine code does what tables do, on each kind of processor that this one can act as."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from gdl.circuit.assembler.code import GateCode, gate_code
from gdl.circuit.lanes.playouts.lanes import Lanes
from gdl.circuit.netlist import Netlist
from gdl.circuit.passes.phases import split_phases
from gdl.circuit.schedule import NUM_SEGMENTS, Schedule, Segment, schedule
from gdl.native.target import Target, target, targets
from tests.gdl.circuit.lanes.random_netlists import alternating, random_netlist

pytestmark = [
    pytest.mark.skipif(target() is None, reason="no machine code for this processor"),
    pytest.mark.usefixtures("kernels", "lane_steps", "machine_code"),
]

KINDS = targets()


def _outputs(plan: Schedule, lanes: Lanes) -> NDArray[np.bool_]:
    """All that others read of settled lanes, and what follows their moves."""
    lanes.settle()
    terminal = np.array([plan.terminal], np.int32)
    found = lanes.places(np.concatenate([plan.legal, terminal, plan.goals, plan.feedback]))
    lanes.choose()
    inputs = lanes.inputs()
    lanes.advance()
    return np.concatenate([found, inputs], axis=1)


def _assert_same(netlist: Netlist, kind: Target, steps: int = 4) -> None:
    plans = schedule(netlist, straight=False), schedule(netlist, straight=True)
    by_table = Lanes(plans[:1], seed=1)
    by_code = Lanes(plans[1:], seed=1, code=GateCode(plans[1:], kind))
    rng = np.random.default_rng(7)
    states = rng.integers(0, 1 << 64, by_table.read().shape, dtype=np.uint64)
    by_table.load(states)
    by_code.load(states)
    for _ in range(steps):
        expected = _outputs(plans[0], by_table)
        np.testing.assert_array_equal(_outputs(plans[1], by_code), expected)
        np.testing.assert_array_equal(by_code.read(), by_table.read())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("gates", "bases", "feedback"),
    [(2, 9, 0), (60, 9, 0), (60, 9, 5), (900, 40, 0), (900, 3000, 3)],
)
def test_code_says_what_tables_say(kind: Target, gates: int, bases: int, feedback: int) -> None:
    """In few and in many states, near and far in memory, in registers and beside them."""
    for seed in range(3):
        netlist = random_netlist(seed, bases=bases, gates=gates, feedback=feedback)

        _assert_same(netlist, kind)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_code_of_many_netlists_says_what_tables_say(kind: Target, seed: int) -> None:
    """The same, of large ones."""
    for gates in (10, 300, 5000):
        _assert_same(random_netlist(100 + seed, bases=20, gates=gates, feedback=seed % 3), kind)


def test_each_phase_has_code_of_its_own() -> None:
    """Each segment that has gates has an address, the others none."""
    plans = [schedule(phase) for phase in split_phases(alternating(random_netlist(2)))]

    code = gate_code(plans)

    assert code is not None
    assert code.addresses.shape == (2, NUM_SEGMENTS)
    has_gates = np.array([np.diff(plan.segments) > 0 for plan in plans])
    has_gates[:, Segment.LOOP] = False
    assert ((code.addresses != 0) == has_gates).all()


def test_lane_vectors_of_another_width_have_no_code() -> None:
    """They are played by tables."""
    assert gate_code([schedule(random_netlist(1))], width=1) is None


def test_what_is_alike_is_assembled_alike() -> None:
    """Values stay in registers: hardly any gate takes more than two instructions."""
    plan = schedule(random_netlist(3, gates=2000))

    code = gate_code([plan])

    assert code is not None
    assert code.num_bytes < 40 * len(plan.targets)

"""Straight-line code does what the tables do, and may take over at any time."""

from __future__ import annotations

import numpy as np
import pytest

from gdl.circuit.lanes.lanes import DEFAULT_WIDTH, Lanes
from gdl.circuit.lanes.native_gates import NativeGates
from gdl.circuit.passes.phases import split_phases
from gdl.circuit.schedule import NUM_SEGMENTS, schedule
from tests.gdl.circuit.lanes.random_netlists import alternating, random_netlist


@pytest.mark.parametrize(("seed", "gates", "feedback"), [(1, 60, 0), (2, 900, 0), (3, 60, 5)])
def test_both_gears_play_the_same(seed: int, gates: int, feedback: int) -> None:
    """Equal seeds give equal playouts, whether gates are tables or code."""
    netlist = random_netlist(seed, gates=gates, feedback=feedback)
    first, second = (Lanes([schedule(netlist)], seed=seed) for _ in range(2))
    native_gates = NativeGates([schedule(netlist, straight=True)], DEFAULT_WIDTH)
    native_gates.compile()
    for lanes in (first, second):
        lanes.playouts(steps=3)

    second.use(native_gates)

    assert first.playouts(steps=50).mean_goals == second.playouts(steps=50).mean_goals
    assert (first.read() == second.read()).all()


def test_a_thread_compiles_every_phase() -> None:
    """After the thread has ended each segment that has gates has code."""
    plans = [
        schedule(phase, straight=True) for phase in split_phases(alternating(random_netlist(2)))
    ]
    native_gates = NativeGates(plans, width=1)

    native_gates.start()
    native_gates.wait()

    has_gates = [np.diff(plan.segments) > 0 for plan in plans]
    assert ((native_gates.code != 0) == np.array(has_gates)).all()
    assert native_gates.code.shape == (2, NUM_SEGMENTS)
    assert native_gates.is_ready


def test_a_gear_that_was_stopped_is_not_ready() -> None:
    """Nothing more is compiled, and nobody may use it."""
    native_gates = NativeGates([schedule(random_netlist(4), straight=True)], width=1)

    native_gates.stop()
    native_gates.start()
    native_gates.wait()

    assert not native_gates.is_ready
    assert not native_gates.code.any()

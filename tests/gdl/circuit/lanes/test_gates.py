"""Fixpoints that are sought from those of the state before are those that are sought from false."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gdl.circuit.build import build
from gdl.circuit.circuit import Circuit
from gdl.circuit.lanes.expander.expander import Expander, Simulator
from gdl.circuit.lanes.playouts.lanes import Lanes
from gdl.circuit.netlist import Netlist
from gdl.circuit.passes.blocks import separate_blocks
from gdl.circuit.passes.growth import find_growth
from gdl.circuit.passes.optimise import optimise
from gdl.circuit.passes.phases import split_phases
from gdl.circuit.passes.split import split
from gdl.circuit.schedule import Schedule, schedule
from tests.gdl.circuit.lanes.walks import bundled
from tests.gdl.circuit.programs import grid

pytestmark = pytest.mark.usefixtures("kernels")

NOTHING = np.zeros(0, np.int32)


def _plans(netlist: Netlist, *, grows: bool) -> list[Schedule]:
    found = find_growth(netlist)
    assert (found.growth >= 0).any()
    phases = split_phases(found if grows else netlist)
    return [schedule(separate_blocks(split(phase), 5)) for phase in phases]


def _games() -> dict[str, Netlist]:
    hex_board = optimise(bundled("hex").circuit.netlist, play=True)
    return {
        "grid": optimise(build(grid(5)), play=True),
        "mixed": optimise(build(grid(4, walls_after=True)), play=True),
        "hex": replace(hex_board, growth=NOTHING),
    }


@pytest.mark.parametrize("game", ["grid", "mixed", "hex"])
def test_playouts_are_the_same(game: str) -> None:
    """From the first state and from others, as many playouts of the same lengths end alike."""
    netlist = _games()[game]
    results = []
    for grows in (True, False):
        lanes = Lanes(_plans(netlist, grows=grows), seed=3)
        found = [lanes.playouts(steps=300), lanes.finish()]
        lanes.playouts(steps=7)
        phase = lanes.phase
        states = lanes.read()
        lanes.load(states, phase)
        found += [lanes.playouts(steps=200), lanes.finish()]
        results.append([(x.count, x.moves, x.goal_totals) for x in found] + [states.tolist()])

    assert results[0] == results[1]


@pytest.mark.parametrize("game", ["grid", "mixed", "hex"])
def test_playouts_of_leaves_are_the_same(game: str) -> None:
    """Lanes that are over are settled on in other phases meanwhile."""
    netlist = _games()[game]
    totals = []
    for grows in (True, False):
        plans = tuple(_plans(netlist, grows=grows))
        lanes = Lanes(plans, seed=3)
        lanes.playouts(steps=5)
        expander = Expander(Simulator(Circuit(netlist, plans)), seed=5)
        expander.children[:100] = lanes.read()[:100]
        expander.play(100, lanes.phase, rounds=3, limit=1000)
        totals.append(expander.totals[:100].tolist())

    assert totals[0] == totals[1]

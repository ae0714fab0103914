"""Kernels that tests call by themselves, and games only as parts of others.

The fixture `kernels` does not compile them, so a file that calls them asks for them here: then the
first of its tests is not the one that compiles.
"""

from __future__ import annotations

import numpy as np
import pytest

import gdl
from gdl.circuit.assembler.code import GateCode
from gdl.circuit.assembler.x86 import encode_narrow
from gdl.circuit.lanes.playouts.lanes import Lanes
from gdl.circuit.schedule import schedule
from gdl.native.target import Target, targets
from tests.gdl.circuit.lanes.random_netlists import random_netlist

SWITCH = """
(role one) (init off) (legal one press) (<= (next on) (does one press)) (<= terminal (true on))
(goal one 70)
"""


@pytest.fixture(scope="session")
def settled_lanes(kernels: None) -> Lanes:
    """Lanes for `lane_steps`, after their first step."""
    lanes = Lanes([schedule(random_netlist(1, gates=5), straight=False)])
    lanes.settle()
    return lanes


@pytest.fixture(scope="session")
def lane_steps(settled_lanes: Lanes) -> None:
    """The steps that lanes make, one at a time: settle, choose, advance."""
    settled_lanes.choose()
    settled_lanes.advance()


@pytest.fixture(scope="session")
def encoder(kernels: None) -> None:
    """The encoder for processors without AVX-512."""
    nothing = np.zeros((0, 5), np.int32)
    encode_narrow(nothing, 0, 0, np.zeros(200, np.uint8), 0, Target.AVX2.num_bytes)


@pytest.fixture(scope="session")
def machine_code(encoder: None) -> None:
    """The assembler, for each kind of processor that this one can act as."""
    plan = schedule(random_netlist(1, gates=5), straight=True)
    for kind in targets():
        GateCode([plan], kind)


@pytest.fixture(scope="session")
def scalar_kernels(kernels: None) -> None:
    """The kernels of single states that searches take into their own."""
    game, found = gdl.load(SWITCH, "scalar").arrays(), gdl.scalar_kernels()
    assert game is not None
    at, layout, memory = game.at, game.layout, game.memory
    memory[at.chosen] = 0
    found.make_from(at, layout, memory, game.pack(gdl.load(SWITCH, "scalar").initial_state()))
    found.advance(at, layout, memory)
    found.holds(at, memory, at.terminal)
    found.list_legal(at, layout, memory, 0, np.zeros(1, np.int32), 0)
    found.count_legal(at, layout, memory, 0)
    found.goal_of(at, layout, memory, 0)

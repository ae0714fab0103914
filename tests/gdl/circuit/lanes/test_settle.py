"""The lanes say what the plain meaning of a netlist says, with another state in each lane."""

from __future__ import annotations

import numpy as np
import pytest

from gdl.circuit.lanes.playouts.lanes import Lanes
from gdl.circuit.netlist import BoolArray, Netlist, literal_values
from gdl.circuit.schedule import schedule
from tests.fakes.netlists import evaluate
from tests.gdl.circuit.lanes.random_netlists import random_netlist

pytestmark = pytest.mark.usefixtures("kernels", "lane_steps")

KINDS = [(1, 0), (2, 0), (3, 0), (4, 1), (5, 4), (6, 9)]


def _packed(bases: BoolArray) -> np.ndarray[tuple[int, int], np.dtype[np.uint64]]:
    """States as `Lanes.load` takes them."""
    padded = np.pad(bases, [(0, 0), (0, -bases.shape[1] % 64)])
    packed = np.packbits(padded, axis=1, bitorder="little")
    return np.ascontiguousarray(packed).view(np.uint64)


def _random_states(netlist: Netlist, lanes: Lanes, seed: int) -> BoolArray:
    rng = np.random.default_rng(seed)
    return rng.random((lanes.num_lanes, netlist.num_bases)) < rng.random(netlist.num_bases)


@pytest.mark.parametrize(("seed", "feedback"), KINDS)
def test_settled_lanes_agree_with_the_plain_meaning(seed: int, feedback: int) -> None:
    """Terminal, legal and goals of every lane are those of its own state."""
    netlist = random_netlist(seed, feedback=feedback)
    plan = schedule(netlist)
    lanes = Lanes([plan])
    bases = _random_states(netlist, lanes, seed)
    nothing = np.zeros((lanes.num_lanes, netlist.num_inputs), np.bool_)

    lanes.load(_packed(bases))
    lanes.settle()

    values = evaluate(netlist, bases, nothing)
    outputs = [netlist.terminal, *netlist.legal, *(literal for _, _, literal in netlist.goals)]
    places = np.array([plan.terminal, *plan.legal, *plan.goals])
    assert (lanes.places(places) == literal_values(values, outputs)).all()


@pytest.mark.parametrize(("seed", "feedback"), KINDS)
def test_advanced_lanes_agree_with_the_plain_meaning(seed: int, feedback: int) -> None:
    """The next state of every lane follows from its own state and its own moves, twice."""
    netlist = random_netlist(seed, feedback=feedback)
    lanes = Lanes([schedule(netlist)], seed=seed)
    bases = _random_states(netlist, lanes, seed)
    lanes.load(_packed(bases))

    for _ in range(2):
        lanes.settle()
        lanes.choose()
        moves = lanes.inputs()
        lanes.advance()
        bases = literal_values(evaluate(netlist, bases, moves), netlist.next)

        assert (lanes.read() == _packed(bases)).all()


@pytest.mark.parametrize("bases", [4, 63, 64, 65, 130])
def test_states_come_back_as_they_were_loaded(bases: int) -> None:
    """Loading and reading are inverse, whatever the number of bases."""
    netlist = random_netlist(1, bases=bases)
    lanes = Lanes([schedule(netlist)])
    states = _packed(_random_states(netlist, lanes, seed=bases))

    lanes.load(states)

    assert (lanes.read() == states).all()


def test_moves_are_legal_and_one_for_each_role() -> None:
    """Every lane has one legal move for each role that has any, and none where there is none."""
    netlist = random_netlist(7)
    lanes = Lanes([schedule(netlist)], seed=3)
    bases = _random_states(netlist, lanes, seed=7)
    lanes.load(_packed(bases))

    lanes.settle()
    lanes.choose()

    moves = lanes.inputs()
    legal = literal_values(evaluate(netlist, bases, np.zeros_like(moves)), netlist.legal)
    assert not (moves & ~legal).any()
    for first, last in zip(netlist.role_starts, netlist.role_starts[1:], strict=False):
        assert (moves[:, first:last].sum(axis=1) == legal[:, first:last].any(axis=1)).all()

"""Blocks: the same values, from gates that only one block reads."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from gdl.circuit.build import build
from gdl.circuit.netlist import Netlist, literal_values
from gdl.circuit.passes.blocks import halve_feedback, separate_blocks
from gdl.circuit.passes.growth import find_growth
from gdl.circuit.passes.optimise import optimise
from gdl.circuit.passes.split import split
from tests.fakes.netlists import evaluate
from tests.gdl.circuit.lanes.random_netlists import random_netlist
from tests.gdl.circuit.programs import grid

pytestmark = pytest.mark.usefixtures("kernels")


def _outputs(netlist: Netlist, seed: int) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """The values of all outputs in random states, after random moves."""
    rng = np.random.default_rng(seed)
    bases = rng.random((200, netlist.num_bases)) < 0.6
    inputs = rng.random((200, netlist.num_inputs)) < 0.3
    goals = [literal for _, _, literal in netlist.goals]
    literals = [netlist.terminal, *netlist.legal, *goals, *netlist.next]
    return literal_values(evaluate(netlist, bases, inputs), literals)


def _grid(*, grows: bool) -> Netlist:
    netlist = optimise(build(grid(5)))
    return split(find_growth(netlist) if grows else netlist)


def _cone_of_block(netlist: Netlist, first: int, last: int) -> set[int]:
    """The gates that the nodes of a block need and that depend on feedback."""
    depends = set(range(netlist.first_feedback, netlist.first_gate))
    gates: dict[int, list[int]] = {}
    for gate, (start, end) in enumerate(pairwise(netlist.offsets.tolist())):
        gates[netlist.first_gate + gate] = [x >> 1 for x in netlist.literals[start:end].tolist()]
        if depends & set(gates[netlist.first_gate + gate]):
            depends.add(netlist.first_gate + gate)
    found: set[int] = set()
    waiting = [literal >> 1 for literal in netlist.feedback[first:last].tolist()]
    while waiting:
        node = waiting.pop()
        if node in gates and node in depends and node not in found:
            found.add(node)
            waiting += gates[node]
    return found


@pytest.mark.parametrize("grows", [False, True])
@pytest.mark.parametrize("size", [1, 4, 100])
def test_nothing_changes_but_the_gates(size: int, grows: bool) -> None:
    """All outputs are what they were, whatever the size of blocks."""
    netlist = _grid(grows=grows)

    found = separate_blocks(netlist, size)

    assert (_outputs(found, seed=size) == _outputs(netlist, seed=size)).all()
    assert len(found.blocks) > 1


@pytest.mark.parametrize(("seed", "feedback"), [(4, 1), (5, 4), (6, 9), (7, 20)])
def test_nothing_changes_in_random_netlists(seed: int, feedback: int) -> None:
    """Whose feedback nodes read each other without any order."""
    netlist = random_netlist(seed, feedback=feedback)

    found = separate_blocks(netlist, 3)

    assert (_outputs(found, seed) == _outputs(netlist, seed)).all()


def test_no_gate_that_depends_on_feedback_stands_in_two_blocks() -> None:
    """And all gates come after what they read."""
    found = separate_blocks(_grid(grows=True), 4)

    cones = [_cone_of_block(found, *bounds) for bounds in pairwise(found.blocks.tolist())]

    assert len(cones) >= 6
    assert sum(map(len, cones)) == len(set().union(*cones))
    sizes = np.diff(found.offsets)
    gates = np.repeat(np.arange(found.first_gate, found.first_gate + found.num_gates), sizes)
    assert ((found.literals >> 1) < gates).all()


def test_nodes_that_are_sought_from_false_on_need_fewer_feedback_nodes() -> None:
    """Those that come first read the others, which read the gates of those."""
    netlist = _grid(grows=True)

    found = halve_feedback(netlist)

    assert 0 < len(found.feedback) < len(netlist.feedback) == len(separate_blocks(netlist).feedback)
    assert (_outputs(found, seed=1) == _outputs(netlist, seed=1)).all()
    assert len(found.blocks) == len(found.growth) == 0

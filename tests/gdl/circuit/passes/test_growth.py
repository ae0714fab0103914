"""Growth: which feedback nodes stay true as long as a playout lasts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gdl.circuit.build import build
from gdl.circuit.netlist import Netlist
from gdl.circuit.passes.growth import find_growth
from gdl.circuit.passes.optimise import optimise
from tests.gdl.circuit.programs import grid

pytestmark = pytest.mark.usefixtures("kernels")


def _with_next_of_first_stone(netlist: Netlist, literal: int) -> Netlist:
    following = netlist.next.copy()
    following[0] = literal
    return replace(netlist, next=following)


def test_what_stones_connect_that_stay_grows() -> None:
    """Each node has a number of its own."""
    netlist = find_growth(optimise(build(grid(4))))

    assert netlist.growth.tolist() == list(range(len(netlist.feedback)))
    assert len(netlist.feedback) > 0


@pytest.mark.parametrize("literal", [0, 3, 4])
def test_a_stone_that_may_go_takes_all_with_it_that_it_connects(literal: int) -> None:
    """It goes always, comes and goes, or becomes what another one is."""
    netlist = find_growth(_with_next_of_first_stone(build(grid(4)), literal))

    assert (netlist.growth == -1).all()
    assert len(netlist.growth) == len(netlist.feedback)


def test_numbers_stay_with_their_nodes() -> None:
    """Passes that drop nodes drop their numbers."""
    netlist = find_growth(build(grid(4)))
    numbered = replace(netlist, growth=netlist.growth + 100)
    unread = replace(numbered, terminal=2 * numbered.first_feedback + 8, goals=())

    smaller = optimise(unread)

    assert len(smaller.growth) == len(smaller.feedback) < len(netlist.feedback) + 1
    assert set(smaller.growth.tolist()) <= set(numbered.growth.tolist())


def test_what_depends_on_the_complement_of_what_grows_does_not() -> None:
    """Cells that are not reached become fewer."""
    program = grid(4, walls_after=True)

    netlist = find_growth(build(program))

    values = np.unique(netlist.growth)
    assert values[-1] >= 0
    assert len(netlist.growth) == len(netlist.feedback)

"""Latches stay as they are, and what they rule out does not happen."""

from __future__ import annotations

import pytest

from tests.gdl.structure.boards import (
    QUICK,
    after,
    boards,
    of_game,
    outcomes,
    random_moves,
    random_states,
)
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

NUM = 60


def test_a_blown_fuse_stays_blown() -> None:
    """The fuse is a latch, and once it is blown 100 is out of reach."""
    structure = boards()
    netlist = structure.netlist

    found = {
        (str(netlist.bases[latch.base]), latch.value): {netlist.goals[i][1] for i in latch.excluded}
        for latch in structure.latches
        if not structure.is_autonomous[latch.base]
    }

    assert found == {("blown", True): {100}}


EXCLUDING = ("boards", "factoringEasyTurtleBrain", "escortLatch", "pawnWhopping")
LATCHED = (
    "boards",
    "ticTacToe",
    "dualConnect4",
    "blocker",
    "firefighter",
    "pawnWhopping",
    "escortLatch",
)


@pytest.mark.parametrize("name", all_but(QUICK, LATCHED))
def test_a_latch_never_changes_back(name: str) -> None:
    """Whatever the state and the moves, what is latched stays."""
    structure = of_game(name)
    states, moves = random_states(structure, NUM), random_moves(structure, NUM)

    following = after(structure, states, moves)

    assert structure.latches
    for latch in structure.latches:
        is_latched = states[:, latch.base] == latch.value
        assert (following[is_latched, latch.base] == latch.value).all()


@pytest.mark.parametrize("name", all_but(["boards", "factoringEasyTurtleBrain"], EXCLUDING))
def test_what_a_latch_excludes_does_not_hold(name: str) -> None:
    """No state in which it is latched is worth a goal that it excludes."""
    structure = of_game(name)
    states = random_states(structure, NUM)

    excluding = [latch for latch in structure.latches if latch.excluded]

    assert excluding
    for latch in excluding:
        states[:, latch.base] = latch.value
        goals = outcomes(structure, states)[:, 1:]
        assert not goals[:, list(latch.excluded)].any()
        states = random_states(structure, NUM)

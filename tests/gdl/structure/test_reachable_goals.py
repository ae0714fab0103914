"""ReachableGoals are kept: what is ruled out does not happen."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import gdl
from tests.gdl.structure.boards import RULES, TURNING_IS_LEGAL
from tests.shared import require
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

GAMES = ("ticTacToe", "withConviction", "blockerSerial", "nonogram_5x5_1")
NUM = 32
PLIES = 60

FloatArray = NDArray[np.float32]


def load(name: str) -> gdl.Game:
    """A game of the corpus on lanes."""
    return gdl.load(require("corpus", "rules", f"{name}.kif").read_text(), "lanes")


def bounds(machine: gdl.Game, expander: gdl.Expander) -> tuple[FloatArray, FloatArray]:
    """Lower and upper bounds of each role's goal, from each child on."""
    prospects = machine.reachable_goals
    assert prospects is not None
    lower, upper = np.zeros((2, NUM, expander.num_roles), np.float32)
    prospects.limit(expander.children, NUM, lower, upper)
    return lower, upper


def make_random_moves(expander: gdl.Expander, rng: np.random.Generator, phase: int) -> None:
    """Each child becomes one of its children; those that are over stay."""
    num_roles, starts = expander.num_roles, expander.legal_starts
    expander.parents[:NUM] = expander.children[:NUM]
    is_over = expander.is_terminal[:NUM].astype(np.bool_)
    for row in np.flatnonzero(~is_over).tolist():
        for role in range(num_roles):
            first, last = starts[row * num_roles + role : row * num_roles + role + 2]
            expander.moves[row, role] = expander.legal[rng.integers(first, last)]
    expander.expand(NUM, phase)


@pytest.mark.parametrize("name", all_but(["ticTacToe", "blockerSerial"], GAMES))
def test_random_play_ends_within_all_earlier_bounds(name: str) -> None:
    """The goals at the end of a game lie within the bounds of each state on the way there."""
    machine = load(name)
    simulator = machine.simulator
    assert simulator is not None
    expander = simulator.expander(1)
    rng = np.random.default_rng(1)
    expander.children[:NUM] = expander.initial
    expander.look(NUM, 0)
    floor, ceiling = bounds(machine, expander)
    is_over, num_narrow = np.zeros(NUM, np.bool_), 0

    for ply in range(PLIES):
        make_random_moves(expander, rng, ply % expander.num_phases)
        ended = expander.is_terminal[:NUM].astype(np.bool_) & ~is_over
        goals = expander.goals[:NUM]
        assert (goals[ended] >= floor[ended]).all()
        assert (goals[ended] <= ceiling[ended]).all()
        is_over |= ended
        lower, upper = bounds(machine, expander)
        floor, ceiling = np.maximum(floor, lower), np.minimum(ceiling, upper)
        num_narrow += int((ceiling < 100)[~is_over].any())

    assert is_over.any()
    assert num_narrow > 0


def test_a_blown_fuse_leaves_the_lesser_goal() -> None:
    """At first 100 is in reach; after the fuse is blown 40 is the most."""
    machine = gdl.load(RULES.replace("TURNING", TURNING_IS_LEGAL), "lanes")
    simulator = machine.simulator
    prospects = machine.reachable_goals
    assert simulator is not None
    assert prospects is not None
    expander = simulator.expander(1)
    role = machine.roles[0]
    moves = {str(move): move for move in machine.legal_moves(machine.initial_state(), role)}
    blown = machine.next_state(machine.initial_state(), (moves["blow"],))
    states = np.stack([expander.initial, expander.pack(machine.facts(blown))])
    lower, upper = np.zeros((2, 2, 1), np.float32)

    prospects.limit(states, 2, lower, upper)

    assert upper.ravel().tolist() == [100, 40]
    assert lower.ravel().tolist() == [0, 0]

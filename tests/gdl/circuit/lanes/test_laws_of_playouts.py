"""Counts of random playouts of the bundled games are the same on lanes and on a slow machine."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray

import gdl
from gdl.circuit.circuit import make_circuit
from gdl.circuit.lanes.playouts.lanes import Lanes
from gdl.ground.grounding import ground
from tests.gdl.circuit.lanes.walks import GAMES, Game, bundled
from tests.thorough import KINDS, all_but

pytestmark = pytest.mark.usefixtures("kernels")

SEVERAL_GOALS = """
(role me) (role you) (init (n 0)) (legal me a) (legal me b) (legal you wait)
(<= (next (n 1)) (true (n 0))) (<= (next (got ?m)) (does me ?m)) (<= terminal (true (n 1)))
(<= (goal me 30) (true (got a))) (goal me 10) (<= (goal me 80) terminal) (goal you 5) (goal you 40)
"""

ROUNDS = 16  # of 512 playouts
STANDARD_ERRORS = 3

# For others the interpreter would take too long; the scalar machine, which plays these, is compared
# to it step by step.
INTERPRETED = {"goofspiel", "kuhnPoker", "lightsOut", "nim", "pig", "threePlayerTicTacToe"}
NUM_SLOW = 150
NUM_SCALAR = 500

Samples = NDArray[np.float64]


@pytest.mark.parametrize("game", all_but(KINDS, GAMES))
def test_means_are_those_of_a_slow_machine(game: str) -> None:
    """Mean length and mean goal of each role agree within three standard errors."""
    known = bundled(game)
    samples = _slow_playouts(known.interpreter) if game in INTERPRETED else _scalar_playouts(known)

    lanes = known.lanes(seed=3)
    rounds = _rounds(lanes)

    # Few slow playouts may all miss what is rare; many rounds do not.
    spread = np.maximum(samples.std(axis=0), rounds.std(axis=0) * np.sqrt(lanes.num_lanes))
    errors = spread * np.sqrt(1 / len(samples) + 1 / (ROUNDS * lanes.num_lanes))
    off = abs(rounds.mean(axis=0) - samples.mean(axis=0))
    assert (off <= STANDARD_ERRORS * errors + 1e-9).all()


def test_the_highest_of_several_goals_counts() -> None:
    """As `gdl.machine.StateMachine` has it; goals that hold besides add nothing."""
    circuit = make_circuit(ground(gdl.read_kif(SEVERAL_GOALS, "several goals")))

    result = Lanes(circuit.phases, seed=1).finish()

    assert result.mean_goals == (80, 40)


def _rounds(lanes: Lanes) -> Samples:
    """`[rounds, 1 + R]` mean length and mean goals of a playout in each lane."""
    results = [lanes.finish() for _ in range(ROUNDS)]
    assert all(result.count == lanes.num_lanes and not result.cut for result in results)
    return np.array([[result.mean_length, *result.mean_goals] for result in results])


def _slow_playouts(machine: gdl.StateMachine) -> Samples:
    """`[playouts, 1 + R]` length and goals of random playouts."""
    rng = random.Random(3)
    samples = []
    for _ in range(NUM_SLOW):
        state, length = machine.initial_state(), 0
        while not machine.is_terminal(state):
            choices = [machine.legal_moves(state, role) for role in machine.roles]
            state = machine.next_state(state, [rng.choice(legal) for legal in choices])
            length += 1
        samples.append([length, *(machine.goal(state, role) for role in machine.roles)])
    return np.array(samples, np.float64)


def _scalar_playouts(game: Game) -> Samples:
    """The same by the scalar machine."""
    results = [game.scalar.random_playouts(1, seed=seed) for seed in range(NUM_SCALAR)]
    return np.array([[result.mean_length, *result.mean_goals] for result in results])

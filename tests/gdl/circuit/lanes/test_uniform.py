"""In states of real games every legal move is as likely as the others."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from gdl.circuit.schedule import Schedule
from tests.gdl.circuit.lanes.chi_square import is_uniform
from tests.gdl.circuit.lanes.walks import GAMES, Game, bundled, game_of
from tests.shared import require
from tests.thorough import KINDS, all_but

pytestmark = pytest.mark.usefixtures("kernels", "lane_steps")

WIDTH = 8
ROUNDS = 160  # 82,000 choices, enough to see that half of 200 moves are 5 % too likely
# 225, up to 144, and 202 moves.
LARGE = ["gomoku_15x15", "knightazons", "sudokuGrade3"]


@pytest.mark.parametrize("game", all_but(KINDS, GAMES))
def test_moves_of_bundled_games_are_chosen_uniformly(game: str) -> None:
    """Chi-square over the legal moves of each role, in three states of a walk."""
    num_states = _assert_uniform(bundled(game), seed=1)

    assert num_states > 0


@pytest.mark.parametrize("game", all_but(["sudokuGrade3"], LARGE))
def test_moves_of_large_games_are_chosen_uniformly(game: str) -> None:
    """The same where there are many moves."""
    num_states = _assert_uniform(game_of(require("corpus", "rules", f"{game}.kif")), seed=2)

    assert num_states > 0


@pytest.mark.parametrize("num_moves", [2, 3, 8, 20, 81, 200])
def test_a_slight_bias_is_noticed(num_moves: int) -> None:
    """If half of the moves are 5 % too likely, and the others too unlikely, the check fails."""
    rng = np.random.default_rng(num_moves)
    num_choices = ROUNDS * 64 * WIDTH
    weights = np.ones(num_moves)
    weights[: num_moves // 2] += 0.05
    weights[-(num_moves // 2) :] -= 0.05

    fair = rng.multinomial(num_choices, np.full(num_moves, 1 / num_moves))
    biased = rng.multinomial(num_choices, weights / weights.sum())

    assert is_uniform(fair)
    assert not is_uniform(biased)


def _assert_uniform(game: Game, seed: int) -> int:
    """Look at three states of a walk; how many choices there were in them."""
    rng = random.Random(seed)
    machine = game.interpreter
    state, depth, num_choices = machine.initial_state(), 0, 0
    for _ in range(3):
        num_choices += _assert_uniform_in_state(game, state, depth, seed)
        for _ in range(rng.randrange(1, 4)):
            choices = [machine.legal_moves(state, role) for role in machine.roles]
            following = machine.next_state(state, [rng.choice(legal) for legal in choices])
            if machine.is_terminal(following):
                return num_choices
            state, depth = following, depth + 1
    return num_choices


def _assert_uniform_in_state(game: Game, state: object, depth: int, seed: int) -> int:
    phase = depth % len(game.circuit.phases)
    plan = game.circuit.phases[phase]
    counts = _counts(game, plan, state, phase, seed + depth)
    num_choices = 0
    for role, (first, last) in zip(
        game.interpreter.roles, pairwise(plan.netlist.role_starts), strict=True
    ):
        legal = set(game.interpreter.legal_moves(state, role))
        is_legal = np.array([move in legal for _, move in plan.netlist.inputs[first:last]])
        own = counts[first:last]
        assert own.sum() == ROUNDS * 64 * WIDTH
        assert own[~is_legal].sum() == 0
        if len(legal) > 1:
            num_choices += 1
            assert is_uniform(own[is_legal]), f"{role}: {own[is_legal]}"
    return num_choices


def _counts(game: Game, plan: Schedule, state: object, phase: int, seed: int) -> NDArray[np.int64]:
    """`[I]` how often each move is chosen in one state."""
    netlist = plan.netlist
    facts = set(game.interpreter.facts(state))
    lanes = game.lanes(seed, WIDTH)
    lanes.restart(np.array([base in facts for base in netlist.bases], np.bool_), phase)
    lanes.settle()
    # Inputs that are no candidates in this phase stay as they are: false.
    inputs = slice(netlist.first_input, netlist.first_feedback)
    counts = np.zeros(netlist.num_inputs, np.int64)
    for _ in range(ROUNDS):
        lanes.choose()
        counts += np.bitwise_count(lanes.state.values["words"][inputs]).sum(axis=1, dtype=np.int64)
    return counts

"""The arrays of a compiled game, for searches with kernels of their own."""

from __future__ import annotations

import random

import numpy as np
import pytest

import gdl
from ggp import games
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels", "scalar_kernels")

COUNTER = """
(role one) (init (at a)) (init (step 0)) (legal one go) (legal one stay)
(<= (next (at b)) (does one go)) (<= (next (at a)) (true (at a)) (does one stay))
(<= (next (step 1)) (true (step 0)))
(<= terminal (true (at b)))
(<= (goal one 70) (true (at b)))
"""


# Recursion fed back within a state, and turns, and moves of several roles at once.
@pytest.mark.parametrize("name", all_but(["tron", "hex"], ["connectFour", "goFive", "tron", "hex"]))
def test_any_move_can_be_made_from_any_state(name: str) -> None:
    """Going to and fro between states, in no order, is answered as the machine answers."""
    machine = gdl.load(games.text(name), "scalar")
    game, kernels, rng = machine.arrays(), gdl.scalar_kernels(), random.Random(1)
    assert game is not None
    at, layout, memory = game.at, game.layout, game.memory
    states = [state for state in _walk(machine, 12, rng) if not machine.is_terminal(state)]
    room = np.zeros(len(game.inputs), np.int32)

    for state in rng.choices(states, k=40):
        joint = [rng.choice(machine.legal_moves(state, role)) for role in machine.roles]
        memory[at.chosen : at.chosen + at.num_roles] = [
            game.inputs.index((role, move)) for role, move in enumerate(joint)
        ]
        kernels.make_from(at, layout, memory, game.pack(state))
        kernels.advance(at, layout, memory)
        after = machine.next_state(state, joint)

        assert (memory[at.current : at.current + game.num_words] == game.pack(after)).all()
        assert kernels.holds(at, memory, at.terminal) == machine.is_terminal(after)
        for index, role in enumerate(machine.roles):
            end = kernels.list_legal(at, layout, memory, index, room, 0)
            legal = {game.inputs[move][1] for move in room[:end].tolist()}
            assert legal == set(machine.legal_moves(after, role))
            assert kernels.count_legal(at, layout, memory, index) == end
            assert kernels.goal_of(at, layout, memory, index) == machine.goal(after, role)


def test_facts_that_make_no_difference_are_left_out_unless_asked_for() -> None:
    """A step counter that ends nothing does not tell states apart, but can be kept."""
    machine = gdl.load(COUNTER, "scalar")

    plain = machine.arrays()
    counting = machine.arrays(lambda fact: str(fact) == "(step 1)")

    assert plain is not None
    assert counting is not None
    assert not any("step" in str(fact) for fact in plain.facts)
    # What a fact comes from is kept with it.
    assert {"(step 0)", "(step 1)"} <= {str(fact) for fact in counting.facts}


def test_games_of_the_interpreter_have_no_arrays() -> None:
    """There is no circuit then."""
    assert gdl.load(COUNTER, "interpreter").arrays() is None


def _walk(machine: gdl.Game, plies: int, rng: random.Random) -> list[gdl.State]:
    """The states of a random game, so many at most."""
    states = [machine.initial_state()]
    while len(states) < plies and not machine.is_terminal(states[-1]):
        moves = [rng.choice(machine.legal_moves(states[-1], role)) for role in machine.roles]
        states.append(machine.next_state(states[-1], moves))
    return states

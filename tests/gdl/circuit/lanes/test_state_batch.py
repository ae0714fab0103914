"""A batch of states goes where the interpreter goes by the same moves."""

from __future__ import annotations

import random

import numpy as np
import pytest

import gdl
from gdl.circuit.lanes.state_batch import AUTORESETS, Autoreset, StateBatch
from ggp import games
from tests.thorough import KINDS, all_but

ROWS = (0, 1, 63, 64, 129)  # of three blocks of 64 lanes, the last of which is not full
NUM = 130
STEPS = 40


class Mirror:
    """The games of some rows, played by the interpreter."""

    def __init__(self, name: str, autoreset: Autoreset) -> None:
        game = gdl.load(games.text(name), "scalar")
        assert game.circuit is not None
        self.batch = StateBatch(game.circuit.netlist, NUM, autoreset, threads=2, width=1)
        self.machine = gdl.load(games.text(name), "interpreter")
        self.autoreset = autoreset
        self.states = dict.fromkeys(ROWS, self.machine.initial_state())
        self.over = dict.fromkeys(ROWS, False)

    def check(self, row: int) -> None:
        """The row shows the state: its facts, and the legal moves of each role."""
        batch, machine, state = self.batch, self.machine, self.states[row]
        assert set(map(str, batch.facts_of(row))) == set(map(str, machine.facts(state)))
        for role, moves, mask in zip(batch.roles, batch.moves, batch.masks, strict=True):
            legal = {str(moves[number]) for number in np.flatnonzero(mask[row]).tolist()}
            assert legal == set(map(str, machine.legal_moves(state, role)))

    def step(self, rng: random.Random) -> None:
        """Make random legal moves in all rows, and the same ones here."""
        batch = self.batch
        actions = np.full((NUM, len(batch.roles)), -1, np.int32)
        for role, mask in enumerate(batch.masks):
            for row in range(NUM):
                legal = np.flatnonzero(mask[row]).tolist()
                actions[row, role] = rng.choice(legal) if legal else -1
        batch.step(actions)
        for row in ROWS:
            self._follow(row, actions[row].tolist())

    def _follow(self, row: int, actions: list[int]) -> None:
        batch, machine = self.batch, self.machine
        if self.over[row]:
            if self.autoreset == "next_step":
                self.states[row], self.over[row] = machine.initial_state(), False
            return
        joint = [moves[action] for moves, action in zip(batch.moves, actions, strict=True)]
        state = machine.next_state(self.states[row], joint)
        over = machine.is_terminal(state)
        assert bool(batch.is_terminal[row]) == over
        goals = [machine.goal(state, role) if over else 0 for role in machine.roles]
        assert batch.goals[row].tolist() == goals
        self.states[row], self.over[row] = state, over
        if over and self.autoreset == "same_step":
            known = {
                str(fact) for fact, on in zip(batch.facts, batch.finals[row], strict=True) if on
            }
            assert known == set(map(str, machine.facts(state)))
            self.states[row], self.over[row] = machine.initial_state(), False


@pytest.mark.parametrize("autoreset", AUTORESETS)
@pytest.mark.parametrize("name", all_but(KINDS, games.names()))
def test_a_batch_goes_where_the_interpreter_goes(name: str, autoreset: Autoreset) -> None:
    """State by state, through the ends of games and beyond."""
    mirror, rng = Mirror(name, autoreset), random.Random(1)
    for _ in range(STEPS):
        for row in ROWS:
            mirror.check(row)
        mirror.step(rng)
    mirror.batch.close()


def test_single_states_begin_anew() -> None:
    """Those asked for, and no others."""
    batch = gdl.load(games.text("ticTacToe")).batch(3, "disabled")
    first = batch.observations[0].copy()
    batch.step(np.full((3, 2), -1))

    batch.reset(np.array([False, True, False]))

    is_first = [bool((row == first).all()) for row in batch.observations]
    assert is_first == [False, True, False]


def test_what_is_over_stays_over_until_it_is_reset() -> None:
    """With `disabled`, whatever the actions are."""
    batch = gdl.load(games.text("ticTacToe")).batch(2, "disabled")
    for _ in range(12):
        batch.step(np.full((2, 2), -1))
    assert batch.is_terminal.all()

    batch.step(np.full((2, 2), 99))

    assert batch.is_terminal.all()


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    """The error names the role, the state and what would be legal."""
    batch = gdl.load(games.text("ticTacToe")).batch(2)
    before = batch.packed.copy()

    with pytest.raises(gdl.IllegalMoveError, match=r"role xplayer in state 1: .* got 77"):
        batch.step(np.array([[-1, -1], [77, -1]]))

    assert (batch.packed == before).all()


@pytest.mark.parametrize(
    "actions", [np.zeros((2, 2)), np.zeros((2, 1), np.int32), np.zeros((3, 2), np.int32)]
)
def test_actions_of_another_shape_or_type_are_refused(actions: np.ndarray) -> None:
    """It says which would be right."""
    batch = gdl.load(games.text("ticTacToe")).batch(2)

    with pytest.raises(ValueError, match=r"actions: expected 2 x 2 integers \(states x roles\)"):
        batch.step(actions)


def test_a_batch_wants_a_compiled_game_and_possible_numbers() -> None:
    """Each refusal says what would be right."""
    rules = games.text("ticTacToe")

    with pytest.raises(ValueError, match="expected a compiled game"):
        gdl.load(rules, "interpreter").batch(2)
    with pytest.raises(ValueError, match="num: expected 1 to"):
        gdl.load(rules).batch(0)
    with pytest.raises(ValueError, match="threads: expected at least 1"):
        gdl.load(rules).batch(2, threads=0)

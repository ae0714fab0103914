"""A batch of states goes where the interpreter goes by the same moves."""

from __future__ import annotations

import itertools
from functools import cache, lru_cache
from typing import Any, Final

import numpy as np
import pytest
from numpy.typing import NDArray

import gdl
from gdl.circuit.lanes.batch.state_batch import AUTORESETS, Autoreset, StateBatch
from gdl.circuit.lanes.playouts.lanes import DEFAULT_WIDTH
from ggp import games
from tests.gdl.circuit.lanes.chi_square import is_uniform
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

ROWS = (0, 1, 511, 512, 1029)  # of three blocks of 512 lanes, the last of which is not full
NUM = 1030
STEPS = 40
MODES: Final[tuple[Autoreset, ...]] = ("next_step", "same_step", "disabled")
ALL_MODES = ("hex", "pig", "rockPaperScissors")
CASES = [*itertools.product(ALL_MODES, MODES)] + [
    (name, MODES[place % len(MODES)])
    for place, name in enumerate(name for name in games.names() if name not in ALL_MODES)
]
"""Some games in each mode; each of the others in one, a third of them in each."""
QUICK = [("hex", "same_step"), ("pig", "next_step"), *CASES[6:9]]


@lru_cache(maxsize=1)  # the tests of a game follow each other
def loaded(name: str) -> tuple[gdl.Game, gdl.Game]:
    """A game as a circuit and as the interpreter plays it, which answers the same question once."""
    machine = gdl.load(games.text(name), "interpreter")
    machine.is_terminal = cache(machine.is_terminal)  # type: ignore[method-assign]
    machine.legal_moves = cache(machine.legal_moves)  # type: ignore[method-assign]
    machine.next_state = cache(machine.next_state)  # type: ignore[method-assign]
    return gdl.load(games.text(name), "scalar"), machine


class Mirror:
    """The games of some rows, played by the interpreter."""

    def __init__(self, name: str, autoreset: Autoreset, width: int = DEFAULT_WIDTH) -> None:
        game, self.machine = loaded(name)
        assert game.circuit is not None
        self.batch = StateBatch(game.circuit.netlist, NUM, autoreset, threads=2, width=width)
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

    def step(self, rng: np.random.Generator) -> None:
        """Make random legal moves in all rows, and the same ones here."""
        actions = self.batch.draw(rng)
        self.batch.step(actions)
        for row in ROWS:
            self._follow(row, actions[row].tolist())

    def _follow(self, row: int, actions: list[int]) -> None:
        batch, machine = self.batch, self.machine
        if self.over[row]:
            if self.autoreset == "next_step":
                self.states[row], self.over[row] = machine.initial_state(), False
            return
        joint = [moves[action] for moves, action in zip(batch.moves, actions, strict=True)]
        state = machine.next_state(self.states[row], tuple(joint))
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


@pytest.mark.parametrize("case", all_but(QUICK, CASES, is_whole=True), ids="-".join)
def test_a_batch_goes_where_the_interpreter_goes(case: tuple[str, Autoreset]) -> None:
    """State by state, through the ends of games and beyond."""
    go_along(Mirror(*case))


@pytest.mark.thorough
@pytest.mark.parametrize("name", ALL_MODES)
def test_a_batch_without_machine_code_goes_where_the_interpreter_goes(name: str) -> None:
    """There is none for vectors of one word: tables say what the gates are."""
    go_along(Mirror(name, "same_step", width=1))


def go_along(mirror: Mirror) -> None:
    """Compare the rows with the interpreter's states for some steps."""
    rng = np.random.default_rng(1)
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
    with pytest.raises(ValueError, match="threads: expected 1 to 1024"):
        gdl.load(rules).batch(2, threads=0)


@pytest.mark.parametrize("autoreset", AUTORESETS)
def test_only_the_states_that_are_asked_for_move_on(autoreset: Autoreset) -> None:
    """The others stay as they are, also those that are over."""
    batch = gdl.load(games.text("ticTacToe")).batch(NUM, autoreset)
    rng = np.random.default_rng(1)
    for _ in range(30):
        which = rng.random(NUM) < 0.5
        before = batch.packed.copy(), batch.is_terminal.copy(), batch.goals.copy()
        batch.step(np.where(which[:, None], batch.draw(rng), 99), which)
        assert (batch.packed[~which] == before[0][~which]).all()
        moved = which & ~before[1]
        assert not moved.any() or (batch.packed[moved] != before[0][moved]).any()
        if autoreset != "same_step":  # there, states are in a new game by then
            assert (batch.is_terminal[~which] == before[1][~which]).all()
            assert (batch.goals[~which] == before[2][~which]).all()


@pytest.mark.parametrize("autoreset", AUTORESETS)
def test_games_can_be_ended_from_outside(autoreset: Autoreset) -> None:
    """Nobody gets anything, and they begin anew as all others do."""
    batch = gdl.load(games.text("ticTacToe")).batch(3, autoreset)
    rng = np.random.default_rng(1)
    first = batch.observations[0].copy()
    batch.step(batch.draw(rng))
    last = batch.observations.copy()

    batch.end(np.array([False, True, False]))

    assert batch.is_terminal.tolist() == [False, True, False]
    assert not batch.goals.any()
    if autoreset == "same_step":
        assert (batch.finals[1] == last[1]).all()
    else:
        assert (batch.observations == last).all()
        batch.step(batch.draw(rng))
    is_first = [bool((row == first).all()) for row in batch.observations]
    assert is_first == [False, autoreset != "disabled", False]


@pytest.mark.parametrize("name", ["ticTacToe", "breakthrough", "pig"])
def test_actions_are_drawn_from_the_legal_ones_each_as_often(name: str) -> None:
    """Chi-square of the first state's, and no action but legal ones later."""
    batch = gdl.load(games.text(name)).batch(20_000, threads=2)
    rng = np.random.default_rng(1)
    for role in range(len(batch.roles)):
        drawn = np.bincount(batch.draw(rng)[:, role], minlength=len(batch.moves[role]))
        legal = batch.masks[role][0] == 1
        assert not drawn[~legal].any()
        assert legal.sum() == 1 or is_uniform(drawn[legal])
    for _ in range(10):
        batch.step(batch.draw(rng))  # else it would be an error
    batch.close()


def test_rows_stand_without_gaps_where_others_may_share_them() -> None:
    """Contiguous, and aligned as DLPack's users want it."""
    batch = gdl.load(games.text("connectFour")).batch(NUM, "same_step")

    arrays: list[NDArray[Any]] = [batch.observations, batch.packed, batch.finals, *batch.masks]

    for array in arrays:
        assert array.flags.c_contiguous
        assert array.ctypes.data % 64 == 0


def test_legal_moves_are_counted() -> None:
    """Of each role in each state, in games with few and with many moves."""
    for name in ("ticTacToe", "breakthrough"):
        batch = gdl.load(games.text(name)).batch(NUM)
        rng = np.random.default_rng(1)
        for _ in range(20):
            batch.step(batch.draw(rng))
            counts = np.stack([mask.sum(axis=1) for mask in batch.masks], axis=1)
            assert (batch.num_legal == counts).all()


def test_facts_and_moves_are_numbered_by_their_text() -> None:
    """By name, and numbers by their value: the same in each version."""
    game = gdl.load(games.text("connectFour"))
    assert game.numbering is not None
    facts, (moves, _) = map(str, game.numbering.facts), game.numbering.moves

    assert list(facts)[:3] == ["(cell 1 1 b)", "(cell 1 1 red)", "(cell 1 1 yellow)"]
    assert [str(move) for move in moves] == [f"(drop {n})" for n in range(1, 8)] + ["noop"]
    state = game.initial_state()
    assert isinstance(state, bytes)
    seen = game.numbering.observation(state)
    known = {fact for fact, on in zip(game.numbering.facts, seen, strict=True) if on}
    assert known == set(game.facts(state))
    assert game.numbering.state(seen) == state

"""Tests of what a game says to callers who hand it something else than it takes."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

import pytest

import gdl
from ggp import games

pytestmark = pytest.mark.usefixtures("kernels")

ENGINES: list[gdl.Engine] = ["interpreter", "scalar", "lanes"]
COPIERS: list[Callable[[Any], Any]] = [
    copy.copy,
    copy.deepcopy,
    lambda one: pickle.loads(pickle.dumps(one)),
]


@pytest.mark.parametrize("engine", ENGINES)
def test_texts_in_place_of_terms_are_named(engine: gdl.Engine) -> None:
    """They look like moves and roles when they are printed."""
    game: Any = gdl.load(games.text("ticTacToe"), engine)
    start = game.initial_state()

    for one in (game, game.machine):  # players have the machine
        with pytest.raises(TypeError, match=r"got '\(mark 1 1\)', 'noop'$"):
            one.next_state(start, ["(mark 1 1)", "noop"])
        for ask in (one.legal_moves, one.goal, one.goals):
            with pytest.raises(ValueError, match=r"\(xplayer oplayer\), got the str 'xplayer'"):
                ask(start, "xplayer")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_move_in_place_of_a_joint_move_is_named(engine: gdl.Engine) -> None:
    """Who writes a first player has but its own."""
    game: Any = gdl.load(games.text("ticTacToe"), engine)
    start, role = game.initial_state(), game.roles[0]
    move = game.legal_moves(start, role)[0]
    expected = r"expected a joint move, one move per role \(xplayer oplayer\), got the "

    for one in (game, game.machine):
        with pytest.raises(TypeError, match=expected + r"move \(mark 1 1\)$"):
            one.next_state(start, move)
        with pytest.raises(TypeError, match=expected + "text 'noop'$"):
            one.percepts(start, "noop", role)
        with pytest.raises(gdl.IllegalMoveError, match=r"expected 2 moves, .*, got 1"):
            one.next_state(start, [move])


@pytest.mark.parametrize("engine", ENGINES)
def test_a_copy_or_pickle_of_a_game_plays_its_states(engine: gdl.Engine) -> None:
    """The states and the moves are those of the original, and the machine is its own."""
    game = gdl.load(games.text("ticTacToe"), engine)
    game.numbering, game.structure  # noqa: B018 - what was worked out does not matter
    states, rng = [game.initial_state()], random.Random(1)
    while not game.is_terminal(states[-1]):
        moves = [rng.choice(game.legal_moves(states[-1], role)) for role in game.roles]
        states.append(game.next_state(states[-1], moves))

    for make in COPIERS:
        other = [make(game), *make(states)]
        for state, known in zip(other[1:], states, strict=True):
            assert state == known
            assert other[0].facts(state) == game.facts(known)
            assert other[0].is_terminal(state) == game.is_terminal(known)
            for role in game.roles:
                assert other[0].legal_moves(state, role) == game.legal_moves(known, role)
        assert other[0].machine is not game.machine
        assert repr(other[0]) == repr(game)
        assert other[0].timings == game.timings
    if game.simulator is not None and other[0].simulator is not None:
        num = other[0].simulator.playouts(steps=50, seed=1).goal_totals
        assert num == game.simulator.playouts(steps=50, seed=1).goal_totals


def test_a_machine_on_lanes_can_be_copied() -> None:
    """It has no game that would do it."""
    machine = gdl.load_lane_machine(gdl.read_rules(games.text("prisonersDilemma")))
    start = machine.initial_state()

    for make in COPIERS:
        other = make(machine)
        assert other.legal_moves(start, other.roles[0]) == machine.legal_moves(
            start, machine.roles[0]
        )


def test_what_machine_code_writes_to_is_not_copied() -> None:
    """A copy of the arrays would be one that nothing writes to."""
    game = gdl.load(games.text("ticTacToe"), "lanes")

    for one in (game.expander(), game.batch(3)):
        for make in COPIERS[1:]:
            with pytest.raises(
                TypeError, match="cannot be copied or pickled, because machine code"
            ):
                make(one)


def test_what_is_no_text_of_rules_is_refused() -> None:
    """The name of a game is none."""
    load: Any = gdl.load

    with pytest.raises(TypeError, match="rules: expected a Rulesheet or the text of rules, got 5"):
        load(5)
    with pytest.raises(ValueError, match=r"expected one of auto, lanes, .*, got 'scaler'"):
        load(games.text("ticTacToe"), engine="scaler")
    with pytest.raises(
        gdl.RulesheetError, match="got 'ticTacToe', which looks like the name of a game"
    ):
        load("ticTacToe")

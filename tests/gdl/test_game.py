"""Tests of what a game says to callers who hand it something else than it takes."""

from __future__ import annotations

from typing import Any

import pytest

import gdl
from ggp import games

pytestmark = pytest.mark.usefixtures("kernels")

ENGINES: list[gdl.Engine] = ["interpreter", "scalar", "lanes"]


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


def test_what_is_no_text_of_rules_is_refused() -> None:
    """The name of a game is none."""
    load: Any = gdl.load

    with pytest.raises(TypeError, match="rules: expected a Rulesheet or the text of rules, got 5"):
        load(5)
    with pytest.raises(ValueError, match=r"expected one of auto, lanes, .*, got 'scaler'"):
        load(games.text("ticTacToe"), engine="scaler")
    with pytest.raises(gdl.RulesheetError, match="got 'ticTacToe', which has none; a name"):
        load("ticTacToe")

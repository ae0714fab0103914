"""Goal, mobility, control: values from the legal moves and the goals alone."""

from __future__ import annotations

import pytest

import gdl
from ggp import games
from ggp.errors import UnknownNameError
from ggp.search.core.playout import sample_states
from ggp.search.evaluation import NAMES, named
from ggp.search.evaluation.mobility import Turns
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

TURNS = ["breakthroughSmall", "connectFour", "threePlayerTicTacToe"]
SIMULTANEOUS = ["goofspiel", "tron"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "game", all_but(["ticTacToe", "pig"], ["ticTacToe", "tron", "pig", "lightsOut"])
)
def test_values_are_goals_of_every_role(game: str, name: str) -> None:
    """In games of one, two and three roles, of turns or not, and of chance."""
    machine = gdl.load(games.text(game))
    evaluate = named(machine, name)

    for state in sample_states(machine, num=20):
        values = evaluate(state)

        assert len(values) == len(machine.roles)
        assert all(0 <= value <= 100 for value in values)


def test_an_unknown_name_is_refused() -> None:
    """The message offers the nearest known one."""
    machine = gdl.load(games.text("ticTacToe"))

    with pytest.raises(UnknownNameError, match="did you mean mobility"):
        named(machine, "mobilty")


@pytest.mark.parametrize("game", TURNS)
def test_whoever_waits_is_not_taken_to_be_stuck(game: str) -> None:
    """The first state of these games leaves all roles the same freedom, whoever begins."""
    machine = gdl.load(games.text(game))

    values = named(machine, "mobility")(machine.initial_state())

    assert values == (50,) * len(machine.roles)


def test_passing_the_turn_changes_the_turn_alone() -> None:
    """All facts but the mark stay, and passing back gives the state again."""
    machine = gdl.load(games.text("breakthroughSmall"))
    white, black = machine.roles
    turns = Turns(machine, sample_states(machine))
    state = machine.initial_state()

    passed = turns.passed_to(state, black)

    assert passed is not None
    assert len(set(machine.facts(state)) ^ set(machine.facts(passed))) == 2
    assert len(machine.legal_moves(passed, black)) == len(machine.legal_moves(state, white))
    assert turns.passed_to(passed, white) == state


@pytest.mark.parametrize("game", SIMULTANEOUS)
def test_games_without_turns_have_no_marks(game: str) -> None:
    """No fact says who decides where all decide at once."""
    machine = gdl.load(games.text(game))

    assert Turns(machine, sample_states(machine)).marks == ()


def test_more_moves_are_worth_more() -> None:
    """The fox begins with two moves, the hounds would have seven."""
    machine = gdl.load(games.text("foxAndHounds"))

    fox, hounds = named(machine, "mobility")(machine.initial_state())

    assert (fox, hounds) == pytest.approx((100 * 2 / 9, 100 * 7 / 9))


def test_control_favours_the_mover() -> None:
    """And nobody where all move at once."""
    turns, together = (gdl.load(games.text(game)) for game in ("connectFour", "tron"))

    assert named(turns, "control")(turns.initial_state()) == (75, 25)
    assert named(together, "control")(together.initial_state()) == (50, 50)

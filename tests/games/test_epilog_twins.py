"""Games written twice, in KIF and as sequential games in Epilog, are the same game."""

from __future__ import annotations

import random

import pytest

import gdl
from ggp import games
from tests.thorough import all_but

NUM_PLAYOUTS = 2
TWINS = ("eightPuzzle", "hex", "nim", "ticTacToe")


def view(machine: gdl.Interpreter, state: gdl.State) -> dict[str, object]:
    """All that can be seen of a state, as text."""
    return {
        "facts": list(map(str, machine.facts(state))),
        "terminal": machine.is_terminal(state),
        "goals": [machine.goals(state, role) for role in machine.roles],
        "legal": [sorted(map(str, machine.legal_moves(state, role))) for role in machine.roles],
    }


def test_six_games_and_more_exist_in_both_notations() -> None:
    """The games that Gamemaster's players know best are among them."""
    twins = set(games.names("epilog"))

    assert len(twins) >= 6
    assert twins >= {"ticTacToe", "connectFour", "breakthrough", "nim", "hex", "eightPuzzle"}


@pytest.mark.parametrize("name", all_but(TWINS, games.names("epilog"), is_whole=True))
def test_epilog_is_a_sequential_game(name: str) -> None:
    """It says what moves change, and needs none of GDL's words for that."""
    text = games.text(name, "epilog")

    assert "==>" in text
    assert all(word not in text for word in ("true(", "does(", "next(", "noop"))


@pytest.mark.parametrize("name", all_but(TWINS, games.names("epilog"), is_whole=True))
def test_both_notations_play_the_same_game(name: str) -> None:
    """Side by side: the same states, legal moves, goals and ends, down to the spelling."""
    kif = gdl.Interpreter(gdl.read_kif(games.text(name), name))
    epilog = gdl.Interpreter(gdl.read_epilog(games.text(name, "epilog"), name))
    rng = random.Random(1)

    assert list(map(str, epilog.roles)) == list(map(str, kif.roles))
    for _ in range(NUM_PLAYOUTS):
        left, right = kif.initial_state(), epilog.initial_state()
        assert view(kif, left) == view(epilog, right)
        while not kif.is_terminal(left):
            moves = [rng.choice(kif.legal_moves(left, role)) for role in kif.roles]
            left = kif.next_state(left, moves)
            right = epilog.next_state(right, moves)
            assert view(kif, left) == view(epilog, right)

"""Building a book: a solved game if that can be, else an opening and some ends."""

from __future__ import annotations

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.training.books.building import BuildSettings, build
from ggp.training.books.exploring import ExploreLimits
from ggp.training.books.selfplay import SelfPlaySettings
from tests.ggp.training.books.shelf import machine_of, partial, solved, states_of

pytestmark = pytest.mark.usefixtures("kernels")

NIM = (0.0, 100.0)  # 1, 3, 5 and 7 have the nim-sum 0: who moves first loses


def test_small_game_is_solved_and_the_book_says_so() -> None:
    """Tic-tac-toe is a draw, in nine plies."""
    machine, book = machine_of("ticTacToe"), solved("ticTacToe")

    assert book.is_complete
    assert book.figures["states"] == 5478
    assert book.endgame.look_up(machine, machine.initial_state()) == ((50.0, 50.0), 9)


def test_nim_is_lost_for_who_begins() -> None:
    """As the theory of Bouton has it."""
    machine = machine_of("nim")

    worth = solved("nim").endgame.look_up(machine, machine.initial_state())

    assert worth is not None
    assert worth.values == NIM


def test_game_too_large_gets_an_opening_and_ends() -> None:
    """It is not said to be solved; the first state has moves that a search preferred."""
    machine, book = machine_of("threePlayerTicTacToe"), partial("threePlayerTicTacToe")
    state = machine.initial_state()

    advice = book.advise(machine, state, machine.roles[0])

    assert not book.is_complete
    assert book.endgame.num_states > 0
    assert advice is not None
    assert advice.source == "opening"
    assert advice.result.move in machine.legal_moves(state, machine.roles[0])


def test_same_seed_builds_the_same_book() -> None:
    """With rounds instead of seconds."""
    settings = BuildSettings(
        ExploreLimits(states=50), games=2, play=SelfPlaySettings(plies=2, rounds=5, seed=3)
    )
    machine = machine_of("connectFour")

    one, other = (build(machine, "c4", Deadline.never(), settings) for _ in range(2))

    assert one.opening.entries == other.opening.entries
    assert one.endgame.keys.tolist() == other.endgame.keys.tolist()


def test_book_of_an_interpreted_game_is_worth_the_same() -> None:
    """A game that does not compile has books too; the other machine finds its states in it."""
    slow = gdl.load(games.text("prisonersDilemma"), "interpreter")

    book = build(slow, "prisonersDilemma", Deadline.never(), BuildSettings())

    fast, table = machine_of("prisonersDilemma"), solved("prisonersDilemma")
    assert book.is_complete
    for state in states_of("prisonersDilemma", table, 20):
        worth = table.endgame.look_up(fast, state)
        assert worth is not None
        assert book.endgame.look_up(fast, state) == worth

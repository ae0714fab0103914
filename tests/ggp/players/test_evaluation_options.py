"""Players use a book: its moves at once, its values in their searches."""

from __future__ import annotations

from pathlib import Path

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.players import PlayerSpecError, create
from ggp.players.evaluation_options import BOOK
from ggp.players.registry import BUILT_IN
from ggp.search.evaluation.book.file import write_book
from tests.ggp.training.books.shelf import machine_of, opened, solved

pytestmark = pytest.mark.usefixtures("kernels")

READERS = sorted(name for name, kind in BUILT_IN.items() if BOOK in kind.OPTIONS)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book of tic-tac-toe."""
    path = tmp_path_factory.mktemp("books") / "ticTacToe.book"
    write_book(solved("ticTacToe"), path)
    return path


def after(machine: gdl.Game, *marks: tuple[int, int]) -> gdl.State:
    """The state of tic-tac-toe after these marks."""
    state = machine.initial_state()
    for x, y in marks:
        joint = [
            next(
                m for m in machine.legal_moves(state, role) if str(m) in {f"(mark {x} {y})", "noop"}
            )
            for role in machine.roles
        ]
        state = machine.next_state(state, joint)
    return state


@pytest.mark.parametrize("name", READERS)
def test_move_of_the_book_is_made_without_a_search(name: str, file: Path) -> None:
    """Even when no time is left: the one move of three that does not lose."""
    machine = machine_of("ticTacToe")
    state = after(machine, (1, 1), (2, 2), (3, 3))
    player = create(name, machine, machine.roles[1], {"book": str(file)}, seed=1)

    move = player.choose(state, Deadline.after(0))

    assert str(move) in {"(mark 1 2)", "(mark 2 1)", "(mark 2 3)", "(mark 3 2)"}
    assert player.thoughts["book"] == "endgame"
    assert (player.thoughts["value"], player.thoughts["solved"]) == (50.0, True)


def test_opening_move_is_made_at_once(tmp_path: Path) -> None:
    """It is told to be a book's, and not to be proven."""
    machine, book = machine_of("connectFour"), opened("connectFour")
    write_book(book, tmp_path / "c4")
    player = create("mcts", machine, machine.roles[0], {"book": str(tmp_path / "c4")}, seed=1)

    move = player.choose(machine.initial_state(), Deadline.after(0))

    advice = book.opening.result(machine, machine.initial_state(), machine.roles[0])
    assert advice is not None
    assert move is advice.move
    assert (player.thoughts["book"], player.thoughts["solved"]) == ("opening", False)


def test_book_is_found_by_the_interpreter_too(file: Path) -> None:
    """It plays as long as the game is being compiled."""
    machine = gdl.load(games.text("ticTacToe"), "interpreter")
    player = create("mcts", machine, machine.roles[0], {"book": str(file)}, seed=1)

    player.choose(machine.initial_state(), Deadline.after(0))

    assert player.thoughts["book"] == "endgame"


def test_depth_limited_search_values_states_by_the_book(tmp_path: Path) -> None:
    """One ply sees the end of the game, where the table has what follows."""
    from ggp.players.evaluation_options import evaluation_from

    machine = machine_of("ticTacToe")
    write_book(solved("ticTacToe"), tmp_path / "book")
    state = after(machine, (1, 1), (1, 2))

    evaluate = evaluation_from({"eval": "even", "book": str(tmp_path / "book")}, machine)

    assert evaluate(state) == (100.0, 0.0)


@pytest.mark.parametrize("name", ["mcts", "alphabeta"])
def test_book_of_another_game_is_refused(name: str, file: Path) -> None:
    """Before the match begins."""
    machine = machine_of("nim")

    with pytest.raises(PlayerSpecError, match=r"option book: .*expected a book for the roles"):
        create(name, machine, machine.roles[0], {"book": str(file)}, seed=1)


def test_missing_book_is_refused() -> None:
    """With its name."""
    machine = machine_of("nim")

    with pytest.raises(PlayerSpecError, match=r"option book: /no/such/book: there is no such file"):
        create("mcts", machine, machine.roles[0], {"book": "/no/such/book"}, seed=1)

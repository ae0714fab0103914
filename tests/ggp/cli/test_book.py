"""`ggp book`: what it builds, shows and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ggp.cli import app
from ggp.search.evaluation.book.file import write_book
from ggp.warming import kernels
from tests.ggp.training.books.shelf import solved

pytestmark = pytest.mark.usefixtures("kernels")


def book(*arguments: str) -> Result:
    """The outcome of `ggp book`."""
    return CliRunner().invoke(app, ["book", *arguments])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the command works, with the book of tic-tac-toe."""
    monkeypatch.chdir(tmp_path)
    write_book(solved("ticTacToe"), tmp_path / "ticTacToe.book")
    return tmp_path


def test_small_game_is_solved(folder: Path) -> None:
    """The file is named after the game, and the command says that it is all of it."""
    result = book("build", "nim", "--seconds", "20")

    assert result.exit_code == 0, result.output
    assert "nim.book: nim, solved: every state is in it" in result.stdout
    assert (folder / "nim.book").is_file()


def test_the_compiler_that_is_waited_for_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by other verbs, also where standard error is no terminal."""
    monkeypatch.setattr(kernels, "warm_up", lambda progress: progress("is being compiled"))

    result = book("build", "nim", "--seconds", "20")

    assert "ggp book build: is being compiled" in result.stderr


def test_book_is_shown_with_the_worth_of_a_position(folder: Path) -> None:
    """The game is that of the book, and is bundled."""
    result = book("show", "ticTacToe", "--moves", "(mark 1 1) (mark 1 2)")

    assert result.exit_code == 0, result.output
    assert "With best play: xplayer 100, oplayer 0; 5 plies to the end." in result.stdout
    assert "(mark 2 2)" in result.stdout


def test_position_is_printed_for_programs(folder: Path) -> None:
    """One JSON object, of the book and of the position."""
    result = book("show", "ticTacToe.book", "--json")

    found = json.loads(result.stdout)
    assert (found["solved"], found["endgame"], found["plies"]) == (True, 4520, 9)
    assert found["values"] == {"xplayer": 50.0, "oplayer": 50.0}
    assert found["advice"]["xplayer"]["source"] == "endgame"


def test_book_of_other_rules_is_refused(folder: Path) -> None:
    """In a line that names both."""
    result = book("show", "ticTacToe", "--rules", "chomp")

    assert result.exit_code != 0
    assert "expected a book for the roles first second" in result.stderr


def test_book_that_is_not_there_is_refused(folder: Path) -> None:
    """And how to make one is said."""
    result = book("show", "hex")

    assert result.exit_code != 0
    assert "hex: no such book; `ggp book build GAME` makes one" in result.stderr

"""`ggp why`: a tree, JSON, and what is no fact or no move."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ggp.cli import app


def run(*args: str, code: int = 0) -> Any:
    """What a command prints that ends with this exit code."""
    done = CliRunner().invoke(app, ["why", *args], env={"COLUMNS": "80"})
    assert done.exit_code == code, done.output
    return done


def test_a_tree_within_80_columns() -> None:
    """It names the condition that fails, and what is there instead."""
    shown = run("ticTacToe", "(legal oplayer (mark 1 1))").stdout

    said = "(mark 1 1) is not legal for oplayer in the first state, because (control oplayer)"
    assert " ".join(shown.split()).startswith(f"{said} is not in the state (there is (control")
    assert "ticTacToe.kif:54:1: 1 condition fails" in shown
    assert "no  (true (control oplayer))" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_deep_derivations_are_cut() -> None:
    """What is left out is said; with a larger depth it is there."""
    moves = "(mark 1 1) (mark 2 2) (mark 1 2) (mark 3 3) (mark 1 3)"

    short = run("ticTacToe", "--moves", moves, "(goal xplayer 100)", "--depth", "1").stdout
    whole = run("ticTacToe", "--moves", moves, "(goal xplayer 100)").stdout

    assert "--depth" in short
    assert "(true (cell 1 3 x))" in whole


def test_json_has_places() -> None:
    """And whether the fact holds."""
    answer = json.loads(run("ticTacToe", "(legal xplayer (mark 1 1))", "--json").stdout)

    assert answer["holds"] is True
    [root] = answer["answers"]
    assert answer["reasons"][root]["place"]["line"] == 54


def test_next_moves() -> None:
    """Facts that depend on moves are asked about with these."""
    shown = run("ticTacToe", "--next", "mark 1 1", "(next (cell 1 1 ?what))").stdout

    assert "(next (cell 1 1 x))  by a rule" in shown


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["(leagl x noop)"], "FACT:1:2: the rules have no relation 'leagl/2'; did you mean"),
        (["(next (cell 1 1 x))"], "give --next MOVES"),
        (["terminal", "--moves", "(mark 4 4)"], "--moves: ply 1: (mark 4 4) is no legal move"),
        (["terminal", "--next", "(mark 4 4)"], "--next: (mark 4 4) is no legal move"),
        (["terminal", "--next", "(mark 1 1) (mark 2 2)"], "--next: expected only one joint move"),
        (["terminal", "--next", ""], "--next: expected a move, got none"),
    ],
)
def test_wrong_use(args: list[str], said: str) -> None:
    """A line that names what is wrong; exit code 2."""
    assert said in run("ticTacToe", *args, code=2).stderr


def test_a_turn_of_a_saved_match(tmp_path: Path) -> None:
    """Before it is played, and its moves are known; without a turn it is the end of the match."""
    file = tmp_path / "match.json"
    command = ["match", "ticTacToe", "legal", "legal", "--save", str(file)]
    assert CliRunner().invoke(app, command).exit_code == 0

    before = run(str(file), "--turn", "3", "(next (cell 1 2 ?what))").stdout
    after = run(str(file), "terminal").stdout
    refused = run(str(file), "--turn", "99", "terminal", code=2)

    assert "after 2 joint moves" in " ".join(before.split())
    assert after.startswith("the game is over after ")
    assert "--turn: expected a number from 1 to " in " ".join(refused.stderr.split())


NO_COLUMN = (
    "(drop 9) is not legal for red in the first state, because (cell 9 6 b) is not in the state "
    "(there is (cell 1 6 b), (cell 2 6 b)), as there is no (column 9)."
)


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        ("(legal red (drop 9))", NO_COLUMN),
        ("(legal red (drop 1))", "(drop 1) is legal for red in the first state, because "),
        ("terminal", "the game is not over in the first state, because "),
    ],
)
def test_the_first_sentence_names_the_cause(fact: str, said: str) -> None:
    """What is missing at last, in words; the tree follows."""
    assert json.loads(run("connectFour", fact, "--json").stdout)["sentence"].startswith(said)

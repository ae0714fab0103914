"""`ggp why`: a tree, JSON, and what is no fact or no move."""

from __future__ import annotations

import json
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

    assert "does not hold in the first state" in shown
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
        (["(next (cell 1 1 x))"], "say it with --next MOVES"),
        (["terminal", "--moves", "(mark 4 4)"], "--moves: ply 1: (mark 4 4) is no legal move"),
        (["terminal", "--next", "(mark 4 4)"], "--next: (mark 4 4) is no legal move"),
        (["terminal", "--next", "(mark 1 1) (mark 2 2)"], "--next: expected one joint move"),
        (["terminal", "--next", ""], "--next: expected a move, got none"),
    ],
)
def test_wrong_use(args: list[str], said: str) -> None:
    """A line that names what is wrong; exit code 2."""
    assert said in run("ticTacToe", *args, code=2).stderr

"""`ggp scramble`: what it prints and writes, and how it exits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import gdl
from ggp import games
from ggp.cli import app


def scramble(*arguments: str, text: str | None = None) -> Result:
    """The outcome of `ggp scramble`, with the text on its standard input."""
    return CliRunner().invoke(app, ["scramble", *arguments], input=text)


def expected(seed: int, *, symbols: bool = True, board: bool = True) -> str:
    """The text of ticTacToe scrambled."""
    rules = gdl.read_kif(games.text("ticTacToe"))
    return gdl.scramble(rules, seed, symbols=symbols, board=board).text


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ((), expected(0)),
        (("--seed", "4"), expected(4)),
        (("--both",), expected(0)),
        (("--symbols", "--board"), expected(0)),
        (("--symbols",), expected(0, board=False)),
        (("--board",), expected(0, symbols=False)),
    ],
)
def test_rules_are_printed(options: tuple[str, ...], text: str) -> None:
    """Alone, for a file or a pipe."""
    result = scramble("ticTacToe", *options)

    assert (result.exit_code, result.stdout) == (0, text)


def test_rules_and_mapping_are_written(tmp_path: Path) -> None:
    """What is written is all that it takes to compare matches; nothing is printed."""
    rules, mapping = tmp_path / "other.kif", tmp_path / "other.json"
    result = scramble("ticTacToe", "--seed", "3", "--output", str(rules), "--mapping", str(mapping))

    assert (result.exit_code, result.stdout) == (0, "")
    assert rules.read_text() == expected(3)
    found = json.loads(mapping.read_text())
    assert (found["game"], found["seed"]) == ("ticTacToe", 3)
    assert f"(role {found['symbols']['xplayer']})" in rules.read_text()


def test_standard_input_is_read_as_a_dash() -> None:
    """In either notation."""
    own, epilog = "(role x) (legal x go)", "role(x)\nlegal(x,go)"

    assert scramble("-", text=epilog).stdout == scramble("-", text=own).stdout != ""


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("noSuchGame",), 2),
        (("no/such/file.kif",), 2),
        (("ticTacToe", "--seed", "x"), 2),
        (("ticTacToe", "--output", "no/folder/x.kif"), 2),
        (("ticTacToe", "--output", "x", "--mapping", "x"), 2),
        (("-",), 1),
    ],
)
def test_wrong_use_and_bad_rules_fail_in_one_line(arguments: tuple[str, ...], code: int) -> None:
    """As other verbs do; rules with their place below it."""
    result = scramble(*arguments, text="(role x) (<=)")

    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr.startswith("ggp scramble: ")
    assert code == 1 or result.stderr.count("\n") == 1

"""`ggp bench search`: its table, its JSON, its signatures, and players without a search."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ggp.cli import app

pytestmark = pytest.mark.usefixtures("kernels")

KEYS = [
    "game",
    "player",
    "engine",
    "tree",
    "threads",
    "seconds",
    "is_ended",
    "iterations",
    "iterations_per_second",
    "playouts",
    "playouts_per_second",
    "nodes",
    "depth",
    "bytes",
    "move",
    "value",
    "signed_iterations",
    "signature",
]
UNSAFE = """
(role me) (init (s 0)) (legal me go) (legal me stay) (<= (next (s 1)) (true (s 0))) (goal me 50)
(<= terminal (true (s 1))) (<= (unsafe ?x) (true (s 0))) (<= (goal me 0) (unsafe 1))
"""
SHORT = """
(role one) (role two) (init (s 0)) (legal one go) (legal one stay) (legal two go)
(<= (next (s 1)) (does one go)) (<= (next (s 2)) (does one stay)) (<= terminal (not (true (s 0))))
(goal one 50) (<= (goal two 0) (true (s 1))) (<= (goal two 100) (true (s 2)))
"""
PYTHON = "mcts:tree=python"


def run(*args: str) -> Any:
    """The result of `ggp bench search`."""
    return CliRunner().invoke(app, ["bench", "search", *args, "--seconds", "0.1"])


def searched(*args: str) -> list[dict[str, Any]]:
    """The JSON of a short run."""
    done = run(*args, "--json", "--iterations", "60")
    assert done.exit_code == 0, done.output
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(("player", "tree"), [("mcts:network=none", "lanes"), (PYTHON, "python")])
def test_figures_agree_with_each_other(player: str, tree: str) -> None:
    """The keys are those documented; rates are numbers by seconds; something was found out."""
    [found] = searched("connectFour", "--player", player)

    assert list(found) == KEYS
    assert (found["game"], found["player"], found["tree"]) == ("connectFour", player, tree)
    for what in ("iterations", "playouts"):
        assert found[f"{what}_per_second"] == pytest.approx(found[what] / found["seconds"])
        assert found[what] > 0
    assert 0.1 <= found["seconds"] < 5
    assert not found["is_ended"]
    assert 1 <= found["depth"] <= found["iterations"]
    assert found["move"].startswith("(drop ")
    assert (found["bytes"] is None) == (tree == "python")


@pytest.mark.parametrize("player", ["mcts:memory=64", PYTHON])
def test_a_signature_is_the_same_each_time(player: str) -> None:
    """However long was searched: the same for the same seed, another one for another."""
    first, again, other = (
        searched("ticTacToe", "--player", player, "--seed", seed)[0]["signature"]
        for seed in ("1", "1", "2")
    )

    assert re.fullmatch(r"[0-9a-f]{16}", first)
    assert first == again != other


def test_a_signature_is_of_so_many_iterations() -> None:
    """More of them give another one."""
    few, more = (
        json.loads(run("ticTacToe", "--player", PYTHON, "--iterations", num, "--json").stdout)[0]
        for num in ("50", "100")
    )

    assert (few["signed_iterations"], more["signed_iterations"]) == (50, 100)
    assert few["signature"] != more["signature"]


def test_a_search_that_ends_says_so(tmp_path: Path) -> None:
    """A game that is solved is not searched any further."""
    short = tmp_path / "short.kif"
    short.write_text(SHORT)

    done = run(str(short), "--player", "mcts:memory=64")

    assert done.exit_code == 0
    assert re.search(r"short +lanes .* [0-9a-f]{16}", done.stdout)
    assert "short: nothing was left to learn after 0." in done.stdout


def test_what_is_not_compiled_is_searched_in_python(tmp_path: Path) -> None:
    """With a word that says why."""
    unsafe = tmp_path / "unsafe.kif"
    unsafe.write_text(UNSAFE)

    done = run(str(unsafe))

    assert done.exit_code == 0
    assert "unsafe: searched one position at a time, in Python; engine interpreter: " in done.stdout
    assert "?x" in done.stdout


def test_rules_that_cannot_be_read_are_shown(tmp_path: Path) -> None:
    """Exit 1, with file, line and column; the other games are measured."""
    broken = tmp_path / "broken.kif"
    broken.write_text("(role me")

    done = run(str(broken), "nim", "--player", PYTHON, "--iterations", "10", "--json")

    assert done.exit_code == 1
    assert done.stderr.startswith(f"ggp bench search: {broken}:1:1: ")
    assert [one["game"] for one in json.loads(done.stdout)] == ["nim"]

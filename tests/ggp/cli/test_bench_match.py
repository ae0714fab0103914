"""`ggp bench match`: matches of a server that does not know the game, in figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ggp.cli import app

pytestmark = pytest.mark.usefixtures("kernels")

QUICK = ("--startclock", "1", "--playclock", "1", "--turns", "2", "--seconds", "0.1")
ONE_CHOICE = """
(role one) (role two) (init (s 0)) (legal one go) (legal one stay) (legal two go)
(<= (next (s 1)) (does one go)) (<= (next (s 2)) (does one stay)) (<= terminal (not (true (s 0))))
(goal one 50) (<= (goal two 0) (true (s 1))) (<= (goal two 100) (true (s 2)))
"""


def run(*args: str) -> Any:
    """The result of `ggp bench match`."""
    return CliRunner().invoke(app, ["bench", "match", *args, *QUICK])


def test_each_turn_with_a_choice_is_told() -> None:
    """So many of them, with what the search did from the question to the answer."""
    done = run("connectFour", "--player", "mcts:network=none", "--json")

    assert done.exit_code == 0, done.output
    [found] = json.loads(done.stdout)
    assert (found["game"], found["playclock"], found["replaced"]) == ("connectFour", 1, 0)
    assert found["gates"] > 0
    assert found["bench_iterations_per_second"] > 0
    assert [turn["turn"] for turn in found["turns"]] == [1, 3]  # the others move in between
    for turn in found["turns"]:
        assert turn["iterations_per_second"] == pytest.approx(turn["iterations"] / turn["seconds"])
        assert turn["is_counted"]
    assert found["iterations_at_start"] == found["turns"][0]["iterations_before"]


def test_a_clear_move_has_no_rate(tmp_path: Path) -> None:
    """A search that has proven its move ends before its time: nothing is compared."""
    short = tmp_path / "short.kif"
    short.write_text(ONE_CHOICE)

    done = run(str(short), "--player", "mcts:memory=64")

    assert done.exit_code == 0, done.output
    assert "short: every move was clear" in done.stdout
    assert "No game to compare." in done.stdout


def test_rules_that_cannot_be_read_are_shown(tmp_path: Path) -> None:
    """Exit 1, with file, line and column; no server is started."""
    broken = tmp_path / "broken.kif"
    broken.write_text("(role me")

    done = run(str(broken), "--json")

    assert done.exit_code == 1
    assert done.stderr.startswith(f"ggp bench match: {broken}:1:1: ")


def test_players_without_a_search_are_refused() -> None:
    """There would be nothing to count."""
    done = run("ticTacToe", "--player", "random")

    assert done.exit_code == 2
    assert "expected one that keeps a tree" in done.stderr

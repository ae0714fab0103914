"""`ggp bench playouts`: its tables, its JSON, its signatures, and games that cannot be played."""

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
    "engine",
    "threads",
    "seconds",
    "cpu_seconds",
    "ready_seconds",
    "bases",
    "inputs",
    "gates",
    "playouts",
    "playouts_per_second",
    "states_per_second",
    "mean_length",
    "mean_goals",
]
UNSAFE = """
(role me) (init (s 0)) (legal me go) (<= (next (s 1)) (true (s 0))) (goal me 50)
(<= terminal (true (s 1))) (<= (unsafe ?x) (true (s 0))) (<= (goal me 0) (unsafe 1))
"""


def run(*args: str) -> Any:
    """The result of `ggp bench playouts`."""
    return CliRunner().invoke(app, ["bench", "playouts", *args])


def measured(*args: str) -> list[dict[str, Any]]:
    """The JSON of a short run."""
    done = run(*args, "--seconds", "0.1", "--json")
    assert done.exit_code == 0
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


@pytest.fixture
def unsafe(tmp_path: Path) -> str:
    """A rulesheet that can be interpreted and does not ground."""
    path = tmp_path / "unsafe.kif"
    path.write_text(UNSAFE)
    return str(path)


@pytest.mark.parametrize("engine", ["lanes", "scalar", "interpreter"])
def test_figures_agree_with_each_other(engine: str) -> None:
    """The keys are those documented; rates are playouts by seconds; the goals add up to 100."""
    [found] = measured("ticTacToe", "--engine", engine)

    assert list(found) == KEYS
    assert (found["game"], found["engine"], found["threads"]) == ("ticTacToe", engine, 1)
    assert found["playouts_per_second"] == pytest.approx(found["playouts"] / found["seconds"])
    assert 7 < found["mean_length"] < 8.2
    assert list(found["mean_goals"]) == ["xplayer", "oplayer"]
    assert sum(found["mean_goals"].values()) == pytest.approx(100)
    assert (found["bases"] is None) == (engine == "interpreter")


def test_games_are_measured_in_order() -> None:
    """One object each."""
    found = measured("nim", "ticTacToe", "--engine", "interpreter")

    assert [one["game"] for one in found] == ["nim", "ticTacToe"]


@pytest.mark.parametrize("width", ["60", "80", "120"])
def test_tables_name_engine_and_stages(width: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same as `--json`, for people, whatever the width of their terminals."""
    monkeypatch.setenv("COLUMNS", width)

    done = run("ticTacToe", "--seconds", "0.1")

    assert done.exit_code == 0
    assert re.search(r"ticTacToe +lanes +.* [kMG] +\d+%", done.stdout)
    assert "per second of wall-clock time" in done.stdout
    assert all(word in done.stdout for word in ("parse", "ground", "build", "gates"))


def test_reasoners_stand_side_by_side(unsafe: str) -> None:
    """Each with its rate in CPU time; those that cannot play have none."""
    done = CliRunner().invoke(
        app, ["bench", "reasoners", "nim", unsafe, "--seconds", "0.1", "--json"]
    )

    nim, odd = json.loads(done.stdout)
    rates = nim["playouts_per_cpu_second"]
    assert (done.exit_code, nim["game"], nim["mean_length"] > 1) == (0, "nim", True)
    assert min(rates["lanes"], rates["scalar"]) > rates["interpreter"] > 0
    found = [name for name, rate in odd["playouts_per_cpu_second"].items() if rate is not None]
    assert found == ["interpreter"]


def test_the_interpreter_plays_what_does_not_ground(unsafe: str) -> None:
    """Unless another engine was asked for; the reason is shown."""
    done = run(unsafe, "--seconds", "0.1")

    assert done.exit_code == 0
    assert "unsafe: played by interpreter: " in done.stdout
    assert "?x" in done.stdout


def test_who_asks_for_an_engine_that_cannot_play_is_told(unsafe: str) -> None:
    """Exit 1, the reason with its place on standard error, and the other games measured."""
    done = run(unsafe, "nim", "--engine", "scalar", "--seconds", "0.1", "--json")

    assert done.exit_code == 1
    assert done.stderr.startswith(f"ggp bench playouts: {unsafe}:3:")
    assert "?x" in done.stderr
    assert [one["game"] for one in json.loads(done.stdout)] == ["nim"]


def test_rules_that_cannot_be_read_are_shown(tmp_path: Path) -> None:
    """Exit 1, with file, line and column."""
    broken = tmp_path / "broken.kif"
    broken.write_text("(role me")

    done = run(str(broken))

    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith(f"ggp bench playouts: {broken}:1:1: ")


@pytest.mark.parametrize("engine", ["lanes", "scalar", "interpreter"])
def test_a_signature_is_the_same_each_time(engine: str) -> None:
    """The same playouts, the same figure; other random choices, another one."""
    first, again, other = (
        run("nim", "--engine", engine, "--signature", "--seed", seed).stdout
        for seed in ("1", "1", "2")
    )

    assert re.fullmatch(r"nim [0-9a-f]{16}\n", first)
    assert first == again
    assert first != other


def test_signatures_as_json_name_their_games() -> None:
    """A list of objects with two keys."""
    done = run("nim", "--engine", "interpreter", "--signature", "--json")

    [found] = json.loads(done.stdout)
    assert list(found) == ["game", "signature"]


def test_cut_playouts_are_mentioned() -> None:
    """Their goals mean little."""
    done = run("connectFour", "--engine", "interpreter", "--seconds", "0.1", "--limit", "16")

    assert "of the playouts were cut at the limit" in done.stdout

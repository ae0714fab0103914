"""`ggp grade`: a table, JSON, CSV and a page; wrong use."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ggp.cli import app
from ggp.submission.confinement import is_possible
from tests.fakes.submissions import BAD, GOOD

needs_walls = pytest.mark.skipif(not is_possible(), reason="the kernel cannot confine a process")


def run(*args: str, code: int = 0) -> Any:
    """What a command prints that ends with this exit code."""
    done = CliRunner().invoke(app, ["grade", *args])
    assert done.exit_code == code, done.output
    return done


@pytest.fixture
def handed_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a good player and a bad one."""
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "good.py").write_text(GOOD["threaded"])
    (tmp_path / "bad.py").write_text(BAD["returns_none"][1])
    return tmp_path


@needs_walls
def test_the_same_is_said_everywhere(handed_in: Path) -> None:
    """In the table, in JSON, as CSV and on the page; bad players are no failure of the command."""
    page, table = handed_in / "grades.html", handed_in / "grades.csv"
    files = [str(handed_in / name) for name in ("good.py", "bad.py")]
    asked = ["--games", "ticTacToe", "--against", "random", "legal", "--matches", "2"]
    asked += ["--engine", "interpreter", "--jobs", "1"]

    shown = run(*files, *asked, "--html", str(page), "--csv", str(table)).stdout
    as_json = json.loads(run(*files, *asked, "--json").stdout)

    assert max(len(line) for line in shown.splitlines() if "│" in line or "─" in line) <= 80
    assert "failed: illegal moves" in shown
    assert "bad.py: ticTacToe, xplayer, turn 1: None" in shown
    assert [one["verdict"] for one in as_json["table"]] == ["passed", "failed: illegal moves"]
    assert as_json["measured"][0]["output_bytes"] > 0
    rows = list(csv.DictReader(table.read_text().splitlines()))
    points = [row["ticTacToe against random"] for row in rows]
    assert points == [f"{one['cells'][0]['points']:.1f}" for one in as_json["table"]]
    html = page.read_text()
    assert "failed: illegal moves" in html
    assert "found (mark" in html
    assert "(control xplayer)" in html
    assert "<script" not in html


@needs_walls
def test_what_is_shown_cannot_move_the_cursor_nor_be_a_formula_nor_markup(tmp_path: Path) -> None:
    """Texts of a submission are hostile wherever they end up."""
    file = tmp_path / "bad.py"
    file.write_text("raise ValueError('\\x1b[2J<script>')")
    page, table = tmp_path / "grades.html", tmp_path / "grades.csv"
    asked = ["--games", "ticTacToe", "--against", "random", "--engine", "interpreter"]

    shown = run(str(file), *asked, "--html", str(page), "--csv", str(table)).stdout

    assert "ValueError" in shown
    assert "\x1b" not in shown + page.read_text() + table.read_text()
    assert "<script>" not in page.read_text()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["none.py", "--games", "ticTacToe"], "there is no file none.py"),
        (["good.py", "--games", "ticTacTo"], "did you mean ticTacToe"),
        (["good.py", "--games", "kuhnPoker"], "hides something from its players"),
        (["good.py", "--games", "ticTacToe", "--against", "mcts:iterations=0"], "got 0"),
        (["good.py", "--games", "ticTacToe", "--against", "mtcs"], "did you mean mcts"),
        (["good.py:a-b", "--games", "ticTacToe"], "expected the name of a class"),
    ],
)
def test_wrong_use_is_told_before_anything_runs(
    handed_in: Path, monkeypatch: pytest.MonkeyPatch, args: list[str], said: str
) -> None:
    """Exit code 2, and what would be right."""
    monkeypatch.chdir(handed_in)

    done = run(*args, "--engine", "interpreter", code=2)

    assert said in " ".join(done.stderr.split())


def test_what_cannot_be_confined_is_not_run(
    handed_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless whoever asks vouches for it."""
    monkeypatch.setattr(sys, "platform", "darwin")

    done = run(str(handed_in / "good.py"), "--games", "ticTacToe", code=1)

    assert "--unconfined" in done.stderr


def test_who_vouches_for_a_file_may_run_it_without_walls(handed_in: Path) -> None:
    """The result says so."""
    asked = ["--games", "ticTacToe", "--against", "random", "--engine", "interpreter"]

    done = run(str(handed_in / "good.py"), *asked, "--matches", "1", "--unconfined")

    assert "passed" in done.stdout
    assert "with your own rights" in done.stdout

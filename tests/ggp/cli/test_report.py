"""`ggp report`: a table, JSON and a page; wrong records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ggp.cli import app

pytestmark = pytest.mark.usefixtures("kernels")

TURNS = [["(mark 1 1)", "noop"], ["noop", "(mark 1 2)"], ["(mark 3 1)", "noop"]]


def run(*args: str, code: int = 0) -> Any:
    """What a command prints that ends with this exit code."""
    done = CliRunner().invoke(app, ["report", *args])
    assert done.exit_code == code, done.output
    return done


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A match that was broken off."""
    file = tmp_path / "match.json"
    fields = {"matchId": "m", "startTime": 0, "startClock": 1, "playClock": 1, "moves": TURNS}
    file.write_text(json.dumps(fields))
    return file


def test_report_names_the_mistake(record: Path) -> None:
    """In the table, in JSON, and on the page with a picture."""
    page = record.with_name("report.html")

    shown = run(str(record), "--game", "ticTacToe", "--html", str(page))
    as_json = run(str(record), "--game", "ticTacToe", "--json")

    assert "blunder" in shown.stdout
    (marked,) = [move for move in json.loads(as_json.stdout)["moves"] if move["mark"]]
    assert (marked["turn"], marked["best"]) == (2, "(mark 2 2)")
    assert page.read_text().count("<svg") == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}", "matchId: this field is missing"),
        ("nonsense", "expected a match record in JSON"),
    ],
)
def test_what_is_no_record_is_refused(record: Path, text: str, said: str) -> None:
    """In a line that names the file."""
    record.write_text(text)

    done = run(str(record), code=2)

    assert f"{record}: {said}" in done.stderr

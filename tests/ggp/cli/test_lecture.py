"""`ggp lecture`: the list, an example in words, in JSON and as a picture."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ggp.cli import main
from ggp.lectures.catalogue import EXAMPLES


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """Call the command line; the exit code."""
    monkeypatch.setattr("sys.argv", ["ggp", "lecture", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def test_without_a_name_all_examples_are_listed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line for each."""
    code = run(monkeypatch)

    shown = capsys.readouterr().out
    assert code == 0
    assert all(f"{name} " in shown for name in EXAMPLES)


def test_example_shows_the_lecture_beside_ours(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The picture, the table of both values, and how many agree."""
    code = run(monkeypatch, "bins")

    shown = capsys.readouterr().out
    assert code == 0
    assert "├── A   adversarial -50, random 0, cooperative 50" in shown
    assert "Values in the lecture, and values that this program computes" in shown
    assert "12 of 12 agree." in shown


def test_json_has_claims_and_parts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One document with all that is shown."""
    run(monkeypatch, "bins", "--json")

    found = json.loads(capsys.readouterr().out)
    assert found["claims"][0] == {
        "what": "adversarial: bin A is worth",
        "lecture": "-50",
        "ours": "-50",
        "agrees": True,
    }
    assert {"title", "source", "claims", "parts", "notes"} <= set(found)


def test_picture_is_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """`--svg` draws the trees beside printing them."""
    file = tmp_path / "bins.svg"

    code = run(monkeypatch, "bins", "--svg", str(file))

    assert code == 0
    assert file.read_text(encoding="utf-8").startswith("<svg ")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["bin"], "unknown example 'bin': did you mean bins?"),
        (["--svg", "x.svg"], "--svg needs the NAME of an example"),
    ],
)
def test_wrong_use_is_said_in_a_line(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    message: str,
) -> None:
    """Exit code 2 and what would be right."""
    code = run(monkeypatch, *words)

    assert code == 2
    assert message in capsys.readouterr().err

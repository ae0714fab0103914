"""`ggp harness`: what it prints and writes, and how it exits."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from ggp.cli import app


def test_a_file_is_written_and_prose_is_printed(tmp_path: Path) -> None:
    """With the same words in both."""
    file = tmp_path / "nim.py"

    written = CliRunner().invoke(
        app, ["harness", "nim", "--format", "inspect", "--output", str(file)]
    )
    printed = CliRunner().invoke(app, ["harness", "nim", "--prose"])

    assert (written.exit_code, printed.exit_code) == (0, 0)
    text = file.read_text(encoding="utf-8")
    assert "from inspect_ai import" in text
    assert printed.stdout.startswith(
        "Its author says of the game: Nim with heaps of 1, 3, 5 and 7. "
    )
    assert "\n\nRoles\n- There are 2 roles: first and second. [lines 11-12]" in printed.stdout
    assert printed.stdout.strip() in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nim", "--format", "gym"], "--format: expected plain, inspect, kaggle, openenv, got gym"),
        (["nimm"], "did you mean nim?"),
        (["nim", "--seed", "-1"], "--seed"),
    ],
)
def test_wrong_use_is_named(arguments: list[str], said: str) -> None:
    """In a line, with what would be right."""
    result = CliRunner().invoke(app, ["harness", *arguments])

    assert result.exit_code == 2
    assert said in result.output

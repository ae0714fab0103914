"""`ggp format`: what it prints and writes, and how it exits."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ggp.cli import app

MESSY = "(role   X) ; who\n\n\n(init\n (step 0))"
TIDY = "(role X)  ; who\n\n(init (step 0))\n"


def format_rules(*arguments: str, text: str | None = None) -> Result:
    """The outcome of `ggp format`, with the text on its standard input."""
    return CliRunner().invoke(app, ["format", *arguments], input=text)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A rulesheet in need of a layout."""
    path = tmp_path / "messy.kif"
    path.write_text(MESSY)
    return path


def test_formatted_rules_are_printed(file: Path) -> None:
    """The file stays as it is."""
    result = format_rules(str(file))

    assert (result.exit_code, result.stdout) == (0, TIDY)
    assert file.read_text() == MESSY


def test_standard_input_is_read_as_a_dash() -> None:
    """So an editor can pipe its buffer through."""
    assert format_rules("-", text=MESSY).stdout == TIDY


@pytest.mark.parametrize("option", ["--write", "-w"])
def test_write_changes_the_file_and_prints_nothing(file: Path, option: str) -> None:
    """In place."""
    result = format_rules(option, str(file))

    assert (result.exit_code, result.stdout) == (0, "")
    assert file.read_text() == TIDY


def test_check_names_the_file_and_changes_nothing(file: Path) -> None:
    """For continuous integration."""
    result = format_rules("--check", str(file))

    assert (result.exit_code, result.stdout) == (1, "")
    assert (
        result.stderr
        == f"ggp format: {file}: the layout is not regular; ggp format --write changes it\n"
    )
    assert file.read_text() == MESSY


def test_check_of_a_formatted_file_succeeds(file: Path) -> None:
    """A file that `--write` has written is formatted."""
    format_rules("-w", str(file))

    assert format_rules("--check", str(file)).exit_code == 0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(role x", "<stdin>:1:1: this '(' is never closed\n    (role x\n    ^"),
        ("role(x)", "<stdin>: expected prefix KIF, got Epilog, which cannot be formatted"),
    ],
)
def test_text_that_is_no_kif_fails_with_the_place(text: str, reason: str) -> None:
    """Nothing is printed that was not understood."""
    result = format_rules("-", text=text)

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"ggp format: {reason}\n"


def test_missing_file_exits_with_two() -> None:
    """Wrong use, in one line."""
    result = format_rules("no/such/file.kif")

    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("argument", ["-", "nim"])
def test_write_refuses_what_is_no_file_of_the_user(argument: str) -> None:
    """Standard input and bundled games, in one line; nothing is printed."""
    result = format_rules("--write", argument, text=MESSY)

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1


def test_check_and_write_exclude_each_other(file: Path) -> None:
    """One changes nothing, the other does."""
    assert format_rules("--check", "--write", str(file)).exit_code == 2
    assert file.read_text() == MESSY

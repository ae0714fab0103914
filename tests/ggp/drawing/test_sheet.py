"""Sheets of pictures, as `ggp games --picture` writes them."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

from typer.testing import CliRunner

from ggp.cli import app
from ggp.drawing.sheet import sheet_html, sheet_svg

PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>svg</title></svg>'


def test_sheet_holds_every_picture_and_name() -> None:
    """Names are text, whatever is in them."""
    names = ["ticTacToe", "<b>&", "a\x00b"]

    sheet = ET.fromstring(sheet_svg([(name, PICTURE) for name in names], columns=2))

    assert len(sheet.findall("{*}svg")) == 3
    assert [text.text for text in sheet.findall("{*}text")] == ["ticTacToe", "<b>&", "ab"]


def test_page_escapes_names() -> None:
    """A game cannot write into the page."""
    page = sheet_html([("<script>", PICTURE)])

    assert "<script>" not in page
    assert "&lt;script&gt;" in page


def test_command_draws_games_and_files_of_rules(tmp_path: Path) -> None:
    """Bundled games by name, others from their files; a random game as far as it goes."""
    rules = tmp_path / "mine.kif"
    rules.write_text("(role me) (init (at 1)) (legal me go) (next (at 2)) (goal me 1) terminal")
    sheet = tmp_path / "sheet.svg"

    result = CliRunner().invoke(
        app, ["games", "--picture", str(sheet), "--turns", "3", "nim", str(rules)]
    )

    assert result.exit_code == 0, result.output
    names = [text.text for text in ET.parse(sheet).getroot().findall("{*}text")]
    assert names == ["nim", "mine"]


def test_other_endings_are_refused(tmp_path: Path) -> None:
    """The command says what it cannot write."""
    result = CliRunner().invoke(app, ["games", "--picture", str(tmp_path / "a.png"), "nim"])

    assert result.exit_code != 0
    assert not (tmp_path / "a.png").exists()


def test_several_names_need_a_picture() -> None:
    """The description of a game is shown for one game."""
    result = CliRunner().invoke(app, ["games", "nim", "hex"])

    assert result.exit_code == 2
    assert "--picture" in result.output

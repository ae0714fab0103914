"""Boards with lines as text: dots with lines between them, and walls between places."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import gdl
from ggp.boards.plain_names import PlaceNames
from ggp.boards.state_view import StateView
from ggp.boards.text import plain_text
from ggp.cli import app
from ggp.harness.game import HarnessGame
from tests.ggp.boards.dots import dots_and_boxes
from tests.thorough import all_but

BOXES = ["(box 1 1 nobody)", "(box 2 1 nobody)", "(box 1 2 nobody)", "(box 2 2 nobody)"]
LINES = ["(line 1 1 2 1)", "(line 1 1 1 2)", "(line 1 2 2 2)", "(line 3 3 3 2)"]
CELLS = [f"(cell {x} {y} b)" for x in "123" for y in "123"]


def test_lines_join_dots_and_owners_stand_in_boxes() -> None:
    """Names at the left and below are those of dots; what has changed is in brackets."""
    before = [*BOXES, *LINES, "(control ann)"]
    after = ["(box 1 1 ann)", *BOXES[1:], *LINES, "(line 2 1 2 2)", "(control ben)"]

    assert StateView([before, after]).lines(after, before) == [
        "3 •   •   •",
        "          |",
        "2 •---•   •",
        "  |[a]|",
        "1 •---•   •",
        "  1   2   3",
        "(control ben)",
    ]


def test_walls_stand_between_places() -> None:
    """Without dots, as they are facts of two places; the names are those of places."""
    facts = [*CELLS[1:], "(cell 1 1 me)", "(wall 1 1 1 2)", "(wall 2 1 3 1)"]

    assert StateView([facts]).lines(facts) == [
        "3  ·   ·   ·",
        "",
        "2  ·   ·   ·",
        "  ---",
        "1  m   · | ·",
        "   1   2   3",
    ]


def test_diagonal_and_longer_lines_are_named_below() -> None:
    """They have no place between the boxes, but do not get lost."""
    facts = [*BOXES, *LINES, "(long 1 1 3 1)", "(slant 1 1 2 2)"]

    lines = StateView([facts]).lines(facts)

    assert lines[4:] == ["1 •---•   •", "  1   2   3", "(long 1 1 3 1)   (slant 1 1 2 2)"]


def test_boxes_are_as_wide_as_names() -> None:
    """Of dots, and of owners that begin alike; dots and their names stand below each other."""
    order = ("uno", "due", "tre", "quattro")
    owners = {"uno due": "blue", "due uno": "black"}
    places = [f"{x} {y}" for x in order[:3] for y in order[:3]]
    facts = [f"(box {place} {owners.get(place, 'e')})" for place in places]
    facts += ["(line uno uno due uno)", "(line quattro tre quattro quattro)"]

    assert StateView([facts], names=PlaceNames((order,))).lines(facts) == [
        "quattro •       •       •       •",
        "                                |",
        "    tre •       •       •       •",
        "           blu",
        "    due •       •       •       •",
        "                   bla",
        "    uno •-------•       •       •",
        "        uno     due     tre     quattro",
    ]


def test_lines_that_are_believed_stand_below() -> None:
    """With how likely they are; lines that are certain are drawn."""
    facts = [*BOXES, *LINES]
    belief = dict.fromkeys(facts, 1.0) | {"(line 2 2 3 2)": 0.5}

    lines = [plain_text(line) for line in StateView([facts]).belief_pieces(belief)]

    assert lines[-3:] == [
        "1 •---•   •",
        "  1   2   3",
        "50% (line 2 2 3 2)",
    ]


@pytest.mark.parametrize("form", ["(line (dot {}) (dot {}))", "(line {} {})"])
def test_ends_may_be_terms(form: str) -> None:
    """As the pictures take them."""
    facts = [*BOXES, *(form.format(*ends) for ends in (("1 1", "2 1"), ("3 2", "3 3")))]

    assert StateView([facts]).lines(facts)[::2] == ["3 •   •   •", "2 •   •   •", "1 •---•   •"]


def test_a_harness_tells_how_lines_are_drawn() -> None:
    """The legend has no dot for an empty square, as dots are corners."""
    briefing = HarnessGame("dots", dots_and_boxes(2, 2)).briefing

    assert "Blank is an empty square (nobody); • is a dot; --- and | are lines" in briefing
    assert "At the start:\n\n3 •   •   •\n\n2 •   •   •\n\n1 •   •   •\n  1   2   3\n" in briefing


def matched(rules: str, file: Path) -> str:
    """What a random match prints."""
    file.write_text(rules)
    result = CliRunner().invoke(app, ["match", str(file), "random", "random", "--seed", "1"])
    return result.output


def test_a_match_in_the_terminal_shows_lines(tmp_path: Path) -> None:
    """All of them in the end, and whose the box is."""
    output = matched(dots_and_boxes(2, 2), tmp_path / "dots.kif")

    shown = "\n".join(line.strip() for line in output.splitlines())
    assert "3 •---•---•\n| b | b |\n2 •---•---•\n|[b]| b |\n1 •---•---•\n1   2   3" in shown


@pytest.mark.parametrize("options", all_but([{}], [{"board": False}, {"symbols": False}, {}]))
def test_a_match_of_a_scrambled_game_shows_lines(options: dict[str, bool], tmp_path: Path) -> None:
    """As many as in the plain game, between dots with the names that moves have."""
    other = gdl.scramble(gdl.read_kif(dots_and_boxes(2, 2)), 3, **options)
    names = [other.symbols[str(number)] for number in (1, 2, 3)]

    lines = [line.split() for line in matched(other.text, tmp_path / "other.kif").splitlines()]

    last = max(at for at, line in enumerate(lines) if line == names)
    assert [line[0] for line in lines[last - 5 : last : 2]] == names[::-1]
    assert "".join(line[1] for line in lines[last - 5 : last : 2]).count("•-") == 6

"""Tables of texts: nothing is cut, and nothing is lost, at any width."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from ggp.terminal.console import table

NAMES = ["breakthroughSuicideWithWalls", "囲碁"]
FIGURES = [str(10**count) for count in range(3, 12)]
HEADINGS = ["game", "what it is", *(f"number {at}" for at in range(len(FIGURES)))]
ROWS = [[name, "some words about it", *FIGURES] for name in NAMES]
WORDS = {*NAMES, "some", "words", "about", "it", *FIGURES}


def lines(width: int) -> list[str]:
    """The lines printed on a screen of this width."""
    text = io.StringIO()
    Console(file=text, width=width).print(table(HEADINGS, ROWS, ",".join(HEADINGS[2:])))
    return [line.rstrip() for line in text.getvalue().splitlines()]


@pytest.mark.parametrize("width", [45, 60, 80, 100, 200])
def test_all_words_are_whole_at_any_width(width: int) -> None:
    """And no line is longer than the screen."""
    found = lines(width)

    assert set(" ".join(found).split()) >= WORDS
    assert all(heading in "\n".join(found) for heading in HEADINGS)
    assert max(map(len, found)) <= width


def test_what_does_not_fit_stands_below_after_the_first_column() -> None:
    """Each table says which game its figures are of."""
    found = [line.split() for line in lines(60)]

    assert [line[-len(FIGURES) :] for line in found if line[:1] == ["囲碁"]] != [FIGURES]
    for name in NAMES:
        figures = [word for line in found if line[:1] == [name] for word in line if word.isdigit()]
        assert figures == FIGURES


def test_a_wide_screen_has_one_table() -> None:
    """Headings, a rule, two rows."""
    assert len([line for line in lines(300) if line]) == 4


def test_the_narrowest_screen_breaks_words_and_loses_none() -> None:
    """A broken word goes on in the next line."""
    assert set("".join("".join(lines(12)).split())) >= set("".join(WORDS))

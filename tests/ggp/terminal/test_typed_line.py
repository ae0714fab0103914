"""A line that a person types means a move, a command, or gets an answer that helps."""

from __future__ import annotations

import pytest

from ggp.term_text import plain
from ggp.terminal.typed_line import Chosen, Command, Several, TypedLine, Unknown, offers, read_line

MOVES = ["(mark 1 1)", "(mark 1 2)", "(mark 10 2)", "(drop 3)", "noop", "hint", "7"]


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("2", Chosen(1)),
        ("(mark 1 2)", Chosen(1)),
        ("( MARK 1 2 )", Chosen(1)),
        ("mark 1,2", Chosen(1)),
        ("1 2", Chosen(1)),
        ("10 2", Chosen(2)),
        ("dr", Chosen(3)),
        ("mark 1", Several((0, 1))),
        ("mark", Several((0, 1, 2))),
        ("ark 10", Several((2,))),
        ("7", Chosen(6)),
        ("hint", Chosen(5)),
        ("/hint 3", Command("hint", "3")),
        ("hint 3", Command("hint", "3")),
        ("UNDO", Command("undo", "")),
        ("?", Command("help", "")),
        ("q", Command("quit", "")),
        ("save my file.json", Command("save", "my file.json")),
        ("0", Unknown((), 7)),
        ("8", Unknown((), 7)),
        ("mrak 1 1", Unknown(("mark 1 1", "mark 1 2", "mark 10 2"), None)),
        ("udno", Unknown(("undo",), None)),
        ("stone", Unknown((), None)),
        ("()", Unknown((), None)),
    ],
)
def test_a_line_means(line: str, meaning: TypedLine) -> None:
    """A move that is named exactly comes first, then commands, numbers, and beginnings."""
    found = read_line(line, MOVES)

    if isinstance(found, Unknown) and isinstance(meaning, Unknown):
        assert found.largest == meaning.largest
        assert set(meaning.nearest) <= set(found.nearest)
    else:
        assert found == meaning


def test_a_move_is_shown_without_the_parentheses_around_it() -> None:
    """Nested terms keep theirs."""
    moves = ["(mark 1 1)", "noop", "(put (piece white king) 3)"]

    assert [plain(move) for move in moves] == ["mark 1 1", "noop", "(put (piece white king) 3)"]


def test_completion_offers_moves_then_commands() -> None:
    """All that has the typed part in it, wherever, is offered."""
    assert offers("mark 1 ", MOVES[:3]) == [("mark 1 1", "move 1"), ("mark 1 2", "move 2")]
    assert [text for text, _ in offers("h", ["(hop 1)"])] == ["hop 1", "hint", "history", "help"]
    assert [text for text, _ in offers("/h", ["(hop 1)"])] == ["/hint", "/history", "/help"]
    assert [text for text, _ in offers("", ["(hop 1)"])] == ["hop 1"]


def test_a_number_may_still_grow_while_it_is_typed() -> None:
    """`mark 1` may become (mark 10 2), until a blank ends the number."""
    assert len(offers("mark 1", MOVES[:3])) == 3

"""A line that a person types means a move, a command, or gets an answer that helps."""

from __future__ import annotations

import pytest

from ggp.naming.move_names import Ambiguous, MoveNames, NotUnderstood, Understood
from ggp.term_text import plain
from ggp.terminal.typed_line import Command, nearest_command, offers, read_line

MOVES = ["(mark 1 1)", "(mark 1 2)", "(mark 10 2)", "(drop 3)", "noop", "hint", "7"]
ANNOTATED = ";;@move (drop ?column): let a disc fall into slot ?column"
NAMES = MoveNames.of_states([["start"]], [], ANNOTATED)


@pytest.mark.parametrize(
    ("line", "moves"),
    [
        ("2", "(mark 1 2)"),
        ("( MARK 1 2 )", "(mark 1 2)"),
        ("10 2", "(mark 10 2)"),
        ("let a disc fall into slot 3", "(drop 3)"),
        ("slot 3", "(drop 3)"),
        ("7", "7"),
        ("hint", "hint"),
        ("mark 1", ["(mark 1 1)", "(mark 1 2)"]),
        ("mark", MOVES[:3]),
        ("/hint 3", Command("hint", "3")),
        ("/hint", Command("hint", "")),
        ("UNDO", Command("undo", "")),
        ("?", Command("help", "")),
        ("save my file.json", Command("save", "my file.json")),
        ("mrak 1 1", None),
        ("drop 4", None),
        ("()", None),
    ],
)
def test_a_line_means(line: str, moves: str | list[str] | Command | None) -> None:
    """A move that is typed exactly comes first, then commands, numbers, and parts of moves."""
    found = read_line(line, MOVES, (), NAMES)

    match found:
        case Understood(move):
            assert move == moves
        case Ambiguous():
            assert list(found.moves) == moves
        case NotUnderstood():
            assert moves is None
            assert found.meant == ("(drop 4)" if line == "drop 4" else None)
        case Command():
            assert found == moves
    assert nearest_command("udno") == "undo"


def test_a_move_is_shown_without_the_parentheses_around_it() -> None:
    """Nested terms keep theirs."""
    moves = ["(mark 1 1)", "noop", "(put (piece white king) 3)"]

    assert [plain(move) for move in moves] == ["mark 1 1", "noop", "(put (piece white king) 3)"]


def test_completion_offers_moves_then_commands() -> None:
    """All that has the typed part in its term or name, wherever, is offered."""
    hop = {"(hop 1)": "hop over"}
    marks = NAMES.write(MOVES[:3])

    assert offers("mark 1 ", marks) == [("mark 1 1", "move 1"), ("mark 1 2", "move 2")]
    assert offers("slot 3", NAMES.write(["(drop 3)"]))[0][0] == "drop 3"
    assert offers("", hop) == [("hop 1", "move 1: hop over")]
    assert [text for text, _ in offers("h", hop)] == ["hop 1", "hint", "history", "help"]
    assert [text for text, _ in offers("/h", hop)] == ["/hint", "/history", "/help"]


def test_a_number_may_still_grow_while_it_is_typed() -> None:
    """`mark 1` may become (mark 10 2), until a blank ends the number."""
    assert len(offers("mark 1", NAMES.write(MOVES[:3]))) == 3

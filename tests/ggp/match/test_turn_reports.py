"""The referee's report of a turn."""

from __future__ import annotations

import pytest

from ggp.match.rulebook import Position
from ggp.match.turn_reports import in_control


@pytest.mark.parametrize(
    ("legal", "facts", "role"),
    [
        ((("a", "b"), ("noop",)), (), "left"),
        ((("noop",), ("a", "b")), ("(control left)",), "right"),
        ((("a", "b"), ("a", "b")), ("(control left)",), None),
        ((("a",), ("noop",)), ("(control Left)", "(cell 1)"), "left"),
        ((("a",), ("noop",)), ("(control left)", "(control right)"), None),
        ((("a",), ("noop",)), (), None),
    ],
)
def test_who_is_in_control(
    legal: tuple[tuple[str, ...], ...], facts: tuple[str, ...], role: str | None
) -> None:
    """The role that has a choice; where nobody has, the one that the rules name."""
    assert in_control(("left", "right"), Position(facts, False, legal)) == role

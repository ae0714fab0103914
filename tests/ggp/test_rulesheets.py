"""Texts of rules are told from names of games and files."""

from __future__ import annotations

import pytest

from ggp.rulesheets import is_rules_text


@pytest.mark.parametrize(
    ("rules", "is_text"),
    [
        ("(role x)", True),
        ("\ufeff; a game", True),
        ("role(x) role(y).", True),
        ("My game\n(role x)", True),
        ("ticTacToe", False),
        ("my game (1).kif", False),
        ("games/nim.kif", False),
        ("game (1)", False),
    ],
)
def test_either_notation_is_a_text(rules: str, is_text: bool) -> None:
    """Also behind a title; a file may have parentheses in its name."""
    assert is_rules_text(rules) is is_text

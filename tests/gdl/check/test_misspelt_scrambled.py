"""Likeness of names means a slip among words, and nothing among names drawn at random."""

from __future__ import annotations

import pytest

import gdl
from gdl.check.misspelt import check_misspelling, is_scrambled
from ggp import games
from tests.thorough import all_but


@pytest.mark.parametrize("name", all_but(["breakthrough", "othello"], games.names()))
def test_scrambled_names_are_not_called_slips(name: str) -> None:
    """Of either of two scrambled games some names are alike; the game itself has words."""
    rules = gdl.read_kif(games.text(name), name)

    for seed in 1, 2:
        scrambled = gdl.read_kif(gdl.scramble(rules, seed).text)
        assert is_scrambled(scrambled)
        assert list(check_misspelling(scrambled)) == []
    assert not is_scrambled(rules)


def test_a_percept_has_a_name_of_its_own() -> None:
    """No rule reads it, so that it stands in one place."""
    text = (
        "(role x) (init (marked 1)) (<= (legal x (mark ?n)) (true (marked ?n))) (goal x 0)"
        "(<= (next (marked ?n)) (true (marked ?n))) (<= (sees x {}) (true (marked ?n)))"
        "(<= {} (true (marked 2)))"
    )

    def found(percept: str, head: str) -> list[str]:
        rules = gdl.read_kif(text.format(percept, head))
        return [one.instead for one in check_misspelling(rules)]

    assert found("(markes ?n)", "terminal") == []
    assert found("markedd", "terminal") == []
    assert found("(marked ?n)", "(goal x (markes 1))") == ["marked"]

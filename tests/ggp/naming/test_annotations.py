"""Annotations that name nothing are said to."""

from __future__ import annotations

import pytest

import gdl
from ggp import games
from ggp.naming.annotations import check_annotations
from tests.thorough import KINDS, all_but

RULES = """
(role ann) (init (heap 1)) (<= (legal ann (draw ?a ?b)) (true (heap ?a)) (true (heap ?b)))
(<= (next (heap ?x)) (does ann (draw ?x 2))) (<= terminal (true (heap 1))) (goal ann 100)
"""


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("@move (drow ?a ?b): draw", "@move: no move is called 'drow'; did you mean 'draw'?"),
        ("@move (draw ?a): draw", "@move: 'draw' has 2 arguments, not 1"),
        ("@move noop: wait", "@move: no move is called 'noop'"),
        ("@fact (hep ?a): a heap", "@fact: no fact is called 'hep'; did you mean 'heap'?"),
        ("@word anne: Anna", "@word: no word is called 'anne'; did you mean 'ann'?"),
        ("@word : Anna", "@word: expected PATTERN: NAME, got ': Anna'"),
        (
            "@mvoe (draw ?a ?b): draw",
            "no annotation is called '@mvoe'; did you mean '@move'?",
        ),
    ],
)
def test_names_of_what_the_rules_do_not_have_are_told(line: str, said: str) -> None:
    """With what was meant, as far as it is near."""
    text = f";;{line}\n{RULES}"

    [found] = check_annotations(text, "mine", gdl.read_kif(text))

    assert (found.code, found.message) == ("annotation", said)


@pytest.mark.parametrize(
    "line",
    ["@move (DRAW 1 ?b): draw", "@fact (heap ?a): h", "@word 2: two", "@author Ann: 2026", "@mov"],
)
def test_what_the_rules_have_can_be_named(line: str) -> None:
    """In any case; numbers may be computed. Other comments may begin with `@`, too."""
    text = f";;{line}\n{RULES}"

    assert check_annotations(text, "mine", gdl.read_kif(text)) == ()


@pytest.mark.parametrize("name", all_but(KINDS, sorted(games.names()), is_whole=True))
def test_annotations_of_bundled_games_name_what_is_there(name: str) -> None:
    """All of them."""
    text = games.text(name)

    assert check_annotations(text, name, gdl.read_kif(text, name)) == ()

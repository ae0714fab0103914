"""Why a fact holds in the first state, as it is told of a word of a text."""

from __future__ import annotations

import pytest

import gdl
from ggp import games
from tests.thorough import all_but

TEXT = """(role me) (init (s 0)) (goal me 50) (near 0 1) (near 1 2)
(<= (legal me (go ?n)) (true (s ?m)) (near ?m ?n))
(<= (next (s ?n)) (does me (go ?n)))
(<= terminal (true (s 2)) (not (lost ?who)))
(<= (lost me) (true (s 9)))
"""


def explained(words: str, word: str = "", text: str = TEXT) -> str:
    """What is told of a word within words that stand in a text."""
    document = gdl.document(text)
    fact = document.fact_at(text.index(words) + words.index(word))
    return document.first_state.explanation(fact) if fact else ""


def test_a_head_that_holds_is_derived() -> None:
    """With the values that it has, and the lines of what makes it."""
    assert explained("legal me") == (
        "**In the first state** `(legal me (go 1))` holds:\n\n```\n"
        "(legal me (go 1))  ; by a rule, line 2\n"
        "  yes (true (s 0))  ; in the state\n"
        "  yes (near 0 1)  ; a fact of the rules, line 1\n```"
    )


def test_a_head_that_does_not_hold_names_the_nearest_condition() -> None:
    """And what is like it in the state."""
    told = explained("terminal")

    assert "`terminal` does not hold:" in told
    assert "no  (true (s 2))  ; not in the state; there is (s 0)" in told


@pytest.mark.parametrize(("words", "word"), [("(init (s", "init"), ("(init (s 0", "s")])
def test_a_fact_of_the_state_is_asked_for_as_one(words: str, word: str) -> None:
    """At `init` and at the fact within."""
    assert "`(true (s 0))` holds:" in explained(words, word)


@pytest.mark.parametrize(
    ("words", "word"),
    [("(next (s", "next"), ("(next (s", "s"), ("(near 0 1", "near"), ("?n", "?n")],
)
def test_what_depends_on_moves_or_says_itself_is_left_out(words: str, word: str) -> None:
    """So is a variable."""
    assert explained(words, word) == ""


@pytest.mark.parametrize("text", ["(legal me go", "(<= (legal me go) (true ?x", "legal"])
def test_a_text_that_cannot_be_played_explains_nothing(text: str) -> None:
    """And raises nothing."""
    assert explained("legal", text=text) == ""


def test_a_name_with_backquotes_does_not_end_the_block() -> None:
    """The block has as many as it needs."""
    text = "(role me) (init (s ```)) (goal me 1) (legal me go) (<= terminal (true (s ```)))"

    assert "\n````\nterminal" in explained("terminal", text=text)


@pytest.mark.parametrize("name", all_but(("ticTacToe", "nim"), games.names()))
def test_what_is_said_of_a_bundled_game_is_so(name: str) -> None:
    """The legal moves of each role, and that the game is not over."""
    text = games.text(name)
    document = gdl.document(text, name)
    game = gdl.load(gdl.read_rules(text, name), "interpreter")
    legal = {role: game.legal_moves(game.initial_state(), role) for role in game.roles}

    said = {role: document.first_state.explanation(f"(legal {role} ?move)") for role in legal}

    assert "`terminal` does not hold" in document.first_state.explanation("terminal")
    for role, moves in legal.items():
        named = sorted(f"(legal {role} {move})" for move in moves)
        if said[role]:  # else the first is a fact of the rules
            assert all(f"`{fact}`" in said[role] for fact in named[:6])
            assert f" hold{'s' * (len(moves) == 1)}" in said[role]
    assert any(said.values())

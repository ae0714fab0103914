"""Scrambled rules are the same game in other words."""

from __future__ import annotations

import gdl
from ggp import games
from ggp.seating.scrambling import KEPT, Scrambler

RULES = " ".join(map(str, gdl.read_kif(games.text("ticTacToe")).forms))


def test_no_name_of_ours_is_left() -> None:
    """Keywords and numbers stay, all else is replaced."""
    words = set(Scrambler(RULES, 1).scramble(RULES).replace("(", " ").replace(")", " ").split())
    ours = set(RULES.replace("(", " ").replace(")", " ").split())

    assert words & ours == {word for word in ours if word in KEPT or word.isdigit()}
    assert {"1", "3", "role", "<="} <= words


def test_the_game_is_the_same() -> None:
    """As many moves, and each of them can be told back."""
    scrambler = Scrambler(RULES, 1)
    plain = gdl.load(gdl.read_kif(RULES), "interpreter")
    other = gdl.load(gdl.read_kif(scrambler.scramble(RULES)), "interpreter")

    def first_moves(machine: gdl.StateMachine) -> set[str]:
        state = machine.initial_state()
        return {str(move) for role in machine.roles for move in machine.legal_moves(state, role)}

    assert {scrambler.unscramble(move) for move in first_moves(other)} == first_moves(plain)


def test_the_canonical_form_sees_through_it() -> None:
    """So that a player finds what it has learned of the game."""
    form = gdl.read_kif(RULES).canonical
    other = gdl.read_kif(Scrambler(RULES, 5).scramble(RULES)).canonical

    assert form is not None
    assert other is not None
    assert other.digest == form.digest


def test_an_answer_may_be_in_any_case_and_anything() -> None:
    """Words that are none of the match stay as they came."""
    scrambler = Scrambler(RULES, 1)
    move = scrambler.scramble("(mark 1 2)")

    assert scrambler.unscramble(move.upper()) == "(mark 1 2)"
    assert scrambler.unscramble("what (is this") == "what (is this"


def test_a_match_that_goes_on_has_the_same_names() -> None:
    """They come from its seed."""
    assert Scrambler(RULES, 7).scramble(RULES) == Scrambler(RULES, 7).scramble(RULES)
    assert Scrambler(RULES, 7).scramble(RULES) != Scrambler(RULES, 8).scramble(RULES)

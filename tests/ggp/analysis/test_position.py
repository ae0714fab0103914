"""Positions by moves as text: which of them are joint moves, only the legal moves show."""

from __future__ import annotations

import pytest

import gdl
from ggp import games
from ggp.analysis.position import joint_move, position_after
from ggp.errors import WrongUseError

GAME = "(init (s 0)) (next (s 1)) (<= terminal (true (s 9))) "
HANDS = GAME + (
    "(role l) (role r) (hand rock) (hand paper) (<= (legal l ?h) (hand ?h))"
    "(<= (legal r ?h) (hand ?h)) (goal l 50) (goal r 50)"
)
PAIRS = GAME + (
    "(role l) (role r) (legal l (a b)) (legal l a) (legal l (go (to 1 2) up)) (legal r b)"
    "(goal l 50) (goal r 50)"
)
ALONE = GAME + "(role me) (legal me go) (legal me (go 1)) (legal me (go (to 1))) (goal me 50)"
TURNS = games.text("ticTacToe")


def joints(rules: str, text: str) -> list[str]:
    """The joint moves that a text holds, each as one text."""
    rulesheet = gdl.read_kif(rules)
    position = position_after(gdl.load(rulesheet, "interpreter"), rulesheet, [text])
    return [" ".join(map(str, joint)) for joint in position.moves]


@pytest.mark.parametrize(
    ("rules", "text", "found"),
    [
        (TURNS, "(mark 2 2) (noop (mark 1 1))", ["(mark 2 2) noop", "noop (mark 1 1)"]),
        (TURNS, "((mark 2 2) noop) noop (mark 1 1)", ["(mark 2 2) noop", "noop (mark 1 1)"]),
        (TURNS, "MARK 2 2; ( NOOP (Mark 1 1) );", ["(mark 2 2) noop", "noop (mark 1 1)"]),
        (HANDS, "(rock paper) (paper paper)", ["rock paper", "paper paper"]),
        (HANDS, "rock paper (paper rock)", ["rock paper", "paper rock"]),
        # One move that is a list of as many words as there are roles.
        (PAIRS, "(a b)", ["(a b) b"]),
        (PAIRS, "a b ((a) b) ((a b) b)", ["a b", "a b", "(a b) b"]),
        (PAIRS, "(go (to 1 2) up) go (to 1 2) up", ["(go (to 1 2) up) b"] * 2),
        (PAIRS, "((go (to 1 2) up) b)", ["(go (to 1 2) up) b"]),
        (ALONE, "go (go) ((go))", ["go"] * 3),
        (ALONE, "(go 1) ((go 1)) ((go (to 1)))", ["(go 1)", "(go 1)", "(go (to 1))"]),
    ],
)
def test_a_joint_move_is_a_legal_move_of_each_role(rules: str, text: str, found: list[str]) -> None:
    """With parentheses around it or without, whatever its first move is."""
    assert joints(rules, text) == found


@pytest.mark.parametrize(
    ("rules", "text", "said"),
    [
        (TURNS, "(mark 2 2) (noop (mark 2 2))", "ply 2: (mark 2 2) is no legal move of oplayer"),
        (TURNS, "((mark 2 2) nop)", "ply 1: nop is no legal move of oplayer"),
        (TURNS, "((mark 2 2) noop noop)", "ply 1: expected 2 moves, one for each role"),
        (TURNS, "(mark 9 9)", "ply 1: (mark 9 9) is no legal move of xplayer"),
        (HANDS, "(rock stone)", "ply 1: stone is no legal move of r; expected one of: paper, rock"),
        (HANDS, "(stone rock)", "ply 1: stone is no legal move of l"),
        (HANDS, "(rock paper rock)", "ply 1: expected 2 moves, one for each role (l r), got"),
        (ALONE, "((go 2))", "ply 1: (go 2) is no legal move of me"),
        (ALONE, "()", "ply 1: () is no legal move of me; expected a term, one of: "),
        (TURNS, "(((mark 2 2) noop) (noop (mark 1 1)))", "ply 1: ((mark 2 2) noop) is no legal"),
    ],
)
def test_the_move_that_is_wrong_is_named(rules: str, text: str, said: str) -> None:
    """The one within a joint move, and not the joint move."""
    with pytest.raises(WrongUseError) as caught:
        joints(rules, text)

    assert str(caught.value).startswith(f"--moves: {said}")


def test_one_joint_move_is_read_alike() -> None:
    """As `ggp why --next` and notebooks take it; a second one is refused."""
    rulesheet = gdl.read_kif(HANDS)
    machine = gdl.load(rulesheet, "interpreter")
    state = machine.initial_state()

    made = joint_move(machine, rulesheet, state, "(rock paper)", "--next")

    assert list(map(str, made)) == ["rock", "paper"]
    with pytest.raises(
        WrongUseError, match=r"^--next: expected only one joint move, got also \(rock"
    ):
        joint_move(machine, rulesheet, state, "(rock paper) (rock rock)", "--next")

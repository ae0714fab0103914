"""A step as the engine process reads it: one move, or one of each role in a list."""

from __future__ import annotations

import pytest

import gdl
from ggp.engine.worker.knowledge import Knowledge, UnreadableError
from ggp.match.steps import SingleMove

GAME = "(role l) (role r) (init (s 0)) (next (s 1)) (<= terminal (true (s 9))) (goal l 50)"
HANDS = GAME + "(h rock) (h paper) (<= (legal l ?h) (h ?h)) (<= (legal r ?h) (h ?h)) (goal r 50)"
PAIRS = GAME + "(legal l (a b)) (legal l a) (legal l (c (d 1))) (legal r b) (goal r 50)"


@pytest.mark.parametrize(
    ("rules", "text", "joint"),
    [
        (HANDS, "(rock paper)", ("rock", "paper")),
        (HANDS, "( ROCK Paper )", ("rock", "paper")),
        (PAIRS, "(a b)", ("(a b)", "b")),  # it is a move as well
        (PAIRS, "((a b) b)", ("(a b)", "b")),
        (PAIRS, "((c (d 1)) b)", ("(c (d 1))", "b")),
        (PAIRS, "(c (d 1))", ("(c (d 1))", "b")),
        (HANDS, "(rock stone)", None),
        (HANDS, '(rock "(")', None),
        (HANDS, "(rock paper rock)", None),
    ],
)
def test_a_list_with_a_legal_move_for_each_role_is_a_joint_move(
    rules: str, text: str, joint: tuple[str, ...] | None
) -> None:
    """Unless the whole list is a legal move; what is neither is refused."""
    game = gdl.load(gdl.read_kif(rules), "interpreter")
    knowledge = Knowledge(game, game.roles[0], seed=1)

    if joint is None:
        with pytest.raises(UnreadableError, match="expected a move"):
            knowledge.make(SingleMove(text))
        return
    knowledge.make(SingleMove(text))
    assert knowledge.position().joint_move == joint

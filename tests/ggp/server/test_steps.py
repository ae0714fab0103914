"""One text, many meanings: what was done in the last turn, by dialect."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from ggp.engine import EnginePosition, JointMove, MoveError, Percepts, SingleMove, Step
from ggp.protocol import Dialect, Play, decode
from ggp.server.steps import can_follow, step_of

ROLES = ("x", "o")
JOINT = JointMove(("(mark 1 1)", "noop"))


@pytest.mark.parametrize(
    ("text", "dialect", "has_percepts", "step"),
    [
        ("(PLAY m NIL)", Dialect.GGP_BASE, False, None),
        ("(PLAY m ())", Dialect.GGP_BASE, False, None),
        ("(PLAY m anything)", Dialect.GGP_BASE, False, None),
        ("(PLAY m ((mark 1 1) noop))", Dialect.GGP_BASE, False, JOINT),
        ("( PLAY m (( mark 1 1 ) noop ) )", Dialect.GGP_BASE, False, JOINT),
        ("(PLAY m (noop))", Dialect.GGP_BASE, False, JointMove(("noop",))),
        ("(PLAY m NIL)", Dialect.GGP_BASE, True, None),
        ("(PLAY m ())", Dialect.GGP_BASE, True, Percepts(())),
        ("(PLAY m ((SEES A) B))", Dialect.GGP_BASE, True, Percepts(("(SEES A)", "B"))),
        ("(PLAY m 0 NIL NIL)", Dialect.GGP_BASE, True, None),
        ("(PLAY m 1 GO NIL)", Dialect.GGP_BASE, True, Percepts((), "GO")),
        ("(PLAY m 2 (MARK 1 1) (B))", Dialect.GGP_BASE, False, Percepts(("B",), "(MARK 1 1)")),
        ("play(m,nil)", Dialect.GAMEMASTER, False, None),
        ("play(m,mark(1,1))", Dialect.GAMEMASTER, False, SingleMove("(mark 1 1)")),
        ("play(m,noop)", Dialect.GAMEMASTER, False, SingleMove("noop")),
        ("play(m,[mark(1,1),noop])", Dialect.GAMEMASTER, False, JOINT),
        ("(play m (mark 1 1))", Dialect.GAMEMASTER, False, SingleMove("(mark 1 1)")),
        ("(play m ((mark 1 1) noop))", Dialect.GAMEMASTER, False, JOINT),
        ("(play m ( ; both\n (mark 1 1) noop))", Dialect.GAMEMASTER, False, JOINT),
        ("(play m (noop (mark 1 1)))", Dialect.GAMEMASTER, False, SingleMove("(noop (mark 1 1))")),
        ("play(m,[a,b])", Dialect.GAMEMASTER, False, JointMove(("a", "b"))),
    ],
)
def test_a_step_depends_on_the_dialect_and_the_game(
    text: str, dialect: Dialect, has_percepts: bool, step: Step | None
) -> None:
    """`(mark 1 1)` may be one move, three, or percepts."""
    message = decode(text)

    assert isinstance(message, Play)
    assert step_of(message, dialect, has_percepts) == step


@pytest.mark.parametrize(
    ("step", "follows"),
    [
        (JointMove(("b", "noop")), True),
        (JointMove(("B", "noop")), True),
        (JointMove(("c", "noop")), False),
        (SingleMove("a"), True),
        (SingleMove("c"), False),
        (SingleMove("(b noop)"), True),  # a move of each role
        (SingleMove("(c noop)"), False),
        (SingleMove("(b c noop)"), False),
        (SingleMove('(b ")")'), False),
        (Percepts(("c",)), True),
        (None, True),
    ],
)
def test_a_step_follows_if_our_move_in_it_is_legal(step: Step | None, follows: bool) -> None:
    """In any case of letters; where a step names no move of ours, nothing speaks against it."""
    position = EnginePosition(0, ("a", "b"), 2, in_control=True, is_terminal=False)

    assert can_follow(step, position, ROLES, "x") is follows


def test_what_is_not_known_speaks_against_nothing() -> None:
    """No position yet, a part of the legal moves only, or another role's move."""
    step = JointMove(("c", "noop"))
    part = EnginePosition(0, ("a",), 5000, in_control=True, is_terminal=False)
    waiting = EnginePosition(0, ("noop",), 1, in_control=False, is_terminal=False)

    assert can_follow(step, None, ROLES, "x")
    assert can_follow(step, part, ROLES, "x")
    assert can_follow(SingleMove("c"), waiting, ROLES, "x")


@pytest.mark.parametrize(
    ("text", "dialect", "has_percepts", "is_fine"),
    [
        ("(PLAY m (a b))", Dialect.GGP_BASE, False, True),
        ("(PLAY m (a b c d))", Dialect.GGP_BASE, False, False),
        ("(PLAY m (a))", Dialect.GGP_BASE, False, False),
        ("(PLAY m (a b c))", Dialect.GGP_BASE, True, True),
        ("(PLAY m NIL)", Dialect.GGP_BASE, False, True),
        ("play(m,[a,b])", Dialect.GAMEMASTER, False, True),
        ("play(m,[a,b,c])", Dialect.GAMEMASTER, False, False),
        ("play(m,[a,b,c])", Dialect.GAMEMASTER, True, True),  # they may be percepts
        ("play(m,a)", Dialect.GAMEMASTER, False, True),
    ],
)
def test_a_joint_move_has_a_move_for_each_role(
    text: str, dialect: Dialect, has_percepts: bool, is_fine: bool
) -> None:
    """Seen before the engine is asked, which may be too busy to say so in time."""
    message = decode(text)

    assert isinstance(message, Play)
    with nullcontext() if is_fine else pytest.raises(MoveError, match=r"left right\), got"):
        step_of(message, dialect, has_percepts, ("left", "right"))

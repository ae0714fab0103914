"""A turn that was never told: what must have been played in it, where only one history fits."""

from __future__ import annotations

from dataclasses import replace

import pytest

import gdl
from ggp import games
from ggp.engine.worker.knowledge import Knowledge
from ggp.match.steps import JointMove

MOVES = "(mark 2 2)", "(mark 1 1)"


def knowledge_of(role: int) -> Knowledge:
    """Of one role in the first state of ticTacToe."""
    game = gdl.load(gdl.read_rules(games.text("ticTacToe")), "interpreter")
    return Knowledge(game, game.roles[role], seed=1)


def test_our_answer_was_played_before_what_is_told() -> None:
    """The PLAY of the turn in which the other one moved was lost."""
    knowledge, told = knowledge_of(0), knowledge_of(0)
    told.make(JointMove((MOVES[0], "noop")))
    told.make(JointMove(("noop", MOVES[1])))

    knowledge.make(step := JointMove(("noop", MOVES[1]), answered=MOVES[0]))

    position = knowledge.position()
    assert position.missed == (MOVES[0], "noop")
    assert knowledge.machine.facts(knowledge.state) == told.machine.facts(told.state)
    (remark,) = knowledge.remarks
    assert remark.startswith(
        "the manager did not report a turn: ((mark 2 2) noop) must have been played"
    )
    # Another process that makes the same steps without a look at them comes to the same state.
    another = knowledge_of(0)
    another.make(replace(step, missed=position.missed), is_checked=False)
    assert another.state == knowledge.state


@pytest.mark.parametrize("answered", [None, "noop"])
def test_several_histories_are_none(answered: str | None) -> None:
    """The other one may have marked any cell but ours: what is told is made as it is."""
    knowledge = knowledge_of(1)

    knowledge.make(JointMove(("noop", MOVES[1]), answered=answered))

    assert knowledge.position().missed is None
    assert knowledge.remarks == [
        "noop is not legal for xplayer, but the manager reports it",
        "(mark 1 1) is not legal for oplayer, but the manager reports it",
    ]


def test_what_the_other_one_played_is_known_where_only_that_fits() -> None:
    """Two cells are left, and we are said to have marked one of them."""
    knowledge = knowledge_of(0)
    for cell in ("1 1", "1 2", "1 3", "2 2", "2 1", "2 3", "3 2"):
        mark = f"(mark {cell})"
        knowledge.make(JointMove(("noop", mark) if knowledge.turn % 2 else (mark, "noop")))

    knowledge.make(JointMove(("(mark 3 3)", "noop"), answered="noop"))

    assert knowledge.position().missed == ("noop", "(mark 3 1)")

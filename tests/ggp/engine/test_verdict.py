"""Which move is answered, given what processes have said."""

from __future__ import annotations

import pytest

from ggp.engine.answers import Choice, EnginePosition, MoveOrigin
from ggp.engine.pending_request import PendingRequest
from ggp.engine.verdict import ExpectedLine, judge
from ggp.engine.wire import Best, Done, Event, MovedReply

LEGAL = EnginePosition(1, ("a", "b", "c"), 3, True, False)
FORCED = EnginePosition(1, ("a",), 1, False, False)


def said(*events: Event) -> PendingRequest:
    """An exchange in which these events came."""
    exchange = PendingRequest(1)
    for event in events:
        exchange.take(event)
    return exchange


SEARCHED = Done(1, Choice("c", MoveOrigin.SEARCH, '{"value": 7}'))
BEST = Best(1, Choice("b", MoveOrigin.BEST_SO_FAR))
FIRST = Done(1, Choice("a", MoveOrigin.FIRST_LEGAL), is_exhausted=True)
CHOSEN = said(MovedReply(1, LEGAL), BEST, SEARCHED)
REPORTED = said(MovedReply(1, LEGAL), BEST)
MADE_DO = said(MovedReply(1, LEGAL), FIRST)
SILENT = said(MovedReply(1, LEGAL))
NOTHING = said()


@pytest.mark.parametrize(
    ("exchanges", "move", "origin"),
    [
        ([CHOSEN], "c", MoveOrigin.SEARCH),
        ([REPORTED], "b", MoveOrigin.BEST_SO_FAR),
        ([SILENT], "a", MoveOrigin.FIRST_LEGAL),
        ([said(MovedReply(1, FORCED))], "a", MoveOrigin.ONLY_MOVE),
        ([NOTHING], "z", MoveOrigin.GUESS),
        ([], "z", MoveOrigin.GUESS),
        ([REPORTED, NOTHING], "b", MoveOrigin.BEST_SO_FAR),
        ([MADE_DO, REPORTED], "b", MoveOrigin.BEST_SO_FAR),
        ([REPORTED, MADE_DO], "b", MoveOrigin.BEST_SO_FAR),
        ([REPORTED, CHOSEN], "c", MoveOrigin.SEARCH),
    ],
)
def test_the_best_founded_move_is_answered(
    exchanges: list[PendingRequest], move: str, origin: MoveOrigin
) -> None:
    """Chosen before reported before legal before guessed, over all processes of the turn."""
    choice = judge(exchanges, "z")

    assert (choice.move, choice.origin) == (move, origin)


def test_what_was_expected_is_better_than_any_legal_move() -> None:
    """Where it is legal, and the player has said nothing of this turn."""
    moves = [judge([SILENT], "z", expected=move).move for move in ("c", "z", "")]
    listed = judge([], "z", ["a", "c"], expected="c")
    reported = judge([REPORTED], "z", expected="c")

    assert moves == ["c", "a", "a"]
    assert (listed.move, listed.origin) == ("c", MoveOrigin.BEST_SO_FAR)
    assert reported.move == "b"


def test_a_stand_in_is_named_and_its_thoughts_are_not_told() -> None:
    """Unless it is the only move, or no player has chosen it."""
    chosen, reported, silent = (
        judge([each], "z", is_stand_in=True) for each in (CHOSEN, REPORTED, SILENT)
    )

    assert chosen == Choice("c", MoveOrigin.STAND_IN, position=LEGAL)
    assert reported == Choice("b", MoveOrigin.STAND_IN, position=LEGAL)
    assert silent.origin is MoveOrigin.FIRST_LEGAL


def test_the_position_tells_who_is_in_control() -> None:
    """Whether to speak at all in Gamemaster's games."""
    choice = judge([said(MovedReply(1, FORCED))], "z")

    assert not choice.in_control
    assert choice.position == FORCED


THOUGHTS = {"line": [["a", "noop"], ["noop", "b"], ["c", "noop"]]}


def test_a_line_that_comes_true_tells_the_move_of_each_turn() -> None:
    """For every role, by its place."""
    line = ExpectedLine()
    line.learn(4, THOUGHTS)

    moves = [line.move(4, None, 0), line.move(5, ["a", "noop"], 1), line.move(6, ["noop", "b"], 0)]

    assert moves == ["a", "b", "c"]
    assert line.move(7, ["c", "noop"], 0) == ""


@pytest.mark.parametrize(
    ("turn", "joint_move"), [(5, ["d", "noop"]), (5, None), (6, ["noop", "b"]), (3, ["a", "noop"])]
)
def test_a_line_that_does_not_come_true_is_lost(turn: int, joint_move: list[str] | None) -> None:
    """Other moves, moves that are not known, turns that were left out, moves taken back."""
    line = ExpectedLine()
    line.learn(4, THOUGHTS)

    assert line.move(turn, joint_move, 1) == ""
    assert line.move(turn + 1, ["noop", "b"], 0) == ""


@pytest.mark.parametrize("thoughts", [{}, {"line": "a b"}, {"line": ["a", 1]}, {"line": [["a"]]}])
def test_thoughts_may_be_anything(thoughts: dict[str, object]) -> None:
    """Then nothing is expected of a role that they leave out."""
    line = ExpectedLine()

    line.learn(4, thoughts)

    assert line.move(4, None, 1) == ""

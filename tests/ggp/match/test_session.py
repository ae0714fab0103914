"""A session: what a PLAY means, given those before it."""

from __future__ import annotations

import pytest

from ggp.match.session import Arrival, GapError, Session
from ggp.match.steps import JointMove, Percepts, SingleMove

ROCK = JointMove(("rock", "rock"))


def session() -> Session:
    """A match that has just begun."""
    return Session("m.1", "left", startclock=10, playclock=5)


def in_turn_one(step: JointMove | SingleMove | Percepts, answer: str | None) -> Session:
    """A match in which one step was told, and the turn after it answered at 8.0 or not."""
    match = session()
    match.ask(None, deadline=5.0)
    match.answered("rock")
    match.delivered(0, now=4.0)
    match.ask(step, deadline=10.0)
    if answer is not None:
        match.answered(answer)
        match.delivered(1, now=8.0)
    return match


def test_nil_opens_the_match() -> None:
    """Nothing has happened before the first turn."""
    assert session().arrival(None, 0.0) is Arrival.FIRST


def test_nil_again_is_a_repetition() -> None:
    """As long as nothing was played."""
    match = session()
    match.ask(None, deadline=5.0)

    assert match.arrival(None, 1.0) is Arrival.REPEATED


def test_nil_in_the_middle_is_a_gap() -> None:
    """The manager knows what was played; we could not follow without it."""
    match = in_turn_one(ROCK, "rock")

    with pytest.raises(
        GapError, match="expected a list of the moves or percepts of turn 1, got none"
    ):
        match.arrival(None, 9.0)


def test_moves_are_the_next_step() -> None:
    """Even if the first turn was never asked."""
    assert session().arrival(ROCK, 1.0) is Arrival.NEXT


def test_other_moves_are_the_next_step_whenever_they_come() -> None:
    """Nobody repeats what was never said."""
    match = in_turn_one(ROCK, answer=None)

    assert match.arrival(JointMove(("rock", "paper")), 6.0) is Arrival.NEXT


def test_the_same_moves_are_a_repetition_while_we_think() -> None:
    """The game cannot go on without our answer."""
    match = in_turn_one(ROCK, answer=None)

    assert match.arrival(ROCK, 9.9) is Arrival.REPEATED


def test_the_same_moves_are_a_repetition_if_nobody_got_our_answer() -> None:
    """The manager that had asked has hung up, and asks again."""
    match = in_turn_one(ROCK, answer=None)
    match.answered("rock")

    assert match.arrival(ROCK, 9.9) is Arrival.REPEATED


def test_the_same_moves_are_a_step_once_the_clock_is_over() -> None:
    """The manager has put a move in the place of ours and has gone on."""
    match = in_turn_one(ROCK, answer=None)

    assert match.arrival(ROCK, 10.1) is Arrival.NEXT_IF_LEGAL


def test_the_same_moves_are_a_repetition_if_they_came_before_our_answer() -> None:
    """Two copies were sent at once, and one of them was answered quickly."""
    match = in_turn_one(ROCK, answer="rock")

    assert match.arrival(ROCK, 7.9) is Arrival.REPEATED


@pytest.mark.parametrize("answer", ["rock", "paper"])
def test_the_same_moves_are_a_step_after_our_answer(answer: str) -> None:
    """Rock may follow on rock, and a manager may play rock where we said paper."""
    match = in_turn_one(ROCK, answer)

    assert match.arrival(ROCK, 8.1) is Arrival.NEXT_IF_LEGAL


def test_case_and_blanks_make_no_other_moves() -> None:
    """They are the same however they are written."""
    match = in_turn_one(JointMove(("(mark 1 1)", "noop")), answer="noop")

    assert match.arrival(JointMove(("( MARK 1 1 )", "NOOP")), 7.0) is Arrival.REPEATED


def test_the_same_moves_are_a_repetition_if_they_cannot_be_made() -> None:
    """The caller knows the rules."""
    match = in_turn_one(ROCK, answer="rock")

    assert match.arrival(ROCK, 9.0, can_follow=False) is Arrival.REPEATED


def test_the_same_single_move_is_a_step_if_nobody_waits_for_us() -> None:
    """Gamemaster asks all roles and goes on when the one in control has answered."""
    match = in_turn_one(SingleMove("(take 1)"), answer=None)

    assert match.arrival(SingleMove("(take 1)"), 6.0) is Arrival.REPEATED
    step = match.arrival(SingleMove("(take 1)"), 6.0, is_awaited=False)
    assert step is Arrival.NEXT_IF_LEGAL


def test_a_manager_may_go_on_at_once() -> None:
    """What comes within a tick of the clock that dates it seems to come before our answer left."""
    match = in_turn_one(Percepts(()), answer="rock")

    assert match.arrival(Percepts(()), 7.996) is Arrival.NEXT_IF_LEGAL


def test_the_same_percepts_are_a_step_after_our_answer() -> None:
    """A role may see nothing twice."""
    match = in_turn_one(Percepts(()), answer="rock")

    assert match.arrival(Percepts(()), 9.0) is Arrival.NEXT_IF_LEGAL


@pytest.mark.parametrize(
    ("number", "arrival"), [(1, Arrival.REPEATED), (2, Arrival.NEXT)], ids=["again", "next"]
)
def test_a_turn_number_decides_alone(number: int, arrival: Arrival) -> None:
    """The later GDL-II protocol counts the turns."""
    match = in_turn_one(Percepts(()), answer="rock")

    assert match.arrival(Percepts(()), 9.0, number) is arrival


@pytest.mark.parametrize("number", [0, 3, -1])
def test_a_turn_number_far_off_is_a_gap(number: int) -> None:
    """The message names what was expected."""
    match = in_turn_one(Percepts(()), answer="rock")

    with pytest.raises(GapError, match=f"expected turn 1 or 2, got {number}"):
        match.arrival(Percepts(()), 9.0, number)


def test_the_answer_is_kept_for_its_turn() -> None:
    """A repeated PLAY gets it again."""
    match = in_turn_one(ROCK, answer="( mark  2 2 )")

    assert match.answer == "(mark 2 2)"
    assert match.answers == {0: "rock", 1: "(mark 2 2)"}


def test_a_new_turn_has_no_answer_yet() -> None:
    """The old one belongs to the turn before."""
    match = in_turn_one(ROCK, answer="rock")

    match.ask(ROCK, deadline=15.0)

    assert match.turn == 2
    assert match.answer is None


def test_a_step_taken_back_was_never_made() -> None:
    """It turned out not to be readable."""
    match = in_turn_one(ROCK, answer=None)

    match.take_back(ROCK)

    assert match.turn == 0
    assert match.answer == "rock"
    assert match.arrival(ROCK, 9.0) is Arrival.NEXT


def test_a_step_is_taken_back_from_under_the_next_one() -> None:
    """Another PLAY may come before it is known that the first cannot be read."""
    match = in_turn_one(ROCK, answer=None)
    good = JointMove(("paper", "paper"))
    match.ask(good, deadline=15.0)

    match.take_back(ROCK)

    assert match.history == [good]


def test_a_silent_match_is_orphaned_after_its_grace() -> None:
    """A manager that dies sends no STOP."""
    match = in_turn_one(ROCK, answer="rock")

    assert not match.is_orphaned(now=39.0, grace_seconds=30.0)
    assert match.is_orphaned(now=40.5, grace_seconds=30.0)

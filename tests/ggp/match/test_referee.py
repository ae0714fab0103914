"""A match from its first message to its last, and what ends it before."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ggp import games
from ggp.match.errors import MatchError, MoveLimitError
from ggp.match.events import Answered, Asked, Began, Ended, Event, Moved
from ggp.match.referee import Referee
from tests.fakes.clock import fake_clock
from tests.fakes.seats import LATE, ScriptedSeat
from tests.ggp.match.countdown import play, setup

__all__ = ["fake_clock"]

pytestmark = pytest.mark.usefixtures("fake_clock")

CHANCE = """
(role me) (role random) (init (count 1))
(legal me go) (legal random (roll 1)) (legal random (roll 2)) (legal random (roll 3))
(<= (next (rolled ?n)) (does random (roll ?n)))
(<= terminal (true (rolled ?n)))
(goal me 50)
"""
STUCK = """
(role left) (role right) (init (count 1))
(legal left go) (<= (legal right go) (true (count 1)))
(next (count 0)) (<= terminal (true (count 9))) (goal left 0) (goal right 0)
"""
GOALLESS = (
    "(role me) (init a) (legal me go) (next b) (<= terminal (true b)) (<= (goal me 1) (true a))"
)


async def test_a_match_is_started_played_and_stopped() -> None:
    """Each player gets START, then PLAY and STOP with the joint move made last."""
    left, right = ScriptedSeat("(bar 1)", "Foo"), ScriptedSeat("noop")

    record = await play(left, right)

    assert left.messages[1:] == [
        ("play", None),
        ("play", ("(bar 1)", "noop")),
        ("stop", ("Foo", "noop")),
    ]
    assert right.words == ["start", "play", "play", "stop"]
    assert record.goals == (70, 30)
    assert record.is_completed
    assert not record.is_aborted


async def test_states_moves_and_errors_have_a_row_for_each_turn() -> None:
    """Two turns: three states, two joint moves, three rows of errors."""
    record = await play(ScriptedSeat("Foo"), ScriptedSeat("noop"))

    assert record.states == (("(count 2)",), ("(count 1)",), ("(count 0)",))
    assert record.moves == (("Foo", "noop"), ("Foo", "noop"))
    assert record.errors == (("", ""), ("", ""), ("", ""))
    assert len(record.state_times) == 3


async def test_chance_is_played_by_the_referee() -> None:
    """The role `random` has no seat; its moves vary with the seed and are told to the others."""
    seats = [ScriptedSeat("go") for _ in range(12)]

    records = [await play(seat, rules=CHANCE, seed=seed) for seed, seat in enumerate(seats)]

    assert {record.moves[0][1] for record in records} == {"(roll 1)", "(roll 2)", "(roll 3)"}
    assert seats[0].messages[-1] == ("stop", records[0].moves[0])
    assert records[0].player_names == ("scripted", "random")
    assert records[0].goals == (50, 0)


@pytest.mark.parametrize(
    ("rules", "names"), [(STUCK, ["left", "right"]), (GOALLESS, ["me"])], ids=["stuck", "goalless"]
)
async def test_rules_without_a_legal_move_or_goal_abort_the_match(
    rules: str, names: list[str]
) -> None:
    """The error names the role, and no player is left waiting."""
    seats = [ScriptedSeat("go") for _ in names]
    referee = Referee(setup(rules), seats)

    with pytest.raises(MatchError, match=f"role {names[-1]} no (legal move|goal value)"):
        await referee.run()

    assert [seat.words[-1] for seat in seats] == ["abort"] * len(seats)
    assert referee.record.is_aborted
    assert referee.record.goals is None


async def test_rules_that_never_end_end_at_the_longest_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also if nobody has set a limit."""
    monkeypatch.setattr("ggp.match.referee.MAX_TURNS", 1)
    referee = Referee(setup(), [ScriptedSeat("Foo"), ScriptedSeat("noop")])

    with pytest.raises(MoveLimitError, match=r"the limit of 1 move$"):
        await referee.run()


async def test_the_move_limit_aborts_the_match() -> None:
    """After so many moves nobody is asked any more."""
    left = ScriptedSeat("Foo")
    referee = Referee(replace(setup(), move_limit=1), [left, ScriptedSeat("noop")])

    with pytest.raises(MoveLimitError):
        await referee.run()

    assert left.words == ["start", "play", "abort"]
    assert len(referee.record.moves) == 1


async def test_a_seat_with_a_bug_ends_the_match_for_all() -> None:
    """An error nobody foresaw is not hidden, but the other player is told."""
    right = ScriptedSeat(LATE)

    with pytest.raises(ZeroDivisionError):
        await play(ScriptedSeat("!bug"), right)

    assert right.words == ["start", "play", "abort"]


async def test_events_tell_the_whole_match() -> None:
    """Began, a question and an answer a turn, ended."""
    events: list[Event] = []
    seats = [ScriptedSeat("Foo", "bad"), ScriptedSeat("noop")]

    record = await Referee(setup(), seats, events.append).run()

    answers = [Answered, Answered]
    turn = [Asked, *answers, Moved]
    assert [type(event) for event in events] == [Began, *turn, *turn, Ended]
    assert events[1] == Asked(1, ("left",))
    moved, ended = events[8], events[9]
    assert isinstance(moved, Moved)
    assert [(one.role, one.error, one.num_legal) for one in moved.replies] == [
        ("left", "IL bad", 2),
        ("right", "", 1),
    ]
    assert moved.replies[0].search_info == {"value": 50}
    assert ended == Ended(record)


def test_the_number_of_seats_must_fit_the_roles() -> None:
    """One seat for two roles is an error before anything is sent."""
    with pytest.raises(MatchError, match="expected 2 players, got 1"):
        Referee(setup(), [ScriptedSeat()])


async def test_a_bundled_game_is_played_to_its_end() -> None:
    """The winner of a forced line of ticTacToe has 100."""
    rules = games.text("ticTacToe")
    x = ScriptedSeat("(mark 1 1)", "noop", "(mark 1 2)", "noop", "(mark 1 3)")
    o = ScriptedSeat("noop", "(mark 2 1)", "noop", "(mark 2 2)", "noop")

    record = await play(x, o, rules=rules)

    assert record.goals == (100, 0)
    assert not any(map(any, record.errors))

"""A match that is broken off, rests and goes on, or goes back."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

import gdl
from ggp.match.errors import AdjournedError, MatchError, ShortageError
from ggp.match.events import Asked, Event
from ggp.match.referee import Referee
from ggp.match.rulebook import MachineRulebook
from ggp.match.seat import Answer, Invitation, TurnReport
from tests.fakes.clock import fake_clock
from tests.fakes.seats import AWAY, LATE, SHORT, PatientScriptedSeat, ScriptedSeat
from tests.ggp.match.countdown import play, setup

__all__ = ["fake_clock"]

pytestmark = pytest.mark.usefixtures("fake_clock")

SECRET = """
(role left) (role right) (init (count 2)) (succ 1 2) (succ 0 1)
(legal left noop) (legal right (hide 1)) (legal right (hide 2))
(<= (sees left (seen ?n)) (does right (hide ?n)))
(<= (next (count ?m)) (true (count ?n)) (succ ?m ?n))
(<= terminal (true (count 0)))
(goal left 70) (goal right 30)
"""


async def test_an_interrupted_match_is_aborted() -> None:
    """Cancelling, as Ctrl-C does, sends ABORT in the middle of a PLAY."""
    seats = [ScriptedSeat(LATE), ScriptedSeat(LATE)]
    asked = asyncio.Event()
    patient = replace(setup(), grace_seconds=1000.0)

    def notice(event: Event) -> None:
        if isinstance(event, Asked):
            asked.set()

    referee = Referee(patient, seats, notice)
    match = asyncio.create_task(referee.run())
    await asked.wait()

    match.cancel()
    with pytest.raises(asyncio.CancelledError):
        await match

    assert [seat.words[-1] for seat in seats] == ["abort", "abort"]
    assert referee.record.is_aborted


async def test_a_match_that_rests_is_not_broken_off() -> None:
    """A long absence, say, ends it for nobody: the others are not told of an end."""
    away, other = ScriptedSeat("(bar 1)", AWAY), ScriptedSeat("noop")
    referee = Referee(setup(), [away, other])

    with pytest.raises(AdjournedError):
        await referee.run()

    assert away.words == other.words == ["start", "play", "play", "adjourn"]
    assert not referee.record.is_aborted


@pytest.mark.parametrize("start", ["ready", SHORT])
async def test_a_match_rests_if_a_player_could_not_even_be_asked(start: str) -> None:
    """Nobody is blamed for what this process lacks; the others' answers are waited for."""
    unasked, other = ScriptedSeat("(bar 1)", SHORT, start=start), ThinkingSeat("noop")
    referee = Referee(setup(), [unasked, other])

    with pytest.raises(ShortageError, match="this machine has run short"):
        await referee.run()

    assert unasked.words[-1] == other.words[-1] == "adjourn"
    assert other.num_answers == other.words.count("play")
    assert {error for turn in referee.record.errors for error in turn} <= {""}


async def test_a_match_that_is_cancelled_for_a_while_rests() -> None:
    """As when a manager stops that will go on with it."""
    seats = [ScriptedSeat(LATE), ScriptedSeat(LATE)]
    asked = asyncio.Event()
    agreed = replace(setup(), grace_seconds=1000.0, will_go_on=lambda: True)
    match = asyncio.create_task(
        Referee(
            agreed, seats, lambda event: asked.set() if isinstance(event, Asked) else None
        ).run()
    )
    await asked.wait()

    match.cancel()
    with pytest.raises(asyncio.CancelledError):
        await match

    assert [seat.words[-1] for seat in seats] == ["adjourn", "adjourn"]


async def test_what_a_role_saw_is_known_after_a_pause() -> None:
    """A match with secrets goes on with the percepts of its last turn, and of all before."""
    left, right = TellingSeat("noop"), TellingSeat("(hide 1)", "(hide 2)")
    agreed = replace(setup(SECRET), rulebook=secret_book())
    whole = await Referee(agreed, [left, right]).run()
    begun = replace(
        whole,
        states=whole.states[:2],
        moves=whole.moves[:1],
        errors=whole.errors[:2],
        state_times=whole.state_times[:2],
        is_completed=False,
        goals=None,
    )

    later = TellingSeat("noop")
    await Referee(agreed, [later, ScriptedSeat("(hide 2)")], record=begun).run()

    assert [report.percepts for report in left.heard] == [None, ("(seen 1)",), ("(seen 2)",)]
    assert later.heard == left.heard[1:]
    assert [report.percepts for report in later.remembered] == [("(seen 1)",)]
    assert [report.own_move for report in later.remembered] == ["noop"]


async def test_a_player_may_take_moves_back() -> None:
    """All go back; the match goes on as it was, and the record has only what counts."""
    left, right = PatientScriptedSeat("(bar 1)", "<0", "Foo"), PatientScriptedSeat("noop")

    record = await play(left, right)

    assert left.messages[1:] == [
        ("play", None),
        ("play", ("(bar 1)", "noop")),
        ("go back", 0),
        ("play", None),
        ("play", ("Foo", "noop")),
        ("stop", ("Foo", "noop")),
    ]
    assert ("go back", 0) in right.messages
    assert record.moves == (("Foo", "noop"), ("Foo", "noop"))
    assert record.states == (("(count 2)",), ("(count 1)",), ("(count 0)",))
    assert [len(record.state_times), len(record.errors)] == [3, 3]


async def test_a_seat_that_cannot_go_back_ends_the_match() -> None:
    """A player elsewhere has no message for it."""
    with pytest.raises(MatchError, match="scripted cannot take moves back"):
        await play(PatientScriptedSeat("(bar 1)", "<0"), ScriptedSeat("noop"))


class ThinkingSeat(ScriptedSeat):
    """Does not answer at once, and counts its answers."""

    num_answers = 0

    async def play(self, report: TurnReport) -> Answer:
        """The next answer of the script, after a while."""
        await asyncio.sleep(0.01)
        answer = await super().play(report)
        self.num_answers += 1
        return answer


class TellingSeat(ScriptedSeat):
    """Keeps what it is told of each turn."""

    def __init__(self, *answers: str) -> None:
        super().__init__(*answers)
        self.heard: list[TurnReport] = []
        self.remembered: Sequence[TurnReport] = ()

    async def resume(self, invitation: Invitation, history: Sequence[TurnReport]) -> None:
        """Keep it."""
        self.remembered = history

    async def play(self, report: TurnReport) -> Answer:
        """Keep it, and answer."""
        self.heard.append(report)
        return await super().play(report)

    async def stop(self, report: TurnReport) -> None:
        """Keep it."""
        self.heard.append(report)


def secret_book() -> MachineRulebook:
    """Of the game in which one role hides what the other sees."""
    return MachineRulebook(gdl.load(gdl.read_kif(SECRET), "interpreter"), has_percepts=True)

"""What a process owes, and since when."""

from __future__ import annotations

import math

import pytest

from ggp import clock
from ggp.engine import EngineConfig, EnginePosition
from ggp.engine.pending_request import PendingWork
from ggp.engine.wire import Begin, Begun, Done, Failed, Follow, MovedReply, SearchCommand

POSITION = EnginePosition(0, ("a",), 1, True, False)
LATER = clock.now() + 1000


def search(request: int) -> SearchCommand:
    """A command that leaves the player a long time."""
    return SearchCommand(request, 0, (), LATER)


def test_a_process_owes_nothing_until_it_is_asked() -> None:
    """It may sleep meanwhile."""
    pending_work = PendingWork()
    before = pending_work.since

    pending_work.asked(search(1))

    assert before == math.inf
    assert pending_work.since <= clock.now()


def test_a_player_may_search_until_its_moment() -> None:
    """Nothing is owed before that."""
    pending_work = PendingWork()
    pending_work.asked(search(1))
    pending_work.heard(Begun(1))
    was_at_rules = pending_work.is_at_rules

    pending_work.heard(MovedReply(1, POSITION))

    assert was_at_rules
    assert not pending_work.is_at_rules
    assert pending_work.since == LATER


@pytest.mark.parametrize("end", [Done(1), Failed(1, "moves", "expected a move")])
def test_a_command_carried_out_leaves_nothing_owed(end: Done | Failed) -> None:
    """Nor does one that cannot be."""
    pending_work = PendingWork()
    pending_work.asked(Follow(1, 0, (), is_last=False))
    pending_work.heard(Begun(1))

    pending_work.heard(end)

    assert pending_work.since == math.inf


def test_commands_that_are_not_taken_up_are_owed_since_the_first() -> None:
    """Who asks again and again waits no shorter."""
    pending_work = PendingWork()
    pending_work.asked(search(1))
    first = pending_work.since

    pending_work.asked(search(2))

    assert pending_work.since == first


def test_an_answer_to_an_older_command_leaves_the_newer_one_owed() -> None:
    """From then on, for the process has come back."""
    pending_work = PendingWork()
    pending_work.asked(search(1))
    pending_work.heard(Begun(1))
    pending_work.heard(MovedReply(1, POSITION))
    pending_work.asked(search(2))
    asked = pending_work.since

    pending_work.heard(Done(1))

    assert asked <= pending_work.since <= clock.now()


def test_a_match_may_take_its_time_to_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reading of rules says nothing of how long a turn takes."""
    moments = iter([0.0, 1.0, 21.0, 30.0, 31.0, 36.0])
    monkeypatch.setattr(clock, "now", lambda: next(moments))
    pending_work = PendingWork()
    pending_work.asked(Begin(1, "", None, "me", EngineConfig(), 0.0))
    pending_work.heard(Begun(1))
    pending_work.heard(Done(1))
    reading = pending_work.slowest_seconds
    pending_work.asked(Follow(2, 0, (), is_last=False))
    pending_work.heard(Begun(2))

    pending_work.heard(MovedReply(2, POSITION))

    assert reading == 1.0
    assert pending_work.slowest_seconds == 5.0

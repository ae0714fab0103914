"""Deadlines at which a player rests while something else needs the core."""

from __future__ import annotations

import math
import threading
import time

from ggp.engine.worker.giving_way import REST, GivingWay


def worked(seconds: float) -> float:
    """Compute for so long; how long it was."""
    begun = time.monotonic()
    while time.monotonic() < begun + seconds:
        pass
    return time.monotonic() - begun


def test_who_works_rests_for_longer() -> None:
    """A look at the deadline returns when two thirds of the time were left to others."""
    deadline = GivingWay(math.inf, lambda: True)
    seconds = worked(0.05)
    begun = time.monotonic()

    assert not deadline.is_over()

    assert time.monotonic() - begun >= REST * seconds


def test_the_rest_ends_with_its_cause() -> None:
    """It is asked again while the player rests."""
    answers = iter([True, False])
    deadline = GivingWay(math.inf, lambda: next(answers))
    worked(0.05)

    assert not deadline.is_over()
    assert next(answers, None) is None


def test_no_rest_is_due_to_others() -> None:
    """Nobody asks for the core: the look takes no time."""
    asked: list[bool] = []

    def is_rest_due() -> bool:
        asked.append(True)
        return False

    deadline = GivingWay(math.inf, is_rest_due)
    worked(0.05)

    assert not deadline.is_over()
    assert asked == [True]


def test_a_deadline_that_is_brought_forward_ends_the_rest() -> None:
    """A command that comes is not kept waiting."""
    deadline = GivingWay(math.inf, lambda: True)
    deadline._awake_since = -math.inf  # as if it had worked since ever

    timer = threading.Timer(0.05, deadline.end)
    timer.start()

    assert deadline.is_over()
    timer.join()

"""Deadlines at which a player rests while something else needs the core."""

from __future__ import annotations

import math
import os
import threading
from functools import partial

import pytest

import gdl
from ggp import clock
from ggp.engine.worker import yielding
from ggp.engine.worker.compiled_game import GameCompilation
from ggp.engine.worker.yielding import NAP_SECONDS, REST, YieldingDeadline
from ggp.processes.machine import num_cores
from tests.ggp.engine.test_reasoner import LoadedKernels
from tests.waiting import PATIENCE

pytestmark = pytest.mark.usefixtures("kernels")


class HandClock:
    """A clock that passes only the time that is worked or slept."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> float:
        """Return the present moment."""
        return self.seconds

    def sleep(self, seconds: float) -> None:
        """Let `seconds` pass."""
        self.seconds += seconds

    work = sleep


@pytest.fixture
def hand_clock(monkeypatch: pytest.MonkeyPatch) -> HandClock:
    """Put a clock that only the test moves in the place of the real one."""
    found = HandClock()
    monkeypatch.setattr(clock, "now", found.now)
    monkeypatch.setattr(yielding, "time", found)
    return found


def test_who_works_rests_for_longer(hand_clock: HandClock) -> None:
    """A look at the deadline returns when two thirds of the time were left to others."""
    deadline = YieldingDeadline(math.inf, lambda: True)
    hand_clock.work(0.5)

    assert not deadline.is_over()

    rest = hand_clock.seconds - 0.5
    assert REST * 0.5 <= rest < REST * 0.5 + NAP_SECONDS + 1e-6


def test_the_rest_ends_with_its_cause(hand_clock: HandClock) -> None:
    """The player asks again while it rests."""
    answers = iter([True, False])
    deadline = YieldingDeadline(math.inf, lambda: next(answers))
    hand_clock.work(0.5)

    assert not deadline.is_over()
    assert next(answers, None) is None
    assert hand_clock.seconds == 0.5 + NAP_SECONDS


def test_no_rest_is_due_to_others(hand_clock: HandClock) -> None:
    """The look takes no time if nobody asks for the core."""
    asked: list[bool] = []

    def is_rest_due() -> bool:
        asked.append(True)
        return False

    deadline = YieldingDeadline(math.inf, is_rest_due)
    hand_clock.work(0.5)

    assert not deadline.is_over()
    assert asked == [True]
    assert hand_clock.seconds == 0.5


def test_a_deadline_that_is_brought_forward_ends_the_rest() -> None:
    """A command that comes is not kept waiting."""
    deadline = YieldingDeadline(math.inf, lambda: True)
    deadline._awake_since = -math.inf  # as if it had worked since ever

    timer = threading.Timer(0.05, deadline.end)
    timer.start()

    assert deadline.is_over()
    timer.join()


def test_the_core_is_needed_until_the_faster_game_is_there() -> None:
    """As long as kernels are being compiled, and the game after them."""
    are_here, is_prepared = threading.Event(), threading.Event()
    kernels = LoadedKernels(are_here.wait, are_being_compiled=True)
    rules = "(role me) (init a) (legal me go) (next b) (goal me 50) (<= terminal (true b))"
    compilation = GameCompilation(partial(gdl.load, rules), kernels)
    compilation.call_when_over(is_prepared.set)

    compilation.start()
    needed = [compilation.needs_core]
    are_here.set()
    assert is_prepared.wait(PATIENCE)
    needed.append(compilation.needs_core)

    assert needed == [True, False]


def test_one_core_is_noticed() -> None:
    """It is what this process may use that counts, not what the machine has."""
    found: list[bool] = []

    def look() -> None:  # only this thread is bound to one core
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        found.append(num_cores() == 1)

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()

    assert found == [True]

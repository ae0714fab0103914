"""Deadlines at which a player rests while something else needs the core."""

from __future__ import annotations

import math
import os
import threading
import time
from functools import partial

import pytest

import gdl
from ggp.engine.worker.preparation import REST, GivingWay, Preparation
from ggp.processes.machine import num_cores
from tests.ggp.engine.test_reasoner import LoadedKernels

pytestmark = pytest.mark.usefixtures("kernels")


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


def test_the_core_is_needed_until_the_faster_game_is_there() -> None:
    """As long as kernels are being compiled, and the game after them."""
    are_here, is_prepared = threading.Event(), threading.Event()
    kernels = LoadedKernels(are_here.wait, are_being_compiled=True)
    rules = "(role me) (init a) (legal me go) (next b) (goal me 50) (<= terminal (true b))"
    preparation = Preparation(partial(gdl.load, rules), kernels)
    preparation.call_when_over(is_prepared.set)

    preparation.start()
    needed = [preparation.needs_core]
    are_here.set()
    assert is_prepared.wait(60)
    needed.append(preparation.needs_core)

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

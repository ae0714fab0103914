"""Loops and playouts stop when they are told to."""

from __future__ import annotations

import random
import time

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.search.core.playout import UNDECIDED, playout
from ggp.search.core.search import repeat
from tests.fakes.gametree import GameTreeMachine, Place, decision, terminal

pytestmark = pytest.mark.usefixtures("kernels")


class Counter:
    """A step that counts, and makes sense `useful` times."""

    def __init__(self, useful: int = 1000) -> None:
        self.count = 0
        self.useful = useful

    def step(self, deadline: Deadline) -> bool:
        """Count; False once there is nothing to gain."""
        if self.count == self.useful:
            return False
        self.count += 1
        return True


def circle() -> GameTreeMachine:
    """A game that never ends: its only place leads back to itself."""
    after: dict[tuple[str, ...], Place] = {}
    place = Place((30,), {"me": ("on", "off")}, after)
    after["on",] = after["off",] = place
    return GameTreeMachine(("me",), place)


def test_steps_are_taken_as_often_as_asked() -> None:
    """A number of rounds bounds the loop without a clock."""
    counter = Counter()

    done = repeat(counter.step, Deadline.never(), rounds=7)

    assert (done, counter.count) == (7, 7)


def test_steps_that_make_no_sense_end_the_loop() -> None:
    """The last, refused step is not counted."""
    counter = Counter(useful=3)

    assert repeat(counter.step, Deadline.never()) == 3


def test_one_step_is_taken_after_the_deadline() -> None:
    """Without any, a new search would make the first move, past a win in one."""
    counter = Counter()

    assert repeat(counter.step, Deadline.after(-1)) == 1


def test_reports_come_about_ten_times_a_second() -> None:
    """In a quarter of a second there are two after the first, or less on a busy machine."""
    reports: list[float] = []

    repeat(lambda _: True, Deadline.after(0.25), report=lambda: reports.append(time.monotonic()))

    assert 1 <= len(reports) <= 3


def test_a_playout_ends_with_the_goals_of_all_roles() -> None:
    """The one line there is, and its goals."""
    tree = decision("a", go=decision("b", go=terminal(70, 30)))
    machine = GameTreeMachine(("a", "b"), tree)

    result = playout(machine, tree, random.Random(1), Deadline.never())

    assert result is not None
    assert (result.goals, len(result.moves), result.is_complete) == ((70, 30), 2, True)


def test_a_game_without_end_counts_as_undecided_after_the_horizon() -> None:
    """Neither the goals on the way nor a win or loss are made of it."""
    machine = circle()

    result = playout(machine, machine.initial_state(), random.Random(1), Deadline.never(), 25)

    assert result is not None
    assert (result.goals, len(result.moves), result.is_complete) == ((UNDECIDED,), 25, False)


def test_a_playout_is_given_up_when_the_time_is_over() -> None:
    """A game without end and a horizon far away: the deadline ends it, with no result."""
    machine = circle()
    start = time.monotonic()

    result = playout(
        machine, machine.initial_state(), random.Random(1), Deadline.after(0.05), 10**9
    )

    assert result is None
    assert time.monotonic() - start < 30  # a safety net


def test_playouts_of_a_bundled_game_are_reproducible() -> None:
    """The same seed gives the same moves."""
    machine = gdl.load(gdl.read_kif(games.text("ticTacToe")))
    state = machine.initial_state()

    first, second = (playout(machine, state, random.Random(5), Deadline.never()) for _ in range(2))

    assert first == second

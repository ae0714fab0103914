"""The simulator: threads, machine code, and what they count together."""

from __future__ import annotations

from functools import cache

import gdl
from gdl.circuit.lanes.simulator import Simulator
from tests.shared import REPOSITORY


@cache
def simulator() -> Simulator:
    """That of ticTacToe."""
    loaded = gdl.load((REPOSITORY / "games" / "ticTacToe.kif").read_text(encoding="utf-8"))
    assert loaded.simulator is not None
    return loaded.simulator


def test_a_thread_that_comes_too_late_plays_all_the_same() -> None:
    """However short the time, there is something to count for each role."""
    result = simulator().playouts(seconds=0.0, threads=8)

    assert result.moves > 0
    assert len(result.goal_totals) == 2


def test_the_same_seed_gives_the_same_playouts() -> None:
    """For a number of steps, on any number of threads; another seed gives others."""
    first, again, other = (
        simulator().playouts(steps=50, threads=2, seed=seed) for seed in (1, 1, 2)
    )

    assert (first.count, first.goal_totals) == (again.count, again.goal_totals)
    assert first.goal_totals != other.goal_totals


def test_threads_count_together() -> None:
    """Two threads play more than each of them alone."""
    one, two = (simulator().playouts(steps=50, threads=threads) for threads in (1, 2))

    assert two.count > 1.5 * one.count


def test_gates_are_assembled_once() -> None:
    """All lanes run the same code."""
    assert simulator().code is simulator().code

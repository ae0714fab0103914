"""The player stops early enough for what comes after it, and no earlier."""

from __future__ import annotations

import pytest

from ggp.engine.worker.reserve import MIN_SHARE, NUM_TURNS, Reserve

MOST = 0.1


def test_a_new_process_does_not_trust_the_machine() -> None:
    """It may be short of cores."""
    assert Reserve(MOST).seconds(2.0) == MOST
    assert Reserve(MOST).seconds(0.2) < MOST / 2


def test_the_reserve_follows_the_delays_of_the_last_turns() -> None:
    """Twice the longest, between a share of the time and the most."""
    reserve = Reserve(MOST)
    for _ in range(NUM_TURNS):
        reserve.note(0.002)
    quiet = reserve.seconds(1.0)
    reserve.note(0.03)
    busy = reserve.seconds(1.0)
    for _ in range(NUM_TURNS):
        reserve.note(-0.1)

    assert quiet == pytest.approx(MIN_SHARE)
    assert busy == pytest.approx(0.06)
    assert reserve.seconds(1.0) == quiet
    assert reserve.seconds(60.0) == MOST

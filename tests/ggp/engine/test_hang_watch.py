"""A player that is late keeps its process; one that never returns is replaced.

The clock jumps and the processes are fakes; `tests/clocks/test_hang_watch.py` has real ones.
"""

from __future__ import annotations

import asyncio
import logging

import pytest

from ggp.clock import Deadline
from tests.ggp.engine.conftest import StartMatch

LONG = """
(role me) (init (step 0)) (legal me go) (legal me stay)
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) (<= terminal (true (step 30))) (goal me 100)
""" + " ".join(f"(succ {step} {step + 1})" for step in range(30))
"""A game of one role, long enough for every test."""


def replacements(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Logged reasons for which engines were replaced."""
    told = [each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING]
    return [
        line.partition(" hangs: ")[2]
        for line in told
        if "the engine failed and is replaced" in line
    ]


async def test_a_player_slower_than_its_clock_keeps_its_process(
    start_fake_match: StartMatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is late in ten turns, and chooses when it is given the time."""
    engine = await start_fake_match("Unhurried", rules=LONG, role="me", overrun_seconds=30.0)
    before = engine.pid

    await engine.play(None, Deadline.after(0.2))
    for _ in range(10):
        answer = await engine.play(["stay"], Deadline.after(0.2))
        assert answer.move in {"go", "stay"}
    last = await engine.play(["stay"], Deadline.after(60), Deadline.after(61))

    assert last.move in {"go", "stay"}
    assert (engine.pid, engine.num_replaced) == (before, 0)
    assert not replacements(caplog)


async def test_a_player_that_never_returns_is_replaced_after_a_while(
    start_fake_match: StartMatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It works, but on what nobody waits for any more."""
    engine = await start_fake_match("Deaf", rules=LONG, role="me", overrun_seconds=30.0)
    await engine.play(None, Deadline.after(10.0))

    await asyncio.sleep(60.0)

    assert "its player ignores the deadline" in replacements(caplog)[0]

"""A trace says how a turn went, and which step took too long."""

from __future__ import annotations

import pytest

from ggp.server.turn_trace import TurnTrace

GOOD = {"accepted": 0.0, "read": 0.01, "handled": 0.02, "asked": 0.03, "chosen": 8.9, "due": 9.0}


@pytest.mark.parametrize(
    ("moments", "replied", "slow"),
    [
        ({}, 8.91, ""),
        ({"chosen": 9.2}, 9.21, ""),  # within what is normal beyond its deadline
        ({"chosen": 9.4}, 9.41, "chosen"),
        ({"accepted": 1.3, "read": 1.31, "handled": 1.32, "asked": 1.33}, 8.91, "accepted"),
        ({"read": 0.5, "handled": 0.5, "asked": 1.5}, 8.91, "asked"),
        ({}, 9.6, "replied"),
        ({"asked": -5.0, "chosen": -1.0, "due": 0.0}, 0.05, ""),  # an answer that is there
    ],
)
def test_the_slowest_step_is_named(moments: dict[str, float], replied: float, slow: str) -> None:
    """If it took longer than it should."""
    trace = TurnTrace(50.0, **{step: 50.0 + at for step, at in (GOOD | moments).items()})

    assert trace.slow_step(50.0 + replied) == slow


def test_steps_are_told_in_seconds_since_the_message_came() -> None:
    """Those that were over before are at 0; what did not happen is left out."""
    trace = TurnTrace(50.0, accepted=49.0, read=50.25, asked=50.5)

    told = trace.fields(52.0)

    assert told == {"accepted": 0.0, "read": 0.25, "asked": 0.5, "replied": 2.0}

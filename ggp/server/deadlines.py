"""The deadline rule: how long before the end of the manager's clock an answer must leave."""

from __future__ import annotations

from ggp.clock import Deadline

SHORT_CLOCK_SHARE = 0.25  # the margin's share of a clock that is too short for the usual margin
BUSY_CLOCK_SHARE = 0.6  # the margin's maximum share of a clock, on an overloaded machine
LAGS = 2  # lag counts twice: until the request is read, and until the answer is written


def margin_of(margin: float, clock: float, lag: float = 0.0) -> float:
    """Return the margin for a clock: smaller if the clock is short, larger on a busy machine.

    Args:
        margin: The usual margin in seconds.
        lag: How late scheduled work runs in this process, in seconds.
    """
    usual = min(margin, SHORT_CLOCK_SHARE * clock)
    return max(usual, min(usual + LAGS * lag, BUSY_CLOCK_SHARE * clock))


def deadlines(arrived: float, clock: float, margin: float) -> tuple[Deadline, Deadline]:
    """Return two deadlines for an answer: one for a searched move, one for any legal move.

    Args:
        arrived: When the message arrived, as a time of `ggp.clock.now()`.
        margin: See `margin_of`.
    """
    return Deadline(arrived + clock - margin), Deadline(arrived + clock - margin / 2)

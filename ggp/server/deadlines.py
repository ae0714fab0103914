"""The deadline rule: how long before the end of the manager's clock an answer leaves."""

from __future__ import annotations

from ggp.clock import Deadline

SHORT_CLOCK_SHARE = 0.25  # of a clock too short for the whole margin
BUSY_CLOCK_SHARE = 0.6  # of a clock, at most, on a machine that is overloaded
LAGS = 2  # one until the request is read, one until the answer is written


def margin_of(margin: float, clock: float, lag: float = 0.0) -> float:
    """The margin for a clock: less than usual if that is very short, more on a busy machine.

    Args:
        margin: The usual one, in seconds.
        lag: How late this process gets to do what is due, in seconds.
    """
    usual = min(margin, SHORT_CLOCK_SHARE * clock)
    return max(usual, min(usual + LAGS * lag, BUSY_CLOCK_SHARE * clock))


def deadlines(arrived: float, clock: float, margin: float) -> tuple[Deadline, Deadline]:
    """The moments when an answer is due: one that was searched for, and any that is legal.

    Args:
        arrived: When the message came, on `ggp.clock.now()`.
        margin: See `margin_of`.
    """
    return Deadline(arrived + clock - margin), Deadline(arrived + clock - margin / 2)

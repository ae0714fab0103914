"""The deadline rule: how long before the end of the manager's clock an answer must leave."""

from __future__ import annotations

from ggp.clock import Deadline

USUAL_SHARE = 0.1  # the default margin's share of a clock
MIN_USUAL, MAX_USUAL = 0.15, 0.35  # limits of the default margin in seconds
SHORT_CLOCK_SHARE = 0.25  # the margin's maximum share of a clock
BUSY_CLOCK_SHARE = 0.6  # the margin's maximum share of a clock, on an overloaded machine
LAGS = 2  # lag counts twice: until the request is read, and until the answer is written
TRIPS = 2  # round trips in a manager's clock: to connect, and for the request and the answer


def margin_of(margin: float | None, clock: float, lag: float = 0.0) -> float:
    """Return the margin for a clock: smaller if the clock is short, larger on a busy machine.

    Args:
        margin: The margin in seconds. None stands for the default, a tenth of the clock within
            limits.
        lag: How late scheduled work runs in this process, in seconds.
    """
    if margin is None:
        margin = min(max(MIN_USUAL, USUAL_SHARE * clock), MAX_USUAL)
    usual = min(margin, SHORT_CLOCK_SHARE * clock)
    return max(usual, min(usual + LAGS * lag, BUSY_CLOCK_SHARE * clock))


def deadlines(arrived: float, clock: float, margin: float) -> tuple[Deadline, Deadline]:
    """Return two deadlines for an answer: one for a searched move, one for any legal move.

    Args:
        arrived: When the clock began to run, as a time of `ggp.clock.now()`.
        margin: See `margin_of`.
    """
    return Deadline(arrived + clock - margin), Deadline(arrived + clock - margin / 2)

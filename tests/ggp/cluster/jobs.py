"""Work for a cluster: functions that its machines import by name."""

from __future__ import annotations

import time

from ggp.errors import UnknownNameError, WrongUseError


def times(factor: int, number: int) -> int:
    """The product, not at once, and the larger the sooner."""
    time.sleep(0.02 * (number % 3))
    return factor * number


def wrong_at(limit: int, number: int) -> int:
    """The number, if it is below the limit.

    Raises:
        WrongUseError: It is the limit.
        UnknownNameError: It is above; an error that cannot be sent as it is.
    """
    if number == limit:
        raise WrongUseError(f"expected less than {limit}, got {number}")
    if number > limit:
        raise UnknownNameError("number", str(number), ["1"])
    return number


def asleep(seconds: float, number: int) -> int:
    """The number, after some time."""
    time.sleep(seconds)
    return number

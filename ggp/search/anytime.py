"""The loop that every search here runs in: one step after another until the time is over."""

from __future__ import annotations

import time
from collections.abc import Callable

from ggp.clock import Deadline

Step = Callable[[Deadline], bool]
"""One round of a search. Returns whether another one makes sense; looks at the deadline itself
wherever a round may take long, and then leaves no half-done round behind."""

REPORT_SECONDS = 0.1


def repeat(
    step: Step,
    deadline: Deadline,
    rounds: int | None = None,
    report: Callable[[], None] | None = None,
) -> int:
    """Take steps until the deadline, until they make no sense, or `rounds` times; returns how many.

    `report` is called about ten times a second, between two steps.
    """
    done = 0
    next_report = time.monotonic() + REPORT_SECONDS
    while (rounds is None or done < rounds) and not deadline.is_over():
        if not step(deadline):
            break
        done += 1
        if report is not None and time.monotonic() >= next_report:
            report()
            next_report = time.monotonic() + REPORT_SECONDS
    return done

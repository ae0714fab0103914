"""The interface of every search, and the loop that it runs in until the time is over."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Protocol

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Joint
from ggp.search.core.result import Effort, SearchResult

Step = Callable[[Deadline], bool]
"""One round of a search. Returns whether another one makes sense; looks at the deadline itself
wherever a round may take long, and then leaves no half-done round behind."""

REPORT_SECONDS = 0.1


class Search(Protocol):
    """A search that keeps what it has found from move to move."""

    @property
    def state(self) -> gdl.State:
        """The state from which it searches."""

    @property
    def is_decided(self) -> bool:
        """Whether more search cannot change the move."""

    @property
    def effort(self) -> Effort:
        """Work done since it began, and memory held."""

    def step(self, deadline: Deadline) -> bool:
        """One round; False if another one makes no sense."""

    def advance(self, moves: Joint, state: gdl.State) -> None:
        """Keep what is known below a joint move, which led to a state."""

    def result(self) -> SearchResult:
        """The best move so far; the state must not be terminal."""


def repeat(
    step: Step,
    deadline: Deadline,
    rounds: int | None = None,
    report: Callable[[], None] | None = None,
) -> int:
    """Take steps until the deadline, until they make no sense, or `rounds` times; returns how many.

    The first step is taken even if the time is over, so that a new search sees a win in one.

    `report` is called after the first one, and then about ten times a second, between two steps.
    """
    done = 0
    next_report = -math.inf
    while rounds is None or done < rounds:
        if not step(deadline):
            break
        done += 1
        if deadline.is_over():
            break
        if report is not None and time.monotonic() >= next_report:
            report()
            next_report = time.monotonic() + REPORT_SECONDS
    return done


SHORT, LONG = 0.002, 0.006  # seconds that should pass between two looks at the clock


def next_chunk(chunk: int, seconds: float, most: int) -> int:
    """How much to do before the next look at the clock, where `chunk` took so many seconds."""
    if seconds < SHORT:
        return min(2 * chunk, most)
    return max(chunk // 2, 1) if seconds > LONG else chunk


def search_until(search: Search, deadline: Deadline, rounds: int | None = None) -> SearchResult:
    """The result of a search after steps until the deadline, or after a number of rounds."""
    repeat(search.step, deadline, rounds)
    return search.result()

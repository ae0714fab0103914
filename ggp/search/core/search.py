"""The interface of every search, and the loop that runs it until the deadline."""

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
"""One step of a search. It returns whether another step can help. A step that may take long checks
the deadline itself, and stops without leaving a half-done step behind."""

REPORT_SECONDS = 0.1


class Search(Protocol):
    """A search that keeps its findings from move to move."""

    @property
    def state(self) -> gdl.State:
        """The state at the root."""

    @property
    def is_decided(self) -> bool:
        """Whether searching longer cannot change the move."""

    @property
    def effort(self) -> Effort:
        """The work done since the search started, and the memory held."""

    def step(self, deadline: Deadline) -> bool:
        """Take one step. Return False if another step would not help."""

    def advance(self, moves: Joint, state: gdl.State) -> None:
        """Move the root to `state`, to which the joint move `moves` led, and keep what is known."""

    def result(self) -> SearchResult:
        """Return the best move so far. The state must not be terminal."""


def repeat(
    step: Step,
    deadline: Deadline,
    rounds: int | None = None,
    report: Callable[[], None] | None = None,
) -> int:
    """Take steps until the deadline, until `rounds` steps are done, or until `step` returns False.

    Return how many steps were taken. The first step is taken even if the time is over, so that a
    new search sees a win in one move.

    Call `report` between steps: after the first one, and then about ten times a second.
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


SHORT, LONG = 0.002, 0.006  # seconds that should pass between two checks of the clock


def next_chunk(chunk: int, seconds: float, most: int) -> int:
    """Return how much to do before the next check of the clock, after `chunk` took `seconds`."""
    if seconds < SHORT:
        return min(2 * chunk, most)
    return max(chunk // 2, 1) if seconds > LONG else chunk


def search_until(search: Search, deadline: Deadline, rounds: int | None = None) -> SearchResult:
    """Search until the deadline or for `rounds` steps, and return the result."""
    repeat(search.step, deadline, rounds)
    return search.result()

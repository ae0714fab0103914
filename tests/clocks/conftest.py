"""Tests for which real time is the point: real processes that hang, die or are late.

At most 40 of them. They follow each other in one process (`tests/scheduling.py`), and each holds on
a machine with four other busy processes: no bound on time is below `PATIENCE_SECONDS`.
"""

from __future__ import annotations

from tests.fakes.clock import fake_clock
from tests.ggp.conftest import forkers, own_processes, ready_forkers
from tests.ggp.engine.conftest import fakes, pool, start_fake_match, start_match

__all__ = [
    "fake_clock",
    "fakes",
    "forkers",
    "own_processes",
    "pool",
    "ready_forkers",
    "start_fake_match",
    "start_match",
]

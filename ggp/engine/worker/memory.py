"""Memory limits of this process."""

from __future__ import annotations

import gc
import resource
from typing import Final

from ggp.processes.machine import used_bytes

COLLECTOR_THRESHOLDS: Final = (50_000, 50, 1_000)
"""Thresholds for `gc.set_threshold`: allocations between collections of young objects, and
collections between those of older objects.
"""


def bound_memory(num_bytes: int) -> None:
    """Make allocations that exceed this address space raise MemoryError. 0 means no limit."""
    if num_bytes <= 0:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    soft = num_bytes if hard == resource.RLIM_INFINITY else min(num_bytes, hard)
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def tidy(bound_bytes: int) -> None:
    """Free the states and trees of past turns if more than half of the limit is used.

    A full collection of a large tree takes up to a second. Below half of the limit, the collector's
    own schedule is enough.
    """
    if bound_bytes and used_bytes() > bound_bytes // 2:
        gc.collect()

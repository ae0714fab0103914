"""The memory that this process may take."""

from __future__ import annotations

import gc
import resource
from typing import Final

from ggp.processes.machine import used_bytes

COLLECTOR_THRESHOLDS: Final = (50_000, 50, 1_000)
"""Objects between looks at the young ones, and how many such looks until older ones are seen."""


def bound_memory(num_bytes: int) -> None:
    """Let allocations beyond this address space fail with MemoryError; 0 for no bound."""
    if num_bytes <= 0:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    soft = num_bytes if hard == resource.RLIM_INFINITY else min(num_bytes, hard)
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def tidy(bound_bytes: int) -> None:
    """Free the states and trees of past turns if more than half of the bound is taken.

    A full collection costs up to a second in a large tree; below that the collector's own
    rhythm does.
    """
    if bound_bytes and used_bytes() > bound_bytes // 2:
        gc.collect()

"""The bounded memory of a process, and how much of it a search may hold.

The interpreter, the kernels and the game take a part of it that nobody can know before; what is
left then is for the search and, as it grows, for all that surrounds it.
"""

from __future__ import annotations

import resource
from pathlib import Path
from typing import Final

SHARE: Final = 0.5
"""Of the room that is left, for what a search holds; the rest is for the states that Python makes,
for the stacks of threads and for what the allocator cannot use."""
_SIZE: Final = Path("/proc/self/statm")


def fitting(num: int, num_bytes: int = 1) -> int:
    """As many things as were asked for, or as there is room for; at least one.

    Args:
        num: How many there shall be.
        num_bytes: What one takes.
    """
    left = room()
    return num if left is None else max(1, min(num, int(SHARE * left) // num_bytes))


def room() -> int | None:
    """Bytes of address space that this process may still take; None if that is not bounded."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return None
    try:
        pages = int(_SIZE.read_text().split()[0])
    except OSError:  # the system does not tell
        return None
    return max(0, limit - pages * resource.getpagesize())

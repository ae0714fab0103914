"""File descriptors: raise the limit of this process, and reserve some for its own work.

A process without free descriptors cannot reach the players of its matches, start a player or store
a turn. So clients get only the descriptors that matches and other work do not need.
"""

from __future__ import annotations

import resource
from typing import Final

MOST: Final = 1 << 20
"""Upper bound for systems without a limit. No process needs this many."""
BACKLOG: Final = 1024
"""Number of clients that may connect at the same moment without being refused."""
MIN_SHARE: Final = 4
"""Clients get at least one in this many descriptors, even if too few are left for other work."""


def raise_limit() -> int:
    """Raise the limit on descriptors as far as the system allows, up to `MOST`. Return it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST if hard == resource.RLIM_INFINITY else min(hard, MOST)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return limit()


def limit() -> int:
    """Return the current limit on the descriptors of this process."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if soft == resource.RLIM_INFINITY else min(soft, MOST)


def for_clients(wanted: int, kept_back: int) -> int:
    """Return how many simultaneous connections clients may have, at most `wanted`.

    Args:
        kept_back: Number of descriptors to reserve for other work.
    """
    now = limit()
    return max(0, min(wanted, max(now - kept_back - backlog(), now // MIN_SHARE)))


def backlog() -> int:
    """Return how many connections may wait until this process accepts them.

    The event loop accepts all of them, with a descriptor for each, before it handles the first one.
    """
    return max(1, min(BACKLOG, limit() // (2 * MIN_SHARE)))

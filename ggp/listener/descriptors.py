"""File descriptors: as many as this process may have, and some of them kept back.

A process that has none left cannot reach the players of its matches, nor start any, nor write down
a turn. So clients get what matches and the rest do not need.
"""

from __future__ import annotations

import resource
from typing import Final

MOST: Final = 1 << 20
"""More than anybody needs; some systems have no limit at all."""
BACKLOG: Final = 1024
"""Clients that come at the same moment: nobody has to knock twice."""
LEAST_SHARE: Final = 4
"""Clients get this part of all, one in so many, however little that leaves to others."""


def raise_limit() -> int:
    """Let this process have as many as it may decide itself; how many that are."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST if hard == resource.RLIM_INFINITY else min(hard, MOST)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return limit()


def limit() -> int:
    """The number that this process may have now."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if soft == resource.RLIM_INFINITY else min(soft, MOST)


def for_clients(wanted: int, kept_back: int) -> int:
    """The number of connections there can be at once.

    Args:
        kept_back: Files that are needed beside them.
    """
    now = limit()
    return max(0, min(wanted, max(now - kept_back - backlog(), now // LEAST_SHARE)))


def backlog() -> int:
    """The number of clients that may wait to be let in.

    The event loop opens a file for each of them before it looks at the first.
    """
    return max(1, min(BACKLOG, limit() // (2 * LEAST_SHARE)))

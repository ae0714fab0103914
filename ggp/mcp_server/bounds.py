"""Limits on what all clients together may use, and on what a single call may request."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

MAX_RULES_BYTES: Final = 1_000_000
MAX_TRACE_BYTES: Final = 4_000_000
MAX_TURNS: Final = 2_000
MAX_NODES: Final = 5_000_000
"""Maximum number of joint moves of `perft`, and of states of `solve`."""
MAX_SECONDS: Final = 300.0
"""Maximum duration of a search."""
MAX_ROUNDS: Final = 1_000_000
MAX_PAGE: Final = 1_000
"""Maximum number of legal moves in one answer."""
MAX_FACTS: Final = 2_000
MAX_MOVE: Final = 1_000
"""Maximum number of characters of a move as a client writes it."""


@dataclass(frozen=True, slots=True)
class ServerBounds:
    """Limits of a server. Times are in seconds."""

    max_matches: int = 500
    max_rules: int = 100
    """Maximum number of rulesheets that clients have loaded."""
    max_match_bytes: int = 8 << 20
    """Maximum total size of all states of a match."""
    num_sandboxes: int = max(2, os.cpu_count() or 1)
    """Number of processes that read rules."""
    patience_seconds: float = 30.0
    """How long a call waits for one of these processes before it fails because all are busy."""
    num_beliefs: int = 6
    """Number of processes that compute the beliefs of roles."""
    num_searches: int = max(1, os.cpu_count() or 1)
    """Number of processes that search."""
    max_waiting: int = 32
    """Maximum number of searches that wait for a process."""
    idle_seconds: float = 1800.0
    """Discard a match or rules that have not been used for this time."""
    search_idle_seconds: float = 60.0
    """End a search or belief process that has not been used for this time."""
    spare_seconds: float = 60.0
    """A match that was used within this time is not evicted for a new one."""

"""Limits of what all clients together may take up, and of what one call may ask for."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

MAX_RULES_BYTES: Final = 1_000_000
MAX_TRACE_BYTES: Final = 4_000_000
MAX_TURNS: Final = 2_000
MAX_NODES: Final = 5_000_000
"""Joint moves of `perft`, and states of `solve`."""
MAX_SECONDS: Final = 300.0
"""Of a search."""
MAX_ROUNDS: Final = 1_000_000
MAX_PAGE: Final = 1_000
"""Legal moves in one answer."""
MAX_FACTS: Final = 2_000
MAX_MOVE: Final = 1_000
"""Characters of a move as a client writes it."""


@dataclass(frozen=True, slots=True)
class ServerBounds:
    """Limits of a server. Times are seconds."""

    max_matches: int = 500
    max_rules: int = 100
    """Rulesheets that clients have loaded."""
    max_match_bytes: int = 8 << 20
    """Of all states of a match."""
    num_sandboxes: int = max(2, os.cpu_count() or 1)
    """Processes that read rules."""
    patience_seconds: float = 30.0
    """After which who waits for one of these is told that all are busy."""
    num_beliefs: int = 6
    """Processes that work out what roles know of what is hidden from them."""
    num_searches: int = max(1, os.cpu_count() or 1)
    """Processes that search."""
    max_waiting: int = 32
    """Searches that wait for a process."""
    idle_seconds: float = 1800.0
    """After which what nobody has used is forgotten: a match, rules."""
    search_idle_seconds: float = 60.0
    """After which a process is ended that searches for nobody, or follows a match for nobody."""
    spare_seconds: float = 60.0
    """Matches that were used later give no place to others."""

"""How the search on lanes is done."""

from __future__ import annotations

from dataclasses import dataclass

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class LaneSettings:
    """Settings of a search on lanes."""

    c: float = 0.7
    """Weight of exploration, for goals scaled to 0..1."""
    memory: int = 1024 * MEBIBYTE
    """Bytes of the tree; when it is full, what was looked at least is forgotten."""
    horizon: int = 500
    """Longest playout, in moves; a longer one counts as undecided (50)."""


DEFAULTS = LaneSettings()

"""The reserve: how long before the engine's deadline the player must choose."""

from __future__ import annotations

from collections import deque
from typing import Final

MIN_SHARE: Final = 0.04
MAX_SHARE: Final = 0.2
NUM_TURNS: Final = 4
"""How many turns a delay counts. So many turns pass before a new process trusts the machine."""
SAFETY: Final = 2


class Reserve:
    """The time between the player's deadline and the engine's. It depends on recent delays.

    A player misses its deadline if its process waits for a core, or if a step of its search takes
    long. If it misses the engine's deadline too, its last report is sent instead of its choice. So
    the reserve is short only after some turns without such delays.
    """

    def __init__(self, most: float) -> None:
        """Create a reserve of at most `most` seconds. At first it is that long, if time allows."""
        self._most = most
        self._delays = deque([most / SAFETY], maxlen=NUM_TURNS)

    def seconds(self, remaining: float) -> float:
        """Return the reserve if `remaining` seconds are left until the engine's deadline."""
        wanted = max(MIN_SHARE * remaining, SAFETY * max(self._delays))
        return min(wanted, MAX_SHARE * remaining, self._most)

    def note(self, delay: float) -> None:
        """Record that the player returned `delay` seconds after its deadline."""
        self._delays.append(max(0.0, delay))

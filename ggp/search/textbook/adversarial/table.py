"""The transposition table: what was found out about a state is not found out again.

Greenblatt et al., The Greenblatt chess program, 1967. An entry holds the value that a search to a
depth found, and whether it is exact or a bound, because alpha-beta did not need it exactly.

An entry answers in two cases, and in both exactly what minimax at that depth would say:

- the depth left is the entry's: the value counts, as far as it is exact or on the right side;
- the depth left is at least the entry's: what the entry has *proven* counts. A bound that rests on
  ends of the game cannot change with more depth. (A deeper value that rests on evaluations is
  better than a shallower one, but it is another value; so it orders moves and answers nothing.)

Depths are counted from the state, not from the root, and the games' states hold all that matters,
so neither the way to a state nor a cycle through it makes a difference.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

import gdl
from ggp.search.core.choices import Joint
from ggp.search.textbook.adversarial.bounded_value import BoundedValue

MAX_ENTRIES = 1 << 18
"""Default bound of entries: about 130 MB where states are small."""


class Flag(Enum):
    """Relation of an entry's value to the minimax value at its depth."""

    EXACT = "is the value"
    LOWER = "the value is at least this: the search was cut off above"
    UPPER = "the value is at most this: nothing reached alpha"


class TableEntry(NamedTuple):
    """The knowledge of a state that the table keeps."""

    depth: int  # plies that were looked ahead
    flag: Flag
    outlook: BoundedValue


class TranspositionTable:
    """Entries by state, for one searching role.

    They are kept in two generations. When the young one holds half of what the table may, it
    becomes the old one, and the old one goes; what is stored again is young again.
    """

    def __init__(self, max_entries: int = MAX_ENTRIES) -> None:
        """A table of at most so many entries, and at least two."""
        self._max_young = max(1, max_entries // 2)
        self._young: dict[gdl.State, TableEntry] = {}
        self._old: dict[gdl.State, TableEntry] = {}

    def __len__(self) -> int:
        """Number of entries; a state that is in both generations counts twice."""
        return len(self._young) + len(self._old)

    def probe(self, state: gdl.State, depth: int, alpha: float, beta: float) -> BoundedValue | None:
        """An outlook that makes looking superfluous in this window; None if there is none."""
        entry = self._entry(state)
        if entry is None or depth < entry.depth:
            return None
        if depth == entry.depth and _settles(entry.flag, entry.outlook.value, alpha, beta):
            return entry.outlook
        return _proven(entry.outlook, alpha, beta)

    def best_joint(self, state: gdl.State) -> Joint | None:
        """The joint move that was best in this state, if it is known."""
        entry = self._entry(state)
        return entry.outlook.line[0] if entry is not None and entry.outlook.line else None

    def store(
        self, state: gdl.State, depth: int, outlook: BoundedValue, alpha: float, beta: float
    ) -> None:
        """Keep what a search in this window found; it takes the place of what was known."""
        flag = Flag.EXACT
        if outlook.value <= alpha:
            flag = Flag.UPPER
        elif outlook.value >= beta:
            flag = Flag.LOWER
        if len(self._young) >= self._max_young and state not in self._young:
            self._old, self._young = self._young, {}
        self._young[state] = TableEntry(depth, flag, outlook)

    def _entry(self, state: gdl.State) -> TableEntry | None:
        return self._young.get(state) or self._old.get(state)


def _settles(flag: Flag, value: float, alpha: float, beta: float) -> bool:
    if flag is Flag.EXACT:
        return True
    return value >= beta if flag is Flag.LOWER else value <= alpha


def _proven(outlook: BoundedValue, alpha: float, beta: float) -> BoundedValue | None:
    lower, upper = outlook.lower, outlook.upper
    if lower == upper or lower >= beta:
        return outlook._replace(value=lower)
    return outlook._replace(value=upper) if upper <= alpha else None

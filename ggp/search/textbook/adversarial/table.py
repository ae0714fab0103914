"""The transposition table. It stores results for states so that they are not searched again.

See Greenblatt et al., The Greenblatt chess program, 1967. An entry holds the value that a search to
a depth found. The value is exact, or a bound if alpha-beta did not need it exactly.

An entry is used in two cases. In both, the result is exactly what minimax would find at the
remaining depth:

- The remaining depth equals the depth of the entry. Then the value is used if it is exact, or if it
  is a bound that settles the window.
- The remaining depth is at least the depth of the entry. Then only the *proven* bounds are used,
  because bounds that depend on terminal states cannot change with more depth.

If the entry is deeper than the remaining depth, its value may differ from the value that minimax
would find. So the entry is only used to order moves.

Depths are counted from the state, not from the root, and a state holds everything that matters. So
neither the path to a state nor a cycle through it makes a difference.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

import gdl
from ggp.search.core.choices import Joint
from ggp.search.textbook.adversarial.bounded_value import BoundedValue

MAX_ENTRIES = 1 << 18
"""Default maximum number of entries. They take about 130 MB if states are small."""


class Flag(Enum):
    """Relation of the minimax value at the depth of an entry to the value of the entry."""

    EXACT = "is the value"
    LOWER = "the value is at least this: the search was cut off above"
    UPPER = "the value is at most this: nothing reached alpha"


class TableEntry(NamedTuple):
    """The entry of one state."""

    depth: int  # plies searched from the state
    flag: Flag
    outlook: BoundedValue


class TranspositionTable:
    """Entries by state, for one searching role.

    Entries belong to two generations. When the young generation fills half of the table, it becomes
    the old one, and the previous old one is dropped. An entry that is stored again becomes young
    again.
    """

    def __init__(self, max_entries: int = MAX_ENTRIES) -> None:
        """Create a table of at most `max_entries` entries, but at least two."""
        self._max_young = max(1, max_entries // 2)
        self._young: dict[gdl.State, TableEntry] = {}
        self._old: dict[gdl.State, TableEntry] = {}

    def __len__(self) -> int:
        """Return the number of entries. A state in both generations counts twice."""
        return len(self._young) + len(self._old)

    def probe(self, state: gdl.State, depth: int, alpha: float, beta: float) -> BoundedValue | None:
        """Return the stored outlook if it settles the window (`alpha`, `beta`), else None."""
        entry = self._entry(state)
        if entry is None or depth < entry.depth:
            return None
        if depth == entry.depth and _settles(entry.flag, entry.outlook.value, alpha, beta):
            return entry.outlook
        return _proven(entry.outlook, alpha, beta)

    def best_joint(self, state: gdl.State) -> Joint | None:
        """Return the first joint move of the expected line in a state, or None if it is unknown."""
        entry = self._entry(state)
        return entry.outlook.line[0] if entry is not None and entry.outlook.line else None

    def store(
        self, state: gdl.State, depth: int, outlook: BoundedValue, alpha: float, beta: float
    ) -> None:
        """Store the result of a search in the window (`alpha`, `beta`). Replace any older entry."""
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

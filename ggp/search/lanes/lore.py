"""Lore: knowledge beside the tree, and when it is learned: history, tables of moves, preferences.

Everything here is off unless the settings ask for it.
"""

from __future__ import annotations

import gdl
from ggp.search.lanes.amaf import reclaim
from ggp.search.lanes.descend import Paths
from ggp.search.lanes.grow import Found
from ggp.search.lanes.guide import Guide, make_guide
from ggp.search.lanes.history import fade, note_history
from ggp.search.lanes.mast import Mast
from ggp.search.lanes.playthroughs import Record, note_playthroughs
from ggp.search.lanes.pool import IntArray, Pool
from ggp.search.lanes.settings import LaneSettings

RECORDED = 8  # one batch of so many is recorded


class Lore:
    """The knowledge of a search beside its tree.

    Attributes:
        guide: What guides the choice of moves; None if nothing does.
        beside: Arrays that have an entry for each node of the tree, 0 for new ones.
    """

    def __init__(
        self, settings: LaneSettings, pool: Pool, expander: gdl.Expander, found: Found
    ) -> None:
        """Nothing is known yet.

        Args:
            settings: What to learn.
            pool: The tree.
            expander: Makes moves and plays.
            found: What it tells.
        """
        self._settings, self._pool, self._expander, self._found = settings, pool, expander, found
        self.guide: Guide | None = make_guide(settings, expander.inputs, len(pool.states))
        self._record = Record(expander.made, expander.lane_goals)
        self._mast = Mast(expander, settings.mast) if settings.mast else None
        self.beside: list[IntArray] = []
        if self.guide is not None and settings.grave:
            self.beside.append(self.guide.amaf.table_of)
        self._num_batches = 0
        self.is_recording = False

    def before_playing(self) -> None:
        """Decide whether the next playouts are to be recorded."""
        wants = self._mast is not None or self._settings.grave > 0
        self.is_recording = wants and self._num_batches % RECORDED == 0
        self._num_batches += 1

    def before_learning(self, paths: Paths, phase: int, num_playouts: int) -> None:
        """Learn from a batch that was played out; its rounds wait in a phase.

        Args:
            paths: The rounds.
            phase: That of the leaves' parents.
            num_playouts: Of each leaf.
        """
        if self.guide is not None and self._settings.history:
            note_history(self._pool, paths, phase, self._found, num_playouts, self.guide)
        if not self.is_recording:
            return
        if self.guide is not None and self._settings.grave:
            note_playthroughs(self._pool, paths, phase, self._record, self.guide.amaf)
        if self._mast is not None:
            self._mast.note()

    def turn(self) -> None:
        """A move was made: what was learned before counts less."""
        if self.guide is not None:
            fade(self.guide)
            reclaim(self.guide.amaf)
        if self._mast is not None:
            self._mast.fade()

    def forget(self) -> None:
        """All nodes were forgotten."""
        for array in self.beside:
            array[:] = 0
        if self.guide is not None:
            reclaim(self.guide.amaf)

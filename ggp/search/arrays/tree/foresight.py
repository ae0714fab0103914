"""Foresight: who wins at once, seen in new nodes and in playouts.

A leaf of which `gdl.Game.decisive` says who wins is proven, so the tree learns of a win two plies
before it is on the board; and in playouts nobody misses a win in one, or allows one without need.

What tells that takes up to a second to make for a game that is new. The search does without
until it is ready.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np

import gdl
from ggp.search.arrays.tree.growing import Found
from ggp.search.arrays.tree.pool import BEST

PATIENCE = 0.05  # seconds to wait for what is on the disk, or was made for another search


class Foresight:
    """The leaves that are decided, and an expander whose playouts see as far.

    Attributes:
        expander: Plays as roles do that see who wins at once; None until it is ready, and where
            there is nothing to be seen.
    """

    def __init__(self, game: gdl.Game, found: Found, seed: int) -> None:
        """Foresight for a game.

        Args:
            game: The game.
            found: Its `lower`, `upper` and `lengths` are written.
            seed: Of playouts.
        """
        self.expander: gdl.Expander | None = None
        self._game = game
        self._found = found
        self._seed = seed
        self._decisive: gdl.Decisive | None = None
        self._made: gdl.Expander | None = None  # last of all, by the maker
        self._maker = threading.Thread(target=self._make, name="foresight", daemon=True)
        self._maker.start()
        self._maker.join(PATIENCE)

    def wait(self) -> None:
        """Wait until it is ready."""
        self._maker.join()

    def look(self, num: int, phase: int, untrusted: Sequence[int]) -> None:
        """Write what is decided of so many leaves of a phase; their states are copied.

        That some roles win at once decides nothing: they may miss it.
        """
        self.expander = expander = self._made
        found = self._found
        if expander is None or self._decisive is None:
            return
        expander.children[:num] = found.states[:num]
        expander.look(num, phase)
        found.lengths[:num] = 0
        is_decided = expander.is_terminal[:num] > found.is_terminal[:num]
        for role in untrusted:
            is_decided &= expander.goals[:num, role] != BEST
        decided = np.flatnonzero(is_decided)
        if len(decided):
            goals = expander.goals[decided]
            found.lower[decided] = found.upper[decided] = goals
            is_mover = goals[:, self._decisive.movers[phase], None] == BEST
            found.lengths[decided] = np.where(is_mover, 1, 2)

    def _make(self) -> None:
        self._decisive = decisive = self._game.decisive
        if decisive is not None:  # its machine code is made here as well, beside the search
            self._made = decisive.simulator.expander(self._seed)

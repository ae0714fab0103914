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
from numpy.typing import NDArray

import gdl
from ggp.search.fast.tree.growing import Found
from ggp.search.fast.tree.pool import BEST, WORST

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


Bounds = NDArray[np.float32]

TRIED = 512  # leaves
FEWEST = 1 / 64  # of the leaves tried must be narrowed
REST = 16 * TRIED  # leaves not looked at, if they are fewer


class LeafReachableGoals:
    """Writes the bounds of a batch of leaves.

    Attributes:
        has_solved: Whether the value of an open leaf was found, in this turn or before.
    """

    def __init__(self, game: gdl.Game, found: Found) -> None:
        """Bounds for a game; there are none if it is too large for that.

        Args:
            found: Its `lower` and `upper` are written.
        """
        limits = game.reachable_goals
        self._limits = None if limits is None else limits.twin()
        self._found = found
        self.has_solved = False
        self.begin_turn()

    def begin_turn(self) -> None:
        """Forget that it told of few leaves of the turn before."""
        self._num_tried = self._num_narrowed = self._num_left_off = 0

    def look(self, num: int) -> None:
        """Write the bounds of so many leaves, which say nothing before."""
        if self._limits is None:
            return
        if self._num_left_off > 0:
            self._num_left_off -= num
            return
        found = self._found
        self._limits.limit(found.states, num, found.lower, found.upper)
        is_open = found.is_terminal[:num] == 0
        narrowed = (found.lower[:num] > WORST) | (found.upper[:num] < BEST)
        is_solved = (found.lower[:num] == found.upper[:num]).all(axis=1)
        self.has_solved |= bool((is_solved & is_open).any())
        self._num_narrowed += int((narrowed.any(axis=1) & is_open).sum())
        self._num_tried += num
        if self._num_tried >= TRIED:
            is_worth_it = self._num_narrowed >= FEWEST * self._num_tried
            self.begin_turn()
            if not is_worth_it:
                self._num_left_off = REST


def no_limits(num: int, num_roles: int) -> tuple[Bounds, Bounds]:
    """Bounds of leaves that say nothing: `[L, R]` lower, `[L, R]` upper."""
    shape = (num, num_roles)
    return np.full(shape, WORST, np.float32), np.full(shape, BEST, np.float32)


def found_by(expander: gdl.Expander) -> Found:
    """The arrays in which an expander tells what it finds, with bounds that say nothing yet."""
    return Found(
        expander.children,
        expander.is_terminal,
        expander.goals,
        expander.legal_starts,
        expander.legal,
        expander.totals,
        *no_limits(expander.num_leaves_max, expander.num_roles),
        np.zeros((expander.num_leaves_max, expander.num_roles), np.int16),
        np.full(len(expander.legal), 50.0, np.float32),
    )

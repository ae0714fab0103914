"""Removes what is settled from ground rules: literals of facts, rules that can never hold.

The grounder has removed nearly all of it. What is left stems from recursion, in which it may learn
that an atom always holds only after it has written rules with it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gdl.ground.aspif import GroundRules
from gdl.ground.program import IntArray


class Settled:
    """Rules of which no literal is settled.

    Args:
        rules: What the grounder wrote.
        granted: Atoms that are taken to hold always, whatever their rules say.

    Attributes:
        heads, offsets, literals: The rules that are left, see `GroundRules`.
        always: `[A]` whether each atom always holds. `A` is one more than the highest atom.
        never: `[A]` whether each atom never holds.
    """

    def __init__(self, rules: GroundRules, granted: Sequence[int] = ()) -> None:
        atoms = [rules.heads, np.abs(rules.literals), rules.open, np.zeros(1, np.int32)]
        atoms.append(np.array([atom for _, atom in rules.shown], np.int32))
        size = 1 + max(int(array.max(initial=0)) for array in atoms)
        self.heads, self.offsets, self.literals = rules.heads, rules.offsets, rules.literals
        self.always = np.zeros(size, np.bool_)
        self.never = np.zeros(size, np.bool_)
        self._open = np.zeros(size, np.bool_)
        self._open[rules.open] = True
        self._granted = np.array(granted, np.int32)
        while self._learn():
            self._remove()

    def _learn(self) -> bool:
        """Find atoms that are settled by now; whether a rule mentions one that was not before."""
        counts = np.diff(self.offsets)
        always = self.always.copy()
        always[self.heads[counts == 0]] = True
        always[self._granted] = True
        can_hold = self._open | always
        can_hold[self.heads] = True
        settled = always | ~can_hold
        is_new = settled & ~(self.always | self.never)
        self.always, self.never = always, ~can_hold
        return bool(is_new[np.abs(self.literals)].any() or is_new[self.heads].any())

    def _remove(self) -> None:
        """Leave out settled literals, and rules that have a false one or define an old fact."""
        atoms = np.abs(self.literals)
        is_true = np.where(self.literals > 0, self.always[atoms], self.never[atoms])
        is_false = np.where(self.literals > 0, self.never[atoms], self.always[atoms])
        counts = np.diff(self.offsets)
        owner = np.repeat(np.arange(len(self.heads)), counts)
        is_kept = ~self.always[self.heads]
        is_kept[owner[is_false]] = False
        self.literals = self.literals[~is_true & is_kept[owner]]
        left = np.bincount(owner[~is_true], minlength=len(self.heads))[is_kept]
        self.heads = self.heads[is_kept]
        self.offsets = _offsets(left)


def _offsets(counts: NDArray[np.int64]) -> IntArray:
    offsets = np.zeros(len(counts) + 1, np.int32)
    np.cumsum(counts, out=offsets[1:])
    return offsets

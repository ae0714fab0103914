"""The seam for an evaluation: what leaves are worth, found without playing from them to the end.

A search that is given leaf values takes a share of each leaf's value from them and the rest from
playouts, which may be short then (`LaneSettings.horizon`): one that is cut says 50, which moves no
move before another.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class LeafValues(Protocol):
    """An evaluation of states."""

    @property
    def share(self) -> float:
        """Its part of a leaf's value, above 0 and at most 1; at 1 nothing is played out."""
        ...

    def values(self, states: NDArray[np.uint64], phase: int) -> NDArray[np.float64]:
        """`[num, R]` the goals to be expected from each state, 0..100.

        Args:
            states: `[num, W]` packed as `gdl.Expander` has them; some may be terminal, and what is
                said of those is not looked at.
            phase: Theirs.
        """
        ...


def mix_in(
    totals: NDArray[np.int64],
    num_playouts: int,
    share: float,
    values: NDArray[np.float64],
    is_terminal: NDArray[np.uint8],
) -> None:
    """Replace a share of what playouts brought by what leaf values say.

    Args:
        totals: `[num, R]` sums of goals over the playouts of each leaf; changed in place.
        num_playouts: Of each leaf.
        share: Of the leaf values.
        values: `[num, R]` what they say.
        is_terminal: `[num]` leaves whose goals are known.
    """
    mixed = (1 - share) * totals + share * num_playouts * values
    np.copyto(totals, np.rint(mixed).astype(np.int64), where=(is_terminal == 0)[:, None])

"""The parameters of selection: by which rule moves are chosen on the way down."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.search.fast.tree.opponents import Beliefs
from ggp.search.kernels.arrays import FloatArray

NUM_KNOWN = 1024  # numbers of visits of which the roots are kept


class SelectionParameters(NamedTuple):
    """Parameters of the choice of moves on the way down.

    Most numbers of visits are small, so what UCB1 computes of them is looked up.
    """

    c: float  # weight of exploration, for goals from 0 to 1
    minimax: float  # weight of the minimax of priors in a move's value; 0 without priors
    history: float  # weight of the history of moves; 0 where there is none
    chance: int  # index of the `random` role, or NONE
    opponents: Beliefs  # who does not seem to think
    logs: FloatArray  # sqrt(ln(n)), for the visits n of a node
    inverses: FloatArray  # 1 / n and
    roots: FloatArray  # 1 / sqrt(n), for those of a move


def make_selection_parameters(
    c: float, minimax: float, history: float, chance: int, opponents: Beliefs
) -> SelectionParameters:
    """Make the parameters of selection; `opponents` is read anew for each choice."""
    numbers = np.maximum(np.arange(NUM_KNOWN, dtype=np.float64), 1)
    return SelectionParameters(
        c,
        minimax,
        history,
        chance,
        opponents,
        np.sqrt(np.log(numbers)),
        1 / numbers,
        1 / np.sqrt(numbers),
    )

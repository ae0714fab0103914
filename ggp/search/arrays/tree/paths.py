"""Paths: the rounds of a batch that are under way, from the root down to their leaves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.search.arrays.tree.pool import NONE, IntArray

MAX_PLIES = 512  # of a path; where the game can run in circles, so can a path

# Entries of `Paths.counters`.
ROUNDS, DEEPEST, PLIES = range(3)


class Paths(NamedTuple):
    """Rounds under way. `P` phases, `L` leaves of a batch, `R` roles.

    Leaf i of phase p is row `p * L + i`. A path's step is a node and the edge of each role.
    """

    nums: IntArray  # [P] rounds that wait for their leaf, by the phase of the leaf's parent
    lengths: IntArray  # [P * L]
    nodes: IntArray  # [P * L, MAX_PLIES]
    edges: IntArray  # [P * L, MAX_PLIES, R]
    truths: IntArray  # [P * L] a solved node that tells what the first steps are worth, or NONE
    num_true: IntArray  # [P * L] how many steps
    brought: NDArray[np.float64]  # [R] the goals of the round that ends
    counters: NDArray[np.int64]  # rounds since this was last read, the longest path, plies of all


def make_paths(num_phases: int, num_leaves: int, num_roles: int) -> Paths:
    """Room for the rounds of one batch in each phase."""
    rows = num_phases * num_leaves
    return Paths(
        nums=np.zeros(num_phases, np.int32),
        lengths=np.zeros(rows, np.int32),
        nodes=np.zeros((rows, MAX_PLIES), np.int32),
        edges=np.zeros((rows, MAX_PLIES, num_roles), np.int32),
        truths=np.full(rows, NONE, np.int32),
        num_true=np.zeros(rows, np.int32),
        brought=np.zeros(num_roles),
        counters=np.zeros(3, np.int64),
    )

"""The history of moves: how well each input did wherever it was made in the tree."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ggp.search.lanes.descend import Paths
from ggp.search.lanes.grow import Found
from ggp.search.lanes.guide import Guide
from ggp.search.lanes.jit import kernel
from ggp.search.lanes.pool import NONE, IntArray, Pool

FADING = 0.2  # of what was noted before a turn, so much counts after it


@kernel
def note_history(
    pool: Pool, paths: Paths, phase: int, found: Found, num_playouts: int, guide: Guide
) -> None:
    """Note the rounds that wait in a phase for the inputs of their paths.

    Args:
        pool: The tree.
        paths: The rounds.
        phase: That of the leaves' parents.
        found: What became of each leaf.
        num_playouts: Playouts of each leaf.
        guide: Where it is noted.
    """
    limit = len(paths.lengths) // len(paths.nums)
    for leaf in range(paths.nums[phase]):
        row = phase * limit + leaf
        for step in range(paths.lengths[row]):
            node, edges = paths.nodes[row, step], paths.edges[row, step]
            _note(pool, node, edges, found.totals[leaf], num_playouts, guide)


@kernel
def _note(
    pool: Pool, node: int, edges: IntArray, totals: NDArray[np.int64], num: int, guide: Guide
) -> None:
    """Note the moves of one step, for the roles that had a choice."""
    decider = pool.deciders[node]
    for role in range(len(totals)):
        if decider in (role, NONE):
            number = pool.inputs[edges[role]]
            guide.counts[number] += 1
            guide.sums[number] += totals[role] / num


def fade(guide: Guide) -> None:
    """Let what was noted count less: a turn has passed, and other moves are good now."""
    guide.counts[:] *= FADING
    guide.sums[:] *= FADING

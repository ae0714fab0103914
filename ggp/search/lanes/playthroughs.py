"""What recorded playouts say to the tables of the nodes above them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.search.lanes.amaf import Amaf, add_round
from ggp.search.lanes.descend import Paths
from ggp.search.lanes.jit import kernel
from ggp.search.lanes.pool import NONE, IntArray, Pool

WORD_BITS = 64


class Record(NamedTuple):
    """What was played in each lane, see `gdl.Expander`. `L` lanes, `I` inputs, `R` roles."""

    made: NDArray[np.uint64]  # [L, ceil(I / 64)] which inputs
    goals: NDArray[np.int16]  # [L, R]


@kernel
def note_playthroughs(pool: Pool, paths: Paths, phase: int, record: Record, amaf: Amaf) -> None:
    """Add the rounds that wait in a phase to the tables of the nodes that they passed.

    Args:
        pool: The tree.
        paths: The rounds.
        phase: That of the leaves' parents.
        record: One playout of each lane; lane l played from leaf `l % num`.
        amaf: The tables.
    """
    limit = len(paths.lengths) // len(paths.nums)
    num = int(paths.nums[phase])
    for leaf in range(num):
        row = phase * limit + leaf
        _sum_up(record, amaf, leaf, num)
        for step in range(int(paths.lengths[row]) - 1, -1, -1):
            node = int(paths.nodes[row, step])
            _add_step(pool, amaf, node, paths.edges[row, step])
            add_round(amaf, pool, node)


@kernel
def _add_step(pool: Pool, amaf: Amaf, node: int, edges: IntArray) -> None:
    """Put the moves of a step in the tree into the room: they were made in all playouts."""
    for role in range(len(amaf.means)):
        if pool.deciders[node] in (role, NONE):
            number = pool.inputs[edges[role]]
            amaf.room[0, number] = 1.0
            amaf.room[1, number] = amaf.means[role]


@kernel
def _sum_up(record: Record, amaf: Amaf, leaf: int, num: int) -> None:
    """Put the playouts of one leaf into the room, as one round."""
    room, means = amaf.room, amaf.means
    for number in range(room.shape[1]):
        room[0, number] = room[1, number] = 0.0
    for role in range(len(means)):
        means[role] = 0.0
    num_lanes = len(record.made) // num
    for lane in range(leaf, num_lanes * num, num):
        for role in range(len(means)):
            means[role] += record.goals[lane, role]
        for word in range(record.made.shape[1]):
            bits = record.made[lane, word]
            while bits:
                number = WORD_BITS * word + lowest(bits)
                room[0, number] += 1.0
                room[1, number] += record.goals[lane, amaf.role_of[number]]
                bits &= bits - np.uint64(1)
    for number in range(room.shape[1]):
        room[0, number] /= num_lanes
        room[1, number] /= num_lanes
    for role in range(len(means)):
        means[role] /= num_lanes


@kernel
def lowest(bits: np.uint64) -> int:
    """The number of the lowest bit that is set: how many there are below it."""
    below = (bits & (~bits + np.uint64(1))) - np.uint64(1)
    below -= (below >> np.uint64(1)) & np.uint64(0x5555555555555555)
    pairs = np.uint64(0x3333333333333333)
    below = (below & pairs) + ((below >> np.uint64(2)) & pairs)
    below = (below + (below >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int((below * np.uint64(0x0101010101010101)) >> np.uint64(56))

"""The one-ply win check: all moves of a node are made at once, to see which of them end the game.

Moves that end it become children, with their true values, and what follows is proven at once. The
other moves are forgotten again: they would fill the tree with what nobody may ever look at.

Nodes where several roles decide at once are left out: they have too many joint moves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.search.lanes.descend import Paths, child_of
from ggp.search.lanes.grow import Found, add_node
from ggp.search.lanes.hashing import copy_words
from ggp.search.lanes.jit import kernel, wide
from ggp.search.lanes.pool import NONE, OPEN, IntArray, Pool
from ggp.search.lanes.prove import prove, prove_upwards
from ggp.search.lanes.settings import WinCheckTime

LONGEST_QUEUE = 16  # batches of the expander; nodes with more moves than that are left out


class Checks(NamedTuple):
    """What was looked through and is to be. `N` nodes, `Q` moves of them."""

    is_late: bool
    is_checked: IntArray  # [N] which nodes were looked through
    queue: IntArray  # [Q, 3] row of the path that led to a node, the node, an edge of it


class WinCheck:
    """Looks through the nodes at the ends of rounds, each once.

    Attributes:
        checks: What was looked through.
    """

    def __init__(
        self, pool: Pool, expander: gdl.Expander, found: Found, chance: int, when: WinCheckTime
    ) -> None:
        """A check that has looked at nothing yet.

        Args:
            pool: The tree.
            expander: Makes the moves.
            found: What it tells.
            chance: Index of the `random` role, or NONE.
            when: A node is looked through.
        """
        self._pool, self._expander, self._found, self._chance = pool, expander, found, chance
        self.checks = Checks(
            is_late=when == "second",
            is_checked=np.zeros(len(pool.states), np.int32),
            queue=np.zeros((LONGEST_QUEUE * expander.num_leaves_max, 3), np.int32),
        )

    def look(self, paths: Paths, phase: int, num: int) -> None:
        """Look through the nodes that so many rounds of a phase led to; they are in the tree."""
        pool, expander, queue = self._pool, self._expander, self.checks.queue
        waiting = gather(pool, paths, phase, num, self.checks)
        if not self.checks.is_late:
            phase = (phase + 1) % expander.num_phases
        for start in range(0, waiting, expander.num_leaves_max):
            part = queue[start : min(waiting, start + expander.num_leaves_max)]
            request(pool, part, expander.parents, expander.moves)
            expander.expand(len(part), phase)
            following = (phase + 1) % expander.num_phases
            enter(pool, paths, part, following, self._found, self._chance)


@kernel
def gather(pool: Pool, paths: Paths, phase: int, num: int, checks: Checks) -> int:
    """Queue the moves of nodes not looked through; how many."""
    queue = checks.queue
    limit = len(paths.lengths) // len(paths.nums)
    size = 0
    for leaf in range(num):
        row = phase * limit + leaf
        step = wide(paths.lengths[row]) - 1
        node = wide(paths.nodes[row, step])
        if not checks.is_late:
            node = child_of(pool, node, paths.edges[row, step])
        if node == NONE or pool.kinds[node] != OPEN or checks.is_checked[node]:
            continue
        decider = int(pool.deciders[node])
        if decider == NONE:
            continue
        first, last = int(pool.first_edges[node, decider]), int(pool.first_edges[node, decider + 1])
        if size + last - first > len(queue):
            continue
        checks.is_checked[node] = 1
        for edge in range(first, last):
            if pool.children[edge] == NONE:
                queue[size, 0], queue[size, 1], queue[size, 2] = row, node, edge
                size += 1
    return size


@kernel
def request(pool: Pool, queue: IntArray, parents: NDArray[np.uint64], moves: IntArray) -> None:
    """Write down the joint moves that are to be made."""
    for index in range(len(queue)):
        node, edge = queue[index, 1], queue[index, 2]
        copy_words(pool.states[node], parents[index])
        for role in range(moves.shape[1]):
            moves[index, role] = pool.inputs[pool.first_edges[node, role]]
        moves[index, pool.deciders[node]] = pool.inputs[edge]


@kernel
def enter(pool: Pool, paths: Paths, queue: IntArray, phase: int, found: Found, chance: int) -> None:
    """Add the children that end the game, and prove what follows along the paths."""
    for index in range(len(queue)):
        row, node, edge = queue[index, 0], wide(queue[index, 1]), queue[index, 2]
        if found.is_terminal[index]:
            child = add_node(pool, found, index, phase, wide(pool.plies[node]) + 1)
            pool.children[edge] = child
            if child != NONE and prove(pool, node, chance):
                prove_upwards(pool, paths.nodes[row], wide(paths.lengths[row]), chance)

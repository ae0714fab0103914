"""Branching: how many edges and joint children the nodes of a game's tree will need."""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np

import gdl
from ggp.search.arrays.tree.pool import GRAIN, MOST_EDGES

STATES = 16  # that play at random
PLIES = 40  # at most
SPARE = 1.1  # a tree looks at other states than random play
FEWEST_JOINTS = 1 / 16  # of a node: there may be simultaneous moves that random play did not meet


class Branching(NamedTuple):
    """Room that a node needs, on average.

    Attributes:
        edges: Rows of edges, in whole grains.
        joints: Joint children.
    """

    edges: float
    joints: float


def branching_of(expander: gdl.Expander, seed: int) -> Branching:
    """Estimate the room of a game's nodes from random play; the expander's batch is overwritten.

    Args:
        expander: Of the game.
        seed: Of the random moves.
    """
    rng = random.Random(seed)
    expander.children[:STATES] = expander.initial
    num, phase, num_states, num_edges, num_joints = STATES, 0, 0, 0, 0
    expander.look(num, phase)
    for _ in range(PLIES):
        is_open = np.flatnonzero(expander.is_terminal[:num] == 0).tolist()
        legal = {leaf: expander.legal_of(leaf) for leaf in is_open}
        num_states += num
        num_edges += sum(-(-sum(map(len, each)) // GRAIN) * GRAIN for each in legal.values())
        num_joints += sum(sum(len(moves) > 1 for moves in each) > 1 for each in legal.values())
        playing = {leaf: each for leaf, each in legal.items() if all(each)}
        num = len(playing)
        if num == 0:
            break
        expander.parents[:num] = expander.children[list(playing)]
        expander.moves[:num] = [[rng.choice(moves) for moves in each] for each in playing.values()]
        expander.expand(num, phase)
        phase = (phase + 1) % expander.num_phases
    edges, joints = SPARE * num_edges / num_states, SPARE * num_joints / num_states
    return Branching(min(max(edges, GRAIN), MOST_EDGES), max(joints, FEWEST_JOINTS))

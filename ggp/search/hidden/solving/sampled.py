"""Counterfactual regret minimisation on samples of a tree: external sampling.

A step of one player draws a move for chance and for each position of the others, and follows all of
its own moves. What a move brings on that sample is, on average, what it brings in the whole tree.
A step touches a small part of a large tree, and therefore learns much sooner than one that goes
through all of it; on small trees full steps come nearer. M. Lanctot et al., Monte Carlo Sampling
for Regret Minimization in Extensive Games, 2009.

Later steps count more, in proportion to their number (linear averaging, N. Brown and T. Sandholm,
2019).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl import kernel
from ggp.search.hidden.solving.game_tree import (
    CHANCE,
    END,
    FloatArray,
    GameTree,
    IntArray,
    Tree,
    normalised,
)

_NEW: Final = 0x9E3779B97F4A7C15  # splitmix64's step


class Samples(NamedTuple):
    """What is learned of each slot, and the own nodes on the way. `L` slots, `D` own moves."""

    regrets: FloatArray  # [L]
    shares: FloatArray  # [L] how often a move is made now
    sums: FloatArray  # [L] how often it was made
    nodes: IntArray  # [D]
    edges: IntArray  # [D] the edge that is looked at
    values: FloatArray  # [D, most moves] what moves bring
    random: NDArray[np.uint64]  # [1]


class Sampled:
    """Learns the strategies of all players of a tree from samples."""

    def __init__(self, tree: GameTree, seed: int = 0) -> None:
        self._tree = tree
        slots = np.zeros((2, tree.num_slots))
        depth, width = _longest(tree.arrays), int(np.diff(tree.arrays.first_slots).max(initial=1))
        nodes, edges = np.zeros((2, depth + 1), np.int32)
        values = np.zeros((depth + 1, width))
        random = np.array([seed + 1], np.uint64) * np.uint64(0xBF58476D1CE4E5B9)
        self._samples = Samples(slots[0], tree.uniform(), slots[1], nodes, edges, values, random)
        self.num_steps = 0

    def run(self, num_steps: int) -> None:
        """Take so many steps, each of all players."""
        players = np.array(self._tree.choosing, np.int32)
        sample(self._tree.arrays, players, self.num_steps, num_steps, self._samples)
        self.num_steps += num_steps

    def average(self) -> FloatArray:
        """`[L]` the share in which each move was made."""
        return normalised(self._tree.arrays, self._samples.sums)


def _longest(tree: Tree) -> int:
    """The most own moves that a player makes in a row of turns."""
    depths: list[int] = []
    for parent in tree.parent_slots.tolist():
        number = int(np.searchsorted(tree.first_slots, parent, side="right")) - 1
        depths.append(1 + (depths[number] if parent >= 0 else 0))
    return max(depths, default=0)


@kernel
def sample(tree: Tree, players: IntArray, num_done: int, num_steps: int, samples: Samples) -> None:
    """Take so many steps more."""
    for number in range(num_done + 1, num_done + num_steps + 1):
        for player in players:
            _walk(tree, player, float(number), samples)


@kernel
def _walk(tree: Tree, player: int, weight: float, samples: Samples) -> None:
    """Follow all moves of a player on one sample of what the others do."""
    node, depth = 0, 0
    while True:
        node = _drawn(tree, player, node, weight, samples)
        if tree.actors[node] == player:
            samples.nodes[depth] = node
            samples.edges[depth] = tree.first_edges[node]
            node = tree.children[tree.first_edges[node]]
            depth += 1
            continue
        value = tree.goals[node, player]
        while depth:
            own = samples.nodes[depth - 1]
            edge = samples.edges[depth - 1]
            samples.values[depth - 1, edge - tree.first_edges[own]] = value
            if edge + 1 < tree.first_edges[own + 1]:
                samples.edges[depth - 1] = edge + 1
                node = tree.children[edge + 1]
                break
            depth -= 1
            value = _regret(tree, tree.sets[own], samples.values[depth], weight, samples)
        if depth == 0:
            return


@kernel
def _drawn(tree: Tree, player: int, node: int, weight: float, samples: Samples) -> int:
    """The next node of a player, or an end, after moves of the others that are drawn."""
    while True:
        actor = tree.actors[node]
        is_own = actor == player
        if is_own or actor == END:
            return node
        first, last = tree.first_edges[node], tree.first_edges[node + 1]
        chance = _random(samples.random)
        if actor == CHANCE:
            node = tree.children[first + int(chance * (last - first))]
            continue
        slot = tree.first_slots[tree.sets[node]] - first
        for edge in range(first, last):
            samples.sums[slot + edge] += weight * samples.shares[slot + edge]
        edge = first
        while edge + 1 < last:
            chance -= samples.shares[slot + edge]
            if chance < 0.0:
                break
            edge += 1
        node = tree.children[edge]


@kernel
def _regret(tree: Tree, number: int, values: FloatArray, weight: float, samples: Samples) -> float:
    """Learn in a set what its moves brought; what was got."""
    regrets, shares = samples.regrets, samples.shares
    first, last = tree.first_slots[number], tree.first_slots[number + 1]
    mean, total = 0.0, 0.0
    for slot in range(first, last):
        mean += shares[slot] * values[slot - first]
    for slot in range(first, last):
        regrets[slot] += weight * (values[slot - first] - mean)
        total += max(0.0, regrets[slot])
    for slot in range(first, last):
        shares[slot] = max(0.0, regrets[slot]) / total if total > 0.0 else 1.0 / (last - first)
    return mean


@kernel
def _random(state: NDArray[np.uint64]) -> float:
    """A number from 0 to below 1, by splitmix64."""
    state[0] += np.uint64(_NEW)
    mixed = state[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return float(mixed >> np.uint64(11)) * (1.0 / (1 << 53))

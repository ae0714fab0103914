"""Counterfactual regret minimisation over the whole tree, step by step.

In each step the players learn one after another. In every information set $I$ a player computes how
much each move $a$ would have gained, weighted by the probability that chance and the moves of the
others lead to $I$:

    regret(I, a) += v(I, a) - v(I)

Then it makes moves in proportion to their positive regrets. The average of these strategies
approaches an equilibrium if the game has two players and a fixed sum. See M. Zinkevich et al.,
Regret Minimization in Games with Incomplete Information, 2007.

Regrets and averages are discounted. After step $t$, positive regrets are multiplied by
$t^a / (t^a + 1)$, negative ones by $t^b / (t^b + 1)$, and the sums of past strategies by
$(t / (t + 1))^c$. See N. Brown and T. Sandholm, Solving Imperfect-Information Games via Discounted
Regret Minimization, 2019, with their $a = 3/2$, $b = 0$, $c = 2$.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from gdl import kernel
from ggp.search.hidden.solving.best_response import spread
from ggp.search.hidden.solving.game_tree import END, GameTree, Tree, normalised
from ggp.search.kernels.arrays import NONE, FloatArray

POSITIVE: Final = 1.5
NEGATIVE: Final = 0.0
AVERAGE: Final = 2.0


class Discounts(NamedTuple):
    """The three exponents of discounted regret minimisation."""

    positive: float = POSITIVE
    negative: float = NEGATIVE
    average: float = AVERAGE


class Learned(NamedTuple):
    """Regrets and strategy sums of `L` slots, and working memory for `N` nodes."""

    regrets: FloatArray  # [L] discounted sum of the regrets of each move
    shares: FloatArray  # [L] the probability of each move in the current strategies
    sums: FloatArray  # [L] discounted sum of these probabilities over all steps
    owns: FloatArray  # [L] probability that the player's own moves lead to the set and are this one
    others: FloatArray  # [N] working memory
    values: FloatArray  # [N] working memory


class FullWidth:
    """A solver that learns the strategies of all players of a tree."""

    def __init__(self, tree: GameTree, discounts: Discounts | None = None) -> None:
        self._tree, self._discounts = tree, discounts or Discounts()
        slots, nodes = np.zeros((3, tree.num_slots)), np.zeros((2, tree.num_nodes))
        self._learned = Learned(slots[0], tree.uniform(), slots[1], slots[2], nodes[0], nodes[1])
        self.num_steps = 0

    def run(self, num_steps: int) -> None:
        """Take `num_steps` steps."""
        learn(
            self._tree.arrays,
            len(self._tree.players),
            self.num_steps,
            num_steps,
            self._discounts,
            self._learned,
        )
        self.num_steps += num_steps

    def average(self) -> FloatArray:
        """Return the average strategies of all steps, `[L]`."""
        return normalised(self._tree.arrays, self._learned.sums)


@kernel
def learn(
    tree: Tree,
    num_players: int,
    num_done: int,
    num_steps: int,
    discounts: Discounts,
    learned: Learned,
) -> None:
    """Take `num_steps` steps. `num_done` steps were taken before."""
    for number in range(num_done + 1, num_done + num_steps + 1):
        for player in range(num_players):
            spread(tree, player, learned.shares, learned.others)
            _regret(tree, player, learned)
            _match(tree, player, number, discounts, learned)


@kernel
def _regret(tree: Tree, player: int, learned: Learned) -> None:
    values, shares, regrets = learned.values, learned.shares, learned.regrets
    for node in range(len(tree.actors) - 1, -1, -1):
        actor = tree.actors[node]
        if actor == END:
            values[node] = learned.others[node] * tree.goals[node, player]
            continue
        first, last = tree.first_edges[node], tree.first_edges[node + 1]
        total = 0.0
        if actor != player:
            for edge in range(first, last):
                total += values[tree.children[edge]]
            values[node] = total
            continue
        slot = tree.first_slots[tree.sets[node]] - first
        for edge in range(first, last):
            total += shares[slot + edge] * values[tree.children[edge]]
        values[node] = total
        for edge in range(first, last):
            regrets[slot + edge] += values[tree.children[edge]] - total


@kernel
def _match(tree: Tree, player: int, number: int, discounts: Discounts, learned: Learned) -> None:
    regrets, shares = learned.regrets, learned.shares
    up = float(number) ** discounts.positive
    down = float(number) ** discounts.negative
    kept = up / (up + 1.0), down / (down + 1.0)
    fading = (number / (number + 1.0)) ** discounts.average
    for place in range(len(tree.set_actors)):
        if tree.set_actors[place] != player:
            continue
        first, last = tree.first_slots[place], tree.first_slots[place + 1]
        parent = tree.parent_slots[place]
        reach = 1.0 if parent == NONE else learned.owns[parent]
        total = 0.0
        for slot in range(first, last):
            learned.owns[slot] = reach * shares[slot]
            learned.sums[slot] = (learned.sums[slot] + learned.owns[slot]) * fading
            total += max(0.0, regrets[slot])
        for slot in range(first, last):
            shares[slot] = max(0.0, regrets[slot]) / total if total > 0.0 else 1.0 / (last - first)
            regrets[slot] *= kept[0] if regrets[slot] > 0.0 else kept[1]

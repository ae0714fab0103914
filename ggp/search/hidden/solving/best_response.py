"""Best responses to strategies, and the exploitability of strategies: what best responses gain.

A best response is the best strategy of one player if it knows the strategies of all other players.
It knows no more about a position than the player does. So in an information set, it makes the move
that is best on average over all nodes. Each node is weighted by the probability that the moves of
the others and of chance lead to it.

NashConv is the sum of what the players gain by best responses. The exploitability here is their
average gain, half of NashConv for two players, as in OpenSpiel. It is 0 in an equilibrium. See
Lanctot et al., OpenSpiel: A Framework for Reinforcement Learning in Games, 2019, section 3.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from gdl import kernel
from ggp.search.hidden.solving.game_tree import CHANCE, END, GameTree, Tree
from ggp.search.kernels.arrays import FloatArray

_NOBODY: Final = -3


def expected_goals(tree: GameTree, shares: FloatArray) -> FloatArray:
    """Return the expected goal of each player if all use the strategies `shares`, `[L]`."""
    arrays = tree.arrays
    others, values = np.zeros((2, tree.num_nodes))
    spread(arrays, _NOBODY, shares, others)
    found = [collect(arrays, player, others, values) for player in range(len(tree.players))]
    return np.array(found)


def best_response(tree: GameTree, player: int, shares: FloatArray) -> tuple[float, FloatArray]:
    """Compute a player's best response if the others use the strategies `shares`.

    Returns:
        The expected goal of the player, and a copy of `shares` in which the response replaces the
        player's own strategy.
    """
    others, values = np.zeros((2, tree.num_nodes))
    best = shares.copy()
    spread(tree.arrays, player, shares, others)
    return respond(tree.arrays, player, others, values, best), best


def move_values(tree: GameTree, number: int, shares: FloatArray) -> FloatArray | None:
    """Return the expected goal after each move in information set `number`, if all use `shares`.

    The goals are those of the player who moves in the set. Return None if the moves of the others
    never lead to the set.
    """
    arrays = tree.arrays
    player = int(arrays.set_actors[number])
    others, values = np.zeros((2, tree.num_nodes))
    spread(arrays, player, shares, others)
    expect(arrays, player, others, shares, values)
    nodes = slice(arrays.set_starts[number], arrays.set_ends[number])
    reach = others[nodes].sum()
    if not reach > 0.0:
        return None
    edges = arrays.first_edges[nodes][:, None] + np.arange(len(tree.slots(number)))
    found: FloatArray = values[arrays.children[edges]].sum(axis=0) / reach
    return found


def exploitability(tree: GameTree, shares: FloatArray) -> float:
    """Return how many goal points a best response gains, on average over the players with choices.

    It is 0 in an equilibrium. If only one player has choices, it is the difference between the best
    possible and the present expected goal.
    """
    now = expected_goals(tree, shares)
    players = tree.choosing
    gains = [best_response(tree, player, shares)[0] - now[player] for player in players]
    return max(0.0, float(sum(gains)) / max(1, len(players)))


@kernel
def spread(tree: Tree, player: int, shares: FloatArray, others: FloatArray) -> None:
    """Write to `others`, `[N]`, the probability that the moves of the others lead to each node.

    The others are all players except `player`, and chance.
    """
    if len(others):
        others[0] = 1.0
    for node in range(len(tree.actors)):
        actor = tree.actors[node]
        if actor == END:
            continue
        first, last = tree.first_edges[node], tree.first_edges[node + 1]
        reach = others[node]
        if actor == player:
            for edge in range(first, last):
                others[tree.children[edge]] = reach
        elif actor == CHANCE:
            reach /= last - first
            for edge in range(first, last):
                others[tree.children[edge]] = reach
        else:
            slot = tree.first_slots[tree.sets[node]] - first
            for edge in range(first, last):
                others[tree.children[edge]] = reach * shares[slot + edge]


@kernel
def collect(tree: Tree, player: int, reach: FloatArray, values: FloatArray) -> float:
    """Return the expected goal of a player.

    Args:
        reach: `[N]` the probability of each node.
        values: `[N]` working memory.
    """
    value = 0.0
    for node in range(len(tree.actors)):
        if tree.actors[node] == END:
            values[node] = reach[node] * tree.goals[node, player]
            value += values[node]
    return value


@kernel
def expect(
    tree: Tree, player: int, others: FloatArray, shares: FloatArray, values: FloatArray
) -> None:
    """Write the expected goal of a player at each node, times the probability in `others`.

    Args:
        others: `[N]` the probability that the moves of the others lead to each node, see `spread`.
        shares: `[L]` the probability of each move.
        values: `[N]` receives the products.
    """
    for node in range(len(tree.actors) - 1, -1, -1):
        actor = tree.actors[node]
        if actor == END:
            values[node] = others[node] * tree.goals[node, player]
            continue
        first, last = tree.first_edges[node], tree.first_edges[node + 1]
        total = 0.0
        slot = tree.first_slots[tree.sets[node]] - first if actor == player else 0
        for edge in range(first, last):
            share = shares[slot + edge] if actor == player else 1.0
            total += share * values[tree.children[edge]]
        values[node] = total


@kernel
def respond(
    tree: Tree, player: int, others: FloatArray, values: FloatArray, best: FloatArray
) -> float:
    """Compute a player's best response and return its expected goal.

    Args:
        others: `[N]` the probability that the moves of the others lead to each node, see `spread`.
        values: `[N]` receives the expected goal of the response at each node, times `others`.
        best: `[L]` receives 1 in the player's slots of the response, and 0 in its other slots.
    """
    node = len(tree.actors) - 1
    while node >= 0:
        actor = tree.actors[node]
        if actor == END:
            values[node] = others[node] * tree.goals[node, player]
        elif actor == player:
            node = _respond_in_set(tree, tree.sets[node], values, best)
        else:
            total = 0.0
            for edge in range(tree.first_edges[node], tree.first_edges[node + 1]):
                total += values[tree.children[edge]]
            values[node] = total
        node -= 1
    return float(values[0])


@kernel
def _respond_in_set(tree: Tree, number: int, values: FloatArray, best: FloatArray) -> int:
    """Choose the best move in an information set, and return the first node of the set."""
    start, end = tree.set_starts[number], tree.set_ends[number]
    first = tree.first_slots[number]
    chosen, most = 0, -np.inf
    for move in range(tree.first_slots[number + 1] - first):
        total = 0.0
        for node in range(start, end):
            total += values[tree.children[tree.first_edges[node] + move]]
        best[first + move] = 0.0
        if total > most:
            chosen, most = move, total
    best[first + chosen] = 1.0
    for node in range(start, end):
        values[node] = values[tree.children[tree.first_edges[node] + chosen]]
    return int(start)

"""The size of a game's tree, estimated by random walks.

A walk in which $b_1, b_2, ...$ moves were possible one after the other has met, on average over all
walks, $1 + b_1 + b_1 b_2 + ...$ nodes. D. E. Knuth, Estimating the Efficiency of Backtrack
Programs, 1975.
"""

from __future__ import annotations

import random
from typing import Final

import gdl
from ggp.clock import Deadline

MOST_WALKS: Final = 100
_LONGEST: Final = 1_000  # turns of a walk


def estimated_nodes(game: gdl.Game, seed: int, deadline: Deadline) -> float:
    """About how many nodes the tree of a game has; a tree of few large parts may have far more.

    Args:
        game: The game.
        seed: Of the walks.
        deadline: When to stop walking; one walk there is always.
    """
    rng, total = random.Random(seed), 0.0
    for number in range(1, MOST_WALKS + 1):
        total += _walked(game, rng)
        if deadline.is_over():
            return total / number
    return total / MOST_WALKS


def _walked(game: gdl.Game, rng: random.Random) -> float:
    state, width, nodes = game.initial_state(), 1.0, 1.0
    for _ in range(_LONGEST):
        if game.is_terminal(state):
            break
        legal = [game.legal_moves(state, role) for role in game.roles]
        if not all(legal):
            break
        for moves in legal:
            if len(moves) > 1:
                width *= len(moves)
                nodes += width
        state = game.next_state(state, [rng.choice(moves) for moves in legal])
    return nodes

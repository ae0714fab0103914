"""The choice of a search for a game: plain or biased playouts, or alpha-beta.

A search with biased playouts prefers moves that did well in other states (`move_history`). It wins
more matches in games where each role has many different moves. Where a role has few, as in connect
four, a move says little without its state. Where a role has thousands, as in amazons on a large
board, each move is too rare in playouts, and choosing among them halves the number of playouts.
"""

from __future__ import annotations

import gdl
from ggp.search.core.choices import random_index
from ggp.search.fast.lanes import ALPHABETA, BIASED, PLAIN
from ggp.search.fast.tree.expansion import MIN_JOINTS, branching_of

MIN_MOVES, MAX_MOVES = 30, 2_000  # of a role, in all states together
MIN_GOAL, MAX_GOAL = 20.0, 80.0  # mean goals in random playouts
NUM_ROLES = 2  # the measurements are of games with two roles


def suitable_variants(game: gdl.Game, seed: int) -> tuple[str, ...]:
    """Return the variants that may suit a game, first the one that wins in most games of its kind.

    `has_lanes` must be true for the game. Return PLAIN alone for games that were not measured: with
    another number of roles, with the role `random`, or with simultaneous moves. PLAIN also comes
    first if random playouts are one-sided.
    """
    simulator = game.simulator
    assert simulator is not None
    if len(game.roles) != NUM_ROLES or random_index(game) is not None:
        return (PLAIN,)
    expander = simulator.expander(seed)
    _, joints = branching_of(expander, seed)
    if joints > MIN_JOINTS:
        return (PLAIN,)
    goals = simulator.first_playouts.mean_goals
    is_open = all(MIN_GOAL <= goal <= MAX_GOAL for goal in goals)
    has_many = MIN_MOVES <= len(expander.inputs) / NUM_ROLES <= MAX_MOVES
    return (BIASED, PLAIN, ALPHABETA) if is_open and has_many else (PLAIN, ALPHABETA)

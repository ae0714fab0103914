"""The choice between plain and biased playouts for a game.

Biased playouts prefer moves that did well in other states (`move_history`). They win far more
matches in games where a role makes a large part of its moves once in each match, such as placing a
stone on a square (docs/search.md, "Variants"). Where a role has few moves, or many that belong to
particular states, a move says little without its state.
"""

from __future__ import annotations

import gdl
from ggp.search.core.choices import random_index
from ggp.search.fast.lanes import BIASED, PLAIN
from ggp.search.fast.tree.expansion import MIN_JOINTS, branching_of

MIN_MOVES = 30  # of a role, in all states together
MIN_SHARE = 0.22  # mean number of a role's moves in a random playout, as a share of its moves
MIN_GOAL, MAX_GOAL = 20.0, 80.0  # mean goals in random playouts
NUM_ROLES = 2  # the measurements are of games with two roles


def suitable_variant(game: gdl.Game, seed: int) -> str:
    """Return the variant of playouts that suits a game. `has_lanes` must be true for it.

    Return PLAIN also for games that were not measured: with another number of roles, with the role
    `random`, or with simultaneous moves.
    """
    simulator = game.simulator
    assert simulator is not None
    if len(game.roles) != NUM_ROLES or random_index(game) is not None:
        return PLAIN
    expander = simulator.expander(seed)
    if len(expander.inputs) < MIN_MOVES * NUM_ROLES:
        return PLAIN
    _, joints = branching_of(expander, seed)
    playouts = simulator.lanes(seed).finish()
    is_placing = playouts.mean_length >= MIN_SHARE * len(expander.inputs)
    is_open = all(MIN_GOAL <= goal <= MAX_GOAL for goal in playouts.mean_goals)
    return BIASED if is_placing and is_open and joints == MIN_JOINTS else PLAIN

"""The choice between plain and biased playouts for a game.

Biased playouts prefer moves that did well in other states (`move_history`). In most games they win
far more matches (docs/search.md, "Variants"). They lose in games where a move says little without
its state. These are games in which a role has few moves, such as the columns of connect four, each
of which is made again and again, and games in which nearly all playouts end alike.
"""

from __future__ import annotations

import gdl
from ggp.search.core.choices import random_index
from ggp.search.fast.lanes import BIASED, PLAIN
from ggp.search.fast.tree.expansion import MIN_JOINTS, branching_of

MIN_MOVES = 30  # of a role, in all states together
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
    goals = simulator.lanes(seed).finish().mean_goals
    is_open = all(MIN_GOAL <= goal <= MAX_GOAL for goal in goals)
    return BIASED if is_open and joints == MIN_JOINTS else PLAIN

"""The pilot: a short search that finds out whether biased playouts suit a game.

Biased playouts prefer moves that did well in other states (`move_history`). They win many more
matches in some games and lose in others. `MoveHistory.explained` shows which. If a move by itself
explains little of the result, every hint helps. If it explains much, the good moves are the same in
most states, such as a step to the last row. Random playouts show them too, and biased playouts make
hardly any others. If a role has only a few moves, each of them means something else in each state.
The limits separate the games that were measured (benchmarks/README.md, "Which playouts suit which
game?").
"""

from __future__ import annotations

from dataclasses import replace

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import random_index
from ggp.search.fast.lanes import BIASED, DEFAULTS, PLAIN, has_lanes
from ggp.search.fast.tree.search import LaneSearch

MAX_EXPLAINED = 0.015
MIN_MOVES = 1  # of a role, in all states together
NUM_ITERATIONS = 30_000
MIN_ITERATIONS = 2_000  # with fewer, the measure says little
SETTINGS = replace(DEFAULTS, variant=BIASED, memory=64 << 20, state_graph=False)


def suitable_variant(
    game: gdl.Game,
    state: gdl.State,
    role: gdl.Role,
    deadline: Deadline,
    *,
    seconds: float,
    seed: int,
) -> str:
    """Return the variant of playouts that suits a game, after a search of at most `seconds`.

    Return PLAIN if the time is too short, or if the game is decided, has the role `random`, or has
    states in which several roles choose.

    Raises:
        TurnUnknownError: The state does not show which circuit applies.
    """
    if not has_lanes(game) or len(game.roles) < 2 or random_index(game) is not None:
        return PLAIN
    search = LaneSearch(game, state, role, seed, SETTINGS)
    if len(search.history.counts) < MIN_MOVES * len(game.roles):
        return PLAIN
    end, num = Deadline.after(seconds), 0
    while num < NUM_ITERATIONS and not (end.is_over() or deadline.is_over()):
        if not search.step(end):
            return PLAIN
        num = search.effort.num_iterations
    if num < MIN_ITERATIONS or search.has_joint_moves:
        return PLAIN
    return BIASED if search.history.explained <= MAX_EXPLAINED else PLAIN

"""Getting the kernels of the search into memory, before the clock of a match runs."""

from __future__ import annotations

import gdl
from ggp.clock import Deadline
from ggp.search.arrays.alphabeta.search import make_search
from ggp.search.knowledge.evaluation import GoalEvaluation

# A game so small that a look at three plies of it uses everything, the line expected as well.
_RULES = """
(role one) (role two) (init (at a)) (choice b) (choice c) (legal two wait)
(<= (legal one ?c) (choice ?c))
(<= (next (at ?c)) (does one ?c)) (<= (next (was ?x)) (true (at ?x)))
(<= terminal (true (was b))) (<= terminal (true (was c)))
(<= (goal one 100) (true (at b))) (<= (goal two 100) (true (at c)))
"""


def warm_up() -> None:
    """Load all kernels of the search; those that are not on the disk are compiled."""
    game = gdl.load(_RULES, "scalar")
    search = make_search(game, game.roles[0], GoalEvaluation(game), num_entries=2)
    assert search is not None
    search.look(game.initial_state(), depth=3, deadline=Deadline.never())

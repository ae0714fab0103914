"""Searches on any state machine: pure algorithms that read like the lectures.

    >>> import random
    >>> import gdl
    >>> from ggp import games
    >>> from ggp.clock import Deadline
    >>> from ggp.search.textbook import mcts
    >>> machine = gdl.load(gdl.read_kif(games.text("nim")))
    >>> state, role = machine.initial_state(), machine.roles[0]
    >>> result = search(machine, state, role, Deadline.never(), random.Random(1), rounds=50)
    >>> result.move in machine.legal_moves(state, role)
    True

Three rooms: `textbook` reads as the lectures do, `arrays` is as fast as it gets, `knowledge` is
what they may know of states beforehand. `root` holds the rule for the move at the root.

Each search is a function `search(...) -> SearchResult`, and a class that keeps its tree from move
to move: `step` until the deadline, `result` at any time, `advance` when a joint move was made.
"""

from ggp.search.result import Effort, MoveValue, SearchResult
from ggp.search.search import Search, repeat

__all__ = ["Effort", "MoveValue", "Search", "SearchResult", "repeat"]

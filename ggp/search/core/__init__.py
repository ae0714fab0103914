"""The common parts of all searches: interface, result, choices, playouts, the choice of a move.

    >>> import random
    >>> import gdl
    >>> from ggp import games
    >>> from ggp.clock import Deadline
    >>> from ggp.search.textbook.mcts.search import MctsSearch
    >>> machine = gdl.load(gdl.read_kif(games.text("nim")))
    >>> state, role = machine.initial_state(), machine.roles[0]
    >>> search = MctsSearch(machine, state, role, random.Random(1))
    >>> result = search_until(search, Deadline.never(), rounds=50)
    >>> result.move in machine.legal_moves(state, role)
    True

Each search is a class that keeps its findings from move to move. Call `step` until the deadline,
`result` at any time, and `advance` after each joint move.
"""

from ggp.search.core.result import Effort, MoveValue, SearchResult
from ggp.search.core.search import Search, repeat, search_until

__all__ = ["Effort", "MoveValue", "Search", "SearchResult", "repeat", "search_until"]

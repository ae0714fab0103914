"""The greedy player: best-first search over a tree that it keeps."""

from __future__ import annotations

import gdl
from ggp.players.book_options import BOOK
from ggp.players.memory import fitting
from ggp.players.options import Option, number, one_of, whole
from ggp.players.searching import ITERATIONS, SearchPlayer
from ggp.search.textbook.greedy.search import DEFAULTS, GreedySearch, GreedySettings
from ggp.search.textbook.greedy.tree import RULES

SELECT = Option(
    "select",
    one_of(tuple(RULES)),
    DEFAULTS.select,
    "which branch grows next: the best one (utility), the one looked at least (visits), or a "
    "compromise (exploit_explore, uct, deviation)",
)
EXPLORATION = Option(
    "c", number(0), DEFAULTS.c, "weight of exploration in the rules uct and deviation"
)
BYTES_PER_NODE = 4096
MAX_NODES = Option(
    "max_nodes", whole(1), DEFAULTS.max_nodes, "the tree stops growing at this many nodes"
)


class GreedyPlayer(SearchPlayer):
    """Grows the most promising branch of the game tree; estimates by the goal values of states."""

    OPTIONS = (SELECT, EXPLORATION, MAX_NODES, ITERATIONS, BOOK)

    def set_up(self) -> None:
        """Read the options."""
        super().set_up()
        options = self.options
        self._settings = GreedySettings(
            select=SELECT.read(options),
            c=EXPLORATION.read(options),
            max_nodes=fitting(MAX_NODES.read(options), BYTES_PER_NODE),
        )

    def new_search(self, state: gdl.State) -> GreedySearch:
        """An empty tree."""
        return GreedySearch(self.machine, state, self.role, self._settings)

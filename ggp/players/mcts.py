"""The Monte Carlo player: UCT over a tree that it keeps."""

from __future__ import annotations

import gdl
from ggp.players.book_options import BOOK
from ggp.players.lane_options import LANE_OPTIONS, lane_settings
from ggp.players.memory import fitting
from ggp.players.network_options import NETWORK, SHARE, leaf_values_from
from ggp.players.network_options import C as NETWORK_C
from ggp.players.options import Option, number_or, one_of, whole
from ggp.players.searching import ITERATIONS, SearchPlayer
from ggp.players.threads import THREADS
from ggp.search import Search
from ggp.search.arrays.tree.settings import DEFAULTS as LANE_DEFAULTS
from ggp.search.choices import TurnUnknownError, is_deterministic_solo
from ggp.search.root import FINAL_RULES
from ggp.search.textbook.mcts.search import DEFAULTS, MctsSearch, MctsSettings
from ggp.search.textbook.mcts.solo import SoloSearch

EXPLORATION = Option(
    "c",
    number_or("auto"),
    "auto",
    f"weight of exploration in UCB1, for rewards from 0 to 1; auto: {LANE_DEFAULTS.c} on lanes, "
    f"{NETWORK_C} with a network, {DEFAULTS.c} in the Python tree",
)
SELECT = Option("select", one_of(("uct",)), "uct", "the selection rule; there is one")
FINAL = Option(
    "final",
    one_of(FINAL_RULES),
    DEFAULTS.final,
    "the move made: the one with the most visits, or the one with the best mean value",
)
NODES = Option(
    "nodes",
    whole(1),
    DEFAULTS.max_nodes,
    "the tree stops growing at this many nodes; playouts go on",
)
HORIZON = Option(
    "horizon",
    whole(1),
    DEFAULTS.horizon,
    "longest playout in plies; a longer one counts as undecided (50)",
)

MEBIBYTE = 1 << 20
MAX_MEBIBYTES = 1 << 16
BYTES_PER_NODE = 1024
BYTES_PER_PYTHON_NODE = 4096
"""With the states that the interpreter keeps for it, in a game of middle size."""

MEMORY = Option(
    "memory",
    whole(1, MAX_MEBIBYTES),
    1024,
    "megabytes of the tree on lanes, or half of what the process has left, if that is less; when "
    "it fills up, what was not looked at for longest goes",
)
TREE = Option(
    "tree",
    one_of(("auto", "lanes", "python")),
    "auto",
    "lanes: states by the hundred on the compiled game; python: one at a time, in any game; "
    "auto: lanes where that is possible and the rounds are not counted",
)


class MctsPlayer(SearchPlayer):
    """Estimates moves by random playouts, and looks more often where they go well.

    In a game of one role it looks for a whole way to the best goal instead, and plays it to its
    end.
    """

    OPTIONS = (
        *(EXPLORATION, SELECT, FINAL, NODES, HORIZON, ITERATIONS, BOOK),
        *(MEMORY, TREE, THREADS, NETWORK, SHARE, *LANE_OPTIONS),
    )

    def set_up(self) -> None:
        """Read the options."""
        super().set_up()
        options = self.options
        SELECT.read(options)
        c = EXPLORATION.read(options)
        lane_c = NETWORK_C if NETWORK.read(options) else LANE_DEFAULTS.c
        self._lane_c = lane_c if isinstance(c, str) else c
        self._settings = MctsSettings(
            c=DEFAULTS.c if isinstance(c, str) else c,
            final=FINAL.read(options),
            max_nodes=fitting(NODES.read(options), BYTES_PER_PYTHON_NODE),
            horizon=HORIZON.read(options),
        )
        self._tree = TREE.read(options)
        self._memory = MEMORY.read(options) * MEBIBYTE
        self._threads = THREADS.read(options)
        if NODES.name in options:
            self._memory = min(self._memory, NODES.read(options) * BYTES_PER_NODE)

    def new_search(self, state: gdl.State) -> Search:
        """An empty tree; for a player that is alone, one that looks for whole ways to the end."""
        if is_deterministic_solo(self.machine.roles):
            plan = self._plan_on_lanes(state)
            return plan or SoloSearch(self.game, state, self.rng, self._settings)
        return self._search_on_lanes(state) or self._search_in_python(state)

    @property
    def _may_use_lanes(self) -> bool:
        is_wanted = self._tree == "lanes" or (self._tree == "auto" and self.rounds is None)
        return is_wanted and self.game.simulator is not None

    def _plan_on_lanes(self, state: gdl.State) -> Search | None:
        if not self._may_use_lanes:
            return None
        # Not at the top: whoever plays without lanes does not wait for numba.
        from ggp.search.arrays.single_agent.board import can_search
        from ggp.search.arrays.single_agent.search import (
            SingleAgentSearch,
            SingleAgentSettings,
        )

        if not can_search(self.game):
            return None
        settings = SingleAgentSettings(fitting(self._memory), self._settings.horizon)
        try:
            return SingleAgentSearch(self.game, state, self.rng.randrange(1 << 31), settings)
        except TurnUnknownError:
            return None

    def _search_on_lanes(self, state: gdl.State) -> Search | None:
        if not self._may_use_lanes:
            return None
        from ggp.search.arrays.tree.parallel import ParallelSearch
        from ggp.search.arrays.tree.search import LaneSearch, can_search

        if not can_search(self.game):
            return None
        memory = fitting(self._memory) // self._threads
        settings = lane_settings(self.options, self._lane_c, memory, self._settings)
        seeds = [self.rng.randrange(1 << 31) for _ in range(self._threads)]
        try:
            trees = [
                LaneSearch(
                    self.game,
                    state,
                    self.role,
                    seed,
                    settings,
                    leaf_values_from(self.options, self.game),
                )
                for seed in seeds
            ]
        except TurnUnknownError:
            return None
        return trees[0] if len(trees) == 1 else ParallelSearch(trees)

    def _search_in_python(self, state: gdl.State) -> Search:
        return MctsSearch(self.machine, state, self.role, self.rng, self._settings)

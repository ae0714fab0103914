"""The Monte Carlo player: UCT over a tree that it keeps."""

from __future__ import annotations

from collections.abc import Mapping

import gdl
from ggp.players.options import Option, number, one_of, whole
from ggp.players.searching import ITERATIONS, Search, SearchPlayer
from ggp.search.choices import is_deterministic_solo
from ggp.search.mcts import DEFAULTS, FINAL_RULES, MctsSearch, MctsSettings
from ggp.search.solo import SoloSearch

EXPLORATION = Option(
    "c", number(0), DEFAULTS.c, "weight of exploration in UCB1, for rewards from 0 to 1"
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


class Mcts(SearchPlayer):
    """Estimates moves by random playouts, and looks more often where they go well.

    In a game of one role it also looks for the shortest way to the best goal, keeps the best way
    to the end met in any playout, and plays that to its end.
    """

    OPTIONS = (EXPLORATION, SELECT, FINAL, NODES, HORIZON, ITERATIONS)

    def __init__(
        self,
        machine: gdl.StateMachine,
        role: gdl.Role,
        options: Mapping[str, str],
        seed: int | None = None,
    ) -> None:
        super().__init__(machine, role, options, seed)
        SELECT.read(options)
        self.rounds = ITERATIONS.read(options) or None
        self._settings = MctsSettings(
            c=EXPLORATION.read(options),
            final=FINAL.read(options),
            max_nodes=NODES.read(options),
            horizon=HORIZON.read(options),
        )

    def new_search(self, state: gdl.State) -> Search:
        """An empty tree; for a player that is alone, one that looks for whole ways to the end."""
        if is_deterministic_solo(self.machine.roles):
            return SoloSearch(self.machine, state, self.rng, self._settings)
        return MctsSearch(self.machine, state, self.role, self.rng, self._settings)

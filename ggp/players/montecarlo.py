"""The pure Monte Carlo player: random games after each move, and no tree."""

from __future__ import annotations

import gdl
from ggp.clock import Deadline
from ggp.players.book_options import BOOK
from ggp.players.options import Option, number, one_of, whole
from ggp.players.searching import ITERATIONS, SearchPlayer
from ggp.search.textbook.monte_carlo import (
    DEFAULTS,
    SHARES,
    MonteCarloSearch,
    MonteCarloSettings,
)

K = Option("k", whole(0), DEFAULTS.k, "random games for each legal move; 0: as the clock allows")
BANDIT = Option(
    "bandit",
    one_of(SHARES),
    DEFAULTS.share,
    "how the games are shared: as many for each move (equal), or more of them where they go well "
    "(ucb1)",
)
EXPLORATION = Option(
    "c", number(0), round(DEFAULTS.c, 2), "weight of exploration in ucb1, for rewards from 0 to 1"
)
HORIZON = Option(
    "horizon",
    whole(1),
    DEFAULTS.horizon,
    "longest game in plies; a longer one counts as undecided (50)",
)


class MonteCarloPlayer(SearchPlayer):
    """Makes the move after which random games go best."""

    OPTIONS = (K, BANDIT, EXPLORATION, HORIZON, ITERATIONS, BOOK)

    def set_up(self) -> None:
        """Read the options."""
        super().set_up()
        options = self.options
        self._settings = MonteCarloSettings(
            k=K.read(options),
            share=BANDIT.read(options),
            c=EXPLORATION.read(options),
            horizon=HORIZON.read(options),
        )

    def new_search(self, state: gdl.State) -> MonteCarloSearch:
        """A search without playouts."""
        return MonteCarloSearch(self.game, state, self.role, self.rng, self._settings)

    def ponder(self, state: gdl.State, deadline: Deadline) -> None:
        """Rest: what is sampled here says nothing of the next state."""

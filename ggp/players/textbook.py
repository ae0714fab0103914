"""Players of the textbooks: legal, random, greedy, Monte Carlo, and those that search a path."""

from __future__ import annotations

import random
from typing import Any, ClassVar

import gdl
from ggp.clock import Deadline
from ggp.players.base import Player
from ggp.players.evaluation_options import BOOK
from ggp.players.options import Option, number, one_of, whole
from ggp.players.resources import fitting
from ggp.players.searching import ITERATIONS, SearchPlayer
from ggp.search.core.choices import Joint
from ggp.search.textbook.greedy.search import DEFAULTS as GREEDY
from ggp.search.textbook.greedy.search import GreedySearch, GreedySettings
from ggp.search.textbook.greedy.tree import RULES
from ggp.search.textbook.monte_carlo import DEFAULTS as MONTE_CARLO
from ggp.search.textbook.monte_carlo import SHARES, MonteCarloSearch, MonteCarloSettings
from ggp.search.textbook.paths.planner import DEFAULTS as PATHS
from ggp.search.textbook.paths.planner import HEURISTICS, PathSearch, PathSettings


class LegalPlayer(Player):
    """Makes the first legal move: the least that a game manager accepts."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """The first legal move."""
        return self.legal_moves(state)[0]


class RandomPlayer(Player):
    """Makes a random legal move, each as likely as the others.

    Each turn has a seed of its own: a player that takes a match up in the middle goes on as one
    that was there from the beginning would have.
    """

    def set_up(self) -> None:
        """Take a seed of its own."""
        self._seed = self.rng.getrandbits(64)
        self._turn = 0

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """A uniformly random legal move."""
        # In the order of their texts: reasoners may have orders of their own.
        moves = sorted(self.legal_moves(state), key=str)
        return random.Random(f"{self._seed}:{self._turn}").choice(moves)

    def advance(self, moves: Joint, state: gdl.State) -> None:
        """The next turn begins."""
        self._turn += 1


SELECT = Option(
    "select",
    one_of(tuple(RULES)),
    GREEDY.select,
    "which branch grows next: the best one (utility), the one looked at least (visits), or a "
    "compromise (exploit_explore, uct, deviation)",
)
GREEDY_C = Option("c", number(0), GREEDY.c, "weight of exploration in the rules uct and deviation")
GREEDY_NODES = Option(
    "max_nodes", whole(1), GREEDY.max_nodes, "the tree stops growing at this many nodes"
)
BYTES_PER_NODE = 4096


class GreedyPlayer(SearchPlayer):
    """Grows the most promising branch of the game tree; estimates by the goal values of states."""

    OPTIONS = (SELECT, GREEDY_C, GREEDY_NODES, ITERATIONS, BOOK)

    def set_up(self) -> None:
        """Read the options."""
        super().set_up()
        options = self.options
        max_nodes = fitting(GREEDY_NODES.read(options), BYTES_PER_NODE)
        self._settings = GreedySettings(SELECT.read(options), GREEDY_C.read(options), max_nodes)

    def new_search(self, state: gdl.State) -> GreedySearch:
        """An empty tree."""
        return GreedySearch(self.machine, state, self.role, self._settings)


K = Option("k", whole(0), MONTE_CARLO.k, "random games for each legal move; 0: as the clock allows")
BANDIT = Option(
    "bandit",
    one_of(SHARES),
    MONTE_CARLO.share,
    "how the games are shared: as many for each move (equal), or more of them where they go well "
    "(ucb1)",
)
BANDIT_C = Option(
    "c",
    number(0),
    round(MONTE_CARLO.c, 2),
    "weight of exploration in ucb1, for rewards from 0 to 1",
)
HORIZON = Option(
    "horizon",
    whole(1),
    MONTE_CARLO.horizon,
    "longest game in plies; a longer one counts as undecided (50)",
)


class MonteCarloPlayer(SearchPlayer):
    """Makes the move after which random games go best."""

    OPTIONS = (K, BANDIT, BANDIT_C, HORIZON, ITERATIONS, BOOK)

    def new_search(self, state: gdl.State) -> MonteCarloSearch:
        """A search without playouts."""
        options = self.options
        settings = MonteCarloSettings(
            k=K.read(options),
            share=BANDIT.read(options),
            c=BANDIT_C.read(options),
            horizon=HORIZON.read(options),
        )
        return MonteCarloSearch(self.game, state, self.role, self.rng, settings)

    def ponder(self, state: gdl.State, deadline: Deadline) -> None:
        """Rest: what is sampled here says nothing of the next state."""


HEURISTIC = Option(
    "heuristic",
    one_of(tuple(HEURISTICS)),
    PATHS.heuristic,
    "how far a state seems to be from the goal: how many facts must change (facts; what the goal "
    "value lacks where that is not known), what the goal value lacks to 100 (goal), or none",
)
BYTES_PER_STATE = 2048
MAX_STATES = Option(
    "max_nodes", whole(1), PATHS.max_states, "the search stops when it holds so many states"
)
TREE = Option(
    "tree",
    one_of(("python", "lanes")),
    "python",
    "python: one state at a time, as in the textbooks; lanes: by the hundred, where the game is "
    "compiled and has one role; the distance is that of heuristic=facts",
)


class PathPlayer(SearchPlayer):
    """Plans during the startclock and follows the plan; goes on planning as long as it may improve.

    Where other roles move, it assumes that each makes its first legal move, and plans anew when
    they do not.
    """

    # Any: options of all types stand side by side.
    OPTIONS: ClassVar[tuple[Option[Any], ...]] = (MAX_STATES, ITERATIONS)
    METHOD: ClassVar[str]

    def set_up(self) -> None:
        """Read the options."""
        super().set_up()
        options = self.options
        on_lanes = TREE.read(options) == "lanes"
        max_states = fitting(MAX_STATES.read(options), BYTES_PER_STATE)
        self._settings = PathSettings(HEURISTIC.read(options), max_states, on_lanes)

    def new_search(self, state: gdl.State) -> PathSearch:
        """A search without a plan."""
        return PathSearch(self.game, state, self.role, self.METHOD, self._settings)


class BreadthFirstPlayer(PathPlayer):
    """Looks at all states one move away, then two: the first way to the goal is the shortest."""

    OPTIONS = (MAX_STATES, TREE, ITERATIONS)
    METHOD = "bfs"


class DepthFirstPlayer(PathPlayer):
    """Follows one way to its end before it tries the next."""

    METHOD = "dfs"


class IterativeDeepeningPlayer(PathPlayer):
    """Depth-first to one move, then to two: the shortest way, with hardly any memory."""

    OPTIONS = (ITERATIONS,)
    METHOD = "ids"


class BestFirstPlayer(PathPlayer):
    """Looks at the state first that seems closest to the goal."""

    OPTIONS = (HEURISTIC, MAX_STATES, TREE, ITERATIONS)
    METHOD = "bestfirst"


class AStarPlayer(PathPlayer):
    """Looks at the state first whose way so far and distance to the goal add up to the least."""

    OPTIONS = (HEURISTIC, MAX_STATES, TREE, ITERATIONS)
    METHOD = "astar"

"""Textbook players: legal, random, greedy, Monte Carlo, and players that search for a path."""

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
    """Makes the first legal move: the least that a game manager expects."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """Return the first legal move."""
        return self.legal_moves(state)[0]


class RandomPlayer(Player):
    """Makes a random legal move; all are equally likely.

    Each turn has its own seed. So a player that joins in the middle of a match moves like one that
    was there from the start.
    """

    def set_up(self) -> None:
        """Draw a seed, from which the seed of each turn is derived."""
        self._seed = self.rng.getrandbits(64)
        self._turn = 0

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """Return a uniformly random legal move."""
        # Sort by text, because different reasoners list the moves in different orders.
        moves = sorted(self.legal_moves(state), key=str)
        return random.Random(f"{self._seed}:{self._turn}").choice(moves)

    def advance(self, moves: Joint, state: gdl.State) -> None:
        """Count the turn, so that the next turn has another seed."""
        self._turn += 1


SELECT = Option(
    "select",
    one_of(tuple(RULES)),
    GREEDY.select,
    "which branch to grow next: the best one (utility), the least visited one (visits), or a "
    "compromise (exploit_explore, uct, deviation)",
)
GREEDY_C = Option("c", number(0), GREEDY.c, "weight of exploration in the rules uct and deviation")
GREEDY_NODES = Option(
    "max_nodes", whole(1), GREEDY.max_nodes, "the tree stops growing at this many nodes"
)
BYTES_PER_NODE = 4096


class GreedyPlayer(SearchPlayer):
    """Grows the most promising branch of the game tree, and estimates states by their goals."""

    OPTIONS = (SELECT, GREEDY_C, GREEDY_NODES, ITERATIONS, BOOK)

    def set_up(self) -> None:
        """Read the options."""
        super().set_up()
        options = self.options
        max_nodes = fitting(GREEDY_NODES.read(options), BYTES_PER_NODE)
        self._settings = GreedySettings(SELECT.read(options), GREEDY_C.read(options), max_nodes)

    def new_search(self, state: gdl.State) -> GreedySearch:
        """Return an empty tree with `state` at its root."""
        return GreedySearch(self.machine, state, self.role, self._settings)


K = Option("k", whole(0), MONTE_CARLO.k, "random games for each legal move; 0: as the clock allows")
BANDIT = Option(
    "bandit",
    one_of(SHARES),
    MONTE_CARLO.share,
    "how to share the games among the moves: equally (equal), or more games for moves that do well "
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
    "longest game in plies; a longer one stops and counts as undecided (50)",
)


class MonteCarloPlayer(SearchPlayer):
    """Makes the move after which random games end best on average."""

    OPTIONS = (K, BANDIT, BANDIT_C, HORIZON, ITERATIONS, BOOK)

    def new_search(self, state: gdl.State) -> MonteCarloSearch:
        """Return a new search that has no playouts yet."""
        options = self.options
        settings = MonteCarloSettings(
            k=K.read(options),
            share=BANDIT.read(options),
            c=BANDIT_C.read(options),
            horizon=HORIZON.read(options),
        )
        return MonteCarloSearch(self.game, state, self.role, self.rng, settings)

    def ponder(self, state: gdl.State, deadline: Deadline) -> None:
        """Do nothing, because playouts from this state would not be used in the next one."""


HEURISTIC = Option(
    "heuristic",
    one_of(tuple(HEURISTICS)),
    PATHS.heuristic,
    "how to estimate the distance to the goal: how many facts must change (facts; the same as goal "
    "if that is unknown), how many points the goal is below 100 (goal), or no estimate (none)",
)
BYTES_PER_STATE = 2048
MAX_STATES = Option(
    "max_nodes", whole(1), PATHS.max_states, "the search stops when it holds this many states"
)
TREE = Option(
    "tree",
    one_of(("python", "lanes")),
    "python",
    "python: one state at a time, as in the textbooks; lanes: hundreds at once, if the game is "
    "compiled and has one role, with the distance of heuristic=facts",
)


class PathPlayer(SearchPlayer):
    """A player that plans during the startclock, follows the plan and improves it while possible.

    It assumes that each other role makes its first legal move, and plans anew if one does not.
    """

    # Any, because options have values of different types.
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
        """Return a new search that has no plan yet."""
        return PathSearch(self.game, state, self.role, self.METHOD, self._settings)


class BreadthFirstPlayer(PathPlayer):
    """Searches all states one move away, then two, and so on; so its first plan is the shortest."""

    OPTIONS = (MAX_STATES, TREE, ITERATIONS)
    METHOD = "bfs"


class DepthFirstPlayer(PathPlayer):
    """Follows one path to its end before it tries the next."""

    METHOD = "dfs"


class IterativeDeepeningPlayer(PathPlayer):
    """Searches depth-first to one move, then two, and so on: a shortest plan, in little memory."""

    OPTIONS = (ITERATIONS,)
    METHOD = "ids"


class BestFirstPlayer(PathPlayer):
    """Expands the state that seems closest to the goal first."""

    OPTIONS = (HEURISTIC, MAX_STATES, TREE, ITERATIONS)
    METHOD = "bestfirst"


class AStarPlayer(PathPlayer):
    """First expands the state whose path, plus the estimated distance to the goal, is shortest."""

    OPTIONS = (HEURISTIC, MAX_STATES, TREE, ITERATIONS)
    METHOD = "astar"

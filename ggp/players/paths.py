"""The players that plan: they search a path to the best end, keep it, and follow it."""

from __future__ import annotations

from typing import Any, ClassVar

import gdl
from ggp.players.memory import fitting
from ggp.players.options import Option, one_of, whole
from ggp.players.searching import ITERATIONS, SearchPlayer
from ggp.search.textbook.paths.planner import DEFAULTS, HEURISTICS, PathSearch, PathSettings

HEURISTIC = Option(
    "heuristic",
    one_of(tuple(HEURISTICS)),
    DEFAULTS.heuristic,
    "how far a state seems to be from the goal: how many facts must change (facts; what the goal "
    "value lacks where that is not known), what the goal value lacks to 100 (goal), or none",
)
BYTES_PER_STATE = 2048
MAX_NODES = Option(
    "max_nodes", whole(1), DEFAULTS.max_states, "the search stops when it holds so many states"
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
    OPTIONS: ClassVar[tuple[Option[Any], ...]] = (MAX_NODES, ITERATIONS)
    METHOD: ClassVar[str]

    def set_up(self) -> None:
        """Read the options."""
        super().set_up()
        options = self.options
        on_lanes = TREE.read(options) == "lanes"
        max_states = fitting(MAX_NODES.read(options), BYTES_PER_STATE)
        self._settings = PathSettings(HEURISTIC.read(options), max_states, on_lanes)

    def new_search(self, state: gdl.State) -> PathSearch:
        """A search without a plan."""
        return PathSearch(self.game, state, self.role, self.METHOD, self._settings)


class BreadthFirstPlayer(PathPlayer):
    """Looks at all states one move away, then two: the first way to the goal is the shortest."""

    OPTIONS = (MAX_NODES, TREE, ITERATIONS)
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

    OPTIONS = (HEURISTIC, MAX_NODES, TREE, ITERATIONS)
    METHOD = "bestfirst"


class AStarPlayer(PathPlayer):
    """Looks at the state first whose way so far and distance to the goal add up to the least."""

    OPTIONS = (HEURISTIC, MAX_NODES, TREE, ITERATIONS)
    METHOD = "astar"

"""The player `mcts`: Monte Carlo tree search with a tree that it keeps from turn to turn."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, partial
from importlib.metadata import version
from typing import TYPE_CHECKING

import gdl
from ggp.clock import Deadline
from ggp.cluster.connection import ClusterError, require_ray
from ggp.players.evaluation_options import (
    AUTO,
    BOOK,
    NETWORK,
    NONE,
    SHARE,
    PlayersNetwork,
    network_from,
)
from ggp.players.lane_options import LANE_OPTIONS, ROUNDS, VARIANT, with_lane_options
from ggp.players.live_learning import (
    LEARN,
    OFF,
    ON,
    SEED_RANGE,
    LearningSearch,
    LiveLearning,
    can_be_learned,
    wish,
)
from ggp.players.options import Option, PlayerSpecError, number, one_of, or_word, whole
from ggp.players.resources import THREADS, fitting
from ggp.players.searching import ITERATIONS, SearchPlayer
from ggp.search.core import Search
from ggp.search.core.choices import TurnUnknownError, is_deterministic_solo
from ggp.search.core.root import FINAL_RULES
from ggp.search.distributed.tree_keeper import PACKAGE, Position, SearchOrder
from ggp.search.fast.lanes import ALPHABETA, NETWORK_C, PLAIN, LaneSettings, has_lanes
from ggp.search.fast.lanes import DEFAULTS as LANE_DEFAULTS
from ggp.search.textbook.mcts.search import DEFAULTS, MctsSearch, MctsSettings
from ggp.search.textbook.mcts.solo import SoloSearch

if TYPE_CHECKING:  # so that other players do not wait for these imports
    from ggp.search.distributed.search import Machines
    from ggp.search.fast.tree.search import LaneSearch

EXPLORATION = Option(
    "c",
    or_word(number(0), "auto"),
    "auto",
    f"weight of exploration in UCB1, for rewards from 0 to 1; auto: {LANE_DEFAULTS.c} on lanes, "
    f"{NETWORK_C} with a network, {DEFAULTS.c} in the Python tree",
)
FINAL = Option(
    "final",
    one_of(FINAL_RULES),
    DEFAULTS.final,
    "which move to make: the one with the most visits, or the one with the best mean value",
)
MAX_NODES = Option(
    "max_nodes",
    whole(1),
    DEFAULTS.max_nodes,
    "the tree stops growing at this many nodes; playouts continue",
)
HORIZON = Option(
    "horizon",
    whole(1),
    DEFAULTS.horizon,
    "longest playout in plies; a longer one stops and counts as undecided (50)",
)

MEBIBYTE = 1 << 20
MAX_MEBIBYTES = 1 << 16
ALPHABETA_BYTES = 64 * MEBIBYTE
BYTES_PER_NODE = 1024
BYTES_PER_PYTHON_NODE = 4096
"""Size of a node, including the states that the interpreter keeps for it, in a game of medium
size."""

MEMORY = Option(
    "memory",
    whole(1, MAX_MEBIBYTES),
    1024,
    "megabytes for the tree on lanes, but at most half of the memory that the process has left; "
    "when they are full, the search drops the nodes that it has not visited for longest",
)
MAX_MACHINES = 64
NODES = Option(
    "nodes",
    whole(1, MAX_MACHINES),
    1,
    "machines that search, each with its own tree: this one, and others of the Ray cluster that "
    "RAY_ADDRESS names or that this machine belongs to",
)
TREE = Option(
    "tree",
    one_of(("auto", "lanes", "python")),
    "auto",
    "lanes: hundreds of states at once, on compiled games; python: one state at a time, in any "
    "game; auto: lanes if possible and if iterations is 0",
)

UNTIL = Option(
    "until",
    one_of(("move", "value")),
    "move",
    "when to move before the time is over: as soon as all other moves are refuted (move), or only "
    "when the value is proven (value)",
)


class MctsPlayer(SearchPlayer):
    """Estimates moves by random playouts, with more playouts after moves that have done well.

    In a game of one role it looks for a complete plan to the best goal instead, and follows it.
    """

    OPTIONS = (
        *(EXPLORATION, FINAL, MAX_NODES, HORIZON, ITERATIONS, UNTIL, BOOK),
        *(MEMORY, TREE, THREADS, NODES, NETWORK, SHARE, LEARN, *LANE_OPTIONS),
    )

    def set_up(self) -> None:
        """Read the options."""
        super().set_up()
        options = self.options
        c = EXPLORATION.read(options)
        self._until_value = UNTIL.read(options) == "value"
        self._network: PlayersNetwork | None = None
        self._has_looked = False  # whether the player has looked for a network
        self._learning: LiveLearning | None = None
        self._settings = MctsSettings(
            c=DEFAULTS.c if isinstance(c, str) else c,
            final=FINAL.read(options),
            max_nodes=fitting(MAX_NODES.read(options), BYTES_PER_PYTHON_NODE),
            horizon=HORIZON.read(options),
        )
        self._variant = VARIANT.read(options)
        self._tree = TREE.read(options)
        self._memory = MEMORY.read(options) * MEBIBYTE
        self._threads = THREADS.read(options)
        self._others = NODES.read(options) - 1
        self._machines: Machines | None = None
        if self._others:
            self._check_cluster()
        if MAX_NODES.name in options:
            self._memory = min(self._memory, MAX_NODES.read(options) * BYTES_PER_NODE)

    def new_search(self, state: gdl.State) -> Search:
        """Return an empty tree, or in a game of one role a search for complete plans."""
        if is_deterministic_solo(self.machine.roles):
            plan = self._plan_on_lanes(state)
            return plan or SoloSearch(self.game, state, self.rng, self._settings)
        search = (
            self._search_in_depth(state)
            or self._search_on_lanes(state)
            or self._search_in_python(state)
        )
        return self._with_others(search) if self._others else search

    def prepare(self, state: gdl.State, deadline: Deadline) -> None:
        """Choose the variant, and search from the initial state while the learner trains."""
        if self._goes_on(state):
            self._race(deadline)
            self._search_at(state)  # before the learner starts, to derive data from the rules
            if learning := self._learning_beside():
                learning.set_variant(self._variant_of_game())
                learning.prepare(deadline)
        super().prepare(state, deadline)

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """Return the best move that the search finds with the newest network."""
        if learning := self._learning_beside():
            learning.choose(deadline)
        return super().choose(state, deadline)

    def ponder(self, state: gdl.State, deadline: Deadline) -> None:
        """Continue the search while the learner trains."""
        if learning := self._learning_beside():
            learning.ponder()
        super().ponder(state, deadline)

    def report(self, move: gdl.Move, **thoughts: object) -> None:
        """Report the best move so far, and the network or variant that found it."""
        network = self._network_in_use
        if network is not None and "visits" in thoughts:
            thoughts["network"] = network.name
        elif self._variant not in (AUTO, PLAIN) and "visits" in thoughts:
            thoughts["variant"] = self._variant
        super().report(move, **thoughts)

    def _variant_of_game(self) -> str:
        """Return the variant of the search in use, and choose it if the options do not."""
        if self._variant == AUTO:
            self._variant = self._suitable_variants[0]
        return self._variant

    @cached_property
    def _suitable_variants(self) -> tuple[str, ...]:
        from ggp.search.fast.tree.variant_choice import suitable_variants

        return suitable_variants(self.game, self.rng.randrange(SEED_RANGE))

    def _race(self, deadline: Deadline) -> None:
        """Choose the variant of the search by short matches, if the options do not name it."""
        is_given = VARIANT.read(self.options) != AUTO
        is_counted = self.rounds is not None or ROUNDS.read(self.options) > 0
        if is_given or is_counted or self.belief is not None:
            return
        if not self._may_use_lanes or not has_lanes(self.game) or self._network_of_game():
            return
        from ggp.training.live.variant_race import race

        variants = [v for v in self._suitable_variants if v != ALPHABETA or not self._others]
        seed, learning = self.rng.randrange(SEED_RANGE), self._learning
        goes_on = learning is None or not learning.needs_startclock
        self._variant = race(self.game, variants, deadline, seed, goes_on=goes_on)
        if self._variant == ALPHABETA:
            self._learning = None  # networks are for searches on lanes

    def _check_cluster(self) -> None:
        """Raise PlayerSpecError if the search cannot use other machines.

        The reason is an option that forbids this, or a missing package.
        """
        if self.rounds is not None:
            raise PlayerSpecError("option nodes: cannot be combined with iterations; drop one")
        if NETWORK.kind.names_file(NETWORK.read(self.options)):  # others lack this file
            raise PlayerSpecError(
                "option nodes: cannot be combined with the file of a network; drop one"
            )
        try:
            require_ray()
        except ClusterError as error:
            raise PlayerSpecError(f"option nodes: {error}") from error

    def _with_others(self, search: Search) -> Search:
        """Return a search that runs `search` here and lets other machines search the same state."""
        from ggp.search.distributed.search import ClusterSearch, Machines

        facts = self.game.facts(search.state)
        if self._machines is None:
            position = Position(0, facts)
            self._machines = Machines(self._order(), position, self._others, self._threads)
        else:
            position = Position(self._machines.position.number + 1, facts)
            self._machines.move_to(position)
        return ClusterSearch(search, self.game, self._machines, self.rng.randrange(1 << 31))

    def _order(self) -> SearchOrder:
        """Return the order for other machines. They search like this one, but with other seeds."""
        assert self.game.rulesheet is not None
        own = {NODES.name, BOOK.name}
        options = {name: text for name, text in self.options.items() if name not in own}
        options[NETWORK.name] = NONE
        options[VARIANT.name] = self._variant
        make = partial(_search_for, self.role, options)
        return SearchOrder(self.game.rulesheet, version(PACKAGE), make, self.rng.randrange(1 << 31))

    @property
    def _may_use_lanes(self) -> bool:
        is_wanted = self._tree == "lanes" or (self._tree == "auto" and self.rounds is None)
        return is_wanted and self.game.simulator is not None

    def _plan_on_lanes(self, state: gdl.State) -> Search | None:
        if not self._may_use_lanes:
            return None
        # Imported here so that players without lanes do not wait for numba.
        from ggp.search.fast.puzzles.board import can_search
        from ggp.search.fast.puzzles.search import SingleAgentSearch, SingleAgentSettings

        if not can_search(self.game):
            return None
        settings = SingleAgentSettings(fitting(self._memory), self._settings.horizon)
        try:
            return SingleAgentSearch(self.game, state, self.rng.randrange(1 << 31), settings)
        except TurnUnknownError:
            return None

    def _search_in_depth(self, state: gdl.State) -> Search | None:
        """Return alpha-beta search if it has won the race."""
        if self._variant != ALPHABETA:
            return None
        from ggp.training.live.variant_race import alphabeta

        side = alphabeta(self.game, fitting(min(self._memory, ALPHABETA_BYTES)))
        assert side is not None
        return side.search(self.game, state, self.role, self.rng.randrange(SEED_RANGE))

    def _search_on_lanes(self, state: gdl.State) -> Search | None:
        if not self._may_use_lanes:
            return None
        from ggp.search.fast.tree.parallel import ParallelSearch

        if not has_lanes(self.game):
            return None
        memory = fitting(self._memory) // self._threads
        try:
            trees = [self._tree_on_lanes(state, memory) for _ in range(self._threads)]
        except TurnUnknownError:
            return None
        if len(trees) > 1:
            return ParallelSearch(trees)
        if self._learning is None:
            return trees[0]
        return LearningSearch(trees[0], self._learning, self._tree_in_room)

    def _tree_in_room(self, state: gdl.State) -> LaneSearch:
        """Return an empty tree that fits into the memory that this process may still use."""
        return self._tree_on_lanes(state, fitting(self._memory))

    def _tree_on_lanes(self, state: gdl.State, memory: int) -> LaneSearch:
        """Return an empty tree of at most `memory` bytes."""
        from ggp.search.fast.tree.search import LaneSearch

        network, c = self._network_of_game(), EXPLORATION.read(self.options)
        if isinstance(c, str):
            c = LANE_DEFAULTS.c if network is None else NETWORK_C
        settings = LaneSettings(
            c=c,
            memory=memory,
            horizon=self._settings.horizon,
            final=self._settings.final,
            child_values=network is not None,
            variant=PLAIN if network is not None else self._variant_of_game(),
        )
        settings = with_lane_options(settings, self.options)
        values = None if network is None else network.leaf_values()
        seed = self.rng.randrange(SEED_RANGE)
        return LaneSearch(self.game, state, self.role, seed, settings, values)

    def _network_of_game(self) -> PlayersNetwork | None:
        """Return the network in use, or None. Look for it only once.

        If other machines search, no network is used, because they do not have its file.
        """
        if not self._has_looked and not self._others:
            self._has_looked = True
            self._network = network_from(self.options, self.game)
            self._learning = self._new_learning()
        return self._network_in_use

    @property
    def _network_in_use(self) -> PlayersNetwork | None:
        return self._network if self._learning is None else self._learning.network

    def _learning_beside(self) -> LiveLearning | None:
        """Return the `LiveLearning` of this match, or None if no network is trained."""
        if self.learner is not None and self._may_use_lanes and has_lanes(self.game):
            self._network_of_game()
        return self._learning

    def _new_learning(self) -> LiveLearning | None:
        options, wanted = self.options, wish(self.options)
        if self.learner is None or wanted == OFF or (wanted == AUTO and self._network is not None):
            return None
        is_given = not NETWORK.read(options) == AUTO == SHARE.read(options)
        is_counted = self.rounds is not None or ROUNDS.read(options) > 0
        is_fit = self.belief is None and can_be_learned(self.game)
        if is_given or is_counted or self._threads > 1 or not is_fit:
            return None
        seed = self.rng.randrange(SEED_RANGE)
        learning = LiveLearning(self.learner, self.game, self._network, wanted == ON, seed)
        learning.set_variant(self._variant_of_game())
        return learning

    def _search_in_python(self, state: gdl.State) -> Search:
        return MctsSearch(self.machine, state, self.role, self.rng, self._settings)


def _search_for(
    role: gdl.Role, options: Mapping[str, str], game: gdl.Game, state: gdl.State, seed: int
) -> Search:
    return MctsPlayer(game, role, options, seed).new_search(state)

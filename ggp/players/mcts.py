"""The Monte Carlo player: UCT over a tree that it keeps."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
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
from ggp.players.options import Option, PlayerSpecError, number, one_of, or_word, share, whole
from ggp.players.resources import THREADS, fitting
from ggp.players.searching import ITERATIONS, SearchPlayer
from ggp.search.core import Search
from ggp.search.core.choices import TurnUnknownError, is_deterministic_solo
from ggp.search.core.root import FINAL_RULES
from ggp.search.distributed.tree_keeper import PACKAGE, Position, SearchOrder
from ggp.search.fast.lanes import DEFAULTS as LANE_DEFAULTS
from ggp.search.fast.lanes import NETWORK_C, PLAIN, VARIANTS, LaneSettings, has_lanes
from ggp.search.textbook.mcts.search import DEFAULTS, MctsSearch, MctsSettings
from ggp.search.textbook.mcts.solo import SoloSearch

if TYPE_CHECKING:  # who plays alone does not wait for it
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
    "the move made: the one with the most visits, or the one with the best mean value",
)
MAX_NODES = Option(
    "max_nodes",
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
MOST_MACHINES = 64
NODES = Option(
    "nodes",
    whole(1, MOST_MACHINES),
    1,
    "machines that search, each with a tree of its own: this one, and others of the Ray cluster "
    "that RAY_ADDRESS names or that this one belongs to",
)
TREE = Option(
    "tree",
    one_of(("auto", "lanes", "python")),
    "auto",
    "lanes: states by the hundred on the compiled game; python: one at a time, in any game; "
    "auto: lanes where that is possible and the rounds are not counted",
)

MIX = Option(
    "mix",
    one_of(("yes", "no")),
    "yes",
    "on lanes, whether a move that several roles make at once is drawn by lot, so that nobody can "
    "foresee it; no: the best one is made",
)
PLAYING = Option(
    "playing",
    share(0.95),
    LANE_DEFAULTS.playing,
    "on lanes, share of the time for random games: the more, the more of them a leaf gets",
)
ROUNDS = Option(
    "rounds",
    whole(0),
    LANE_DEFAULTS.rounds,
    "on lanes, times that all lanes play for a batch; 0: as many as give playouts their share of "
    "the time",
)
GOAL_BOUNDS = Option(
    "prospects",
    one_of(("on", "off")),
    "on" if LANE_DEFAULTS.goal_bounds else "off",
    "on lanes, whether a node begins with bounds that the rules alone tell: a goal that nothing "
    "can bring any more is ruled out at once",
)
DECISIVE_MOVES = Option(
    "foresight",
    one_of(("on", "off")),
    "on" if LANE_DEFAULTS.decisive_moves else "off",
    "on lanes, whether it is seen who wins at once: such a node is decided, and in random games "
    "nobody misses a win in one, or allows one without need",
)
LEAVES = Option(
    "leaves",
    whole(1),
    LANE_DEFAULTS.leaves,
    "on lanes, how many leaves are chosen at most before what they bring is known",
)
VARIANT = Option(
    "variant",
    one_of((AUTO, *VARIANTS)),
    AUTO,
    "on lanes without a network, whether playouts prefer moves that did well (biased) or not "
    "(plain); auto: what wins short matches in the startclock, plain if there is no time for them",
)
UNTIL = Option(
    "until",
    one_of(("move", "value")),
    "move",
    "when a move is made before the time is over: as soon as all others are refuted, or only when "
    "its value is proven",
)
LANE_OPTIONS = (DECISIVE_MOVES, GOAL_BOUNDS, PLAYING, LEAVES, ROUNDS, MIX, VARIANT)
RACE_SHARE = 0.4
"""Of the startclock, at most, for the race of variants."""


class MctsPlayer(SearchPlayer):
    """Estimates moves by random playouts, and looks more often where they go well.

    In a game of one role it looks for a whole way to the best goal instead, and plays it to its
    end.
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
        self._has_looked = False  # for a network
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
        """An empty tree; for a player that is alone, one that looks for whole ways to the end."""
        if is_deterministic_solo(self.machine.roles):
            plan = self._plan_on_lanes(state)
            return plan or SoloSearch(self.game, state, self.rng, self._settings)
        search = self._search_on_lanes(state) or self._search_in_python(state)
        return self._with_others(search) if self._others else search

    def prepare(self, state: gdl.State, deadline: Deadline) -> None:
        """Search from the initial state, and have the game learned meanwhile.

        What is not learned is searched by the variant that wins a race before, unless it is told.
        """
        if self._goes_on(state):
            if self._variant == AUTO:
                self._race(deadline)
            self._search_at(state)  # it asks for what is made of the rules: before the learner
            if learning := self._learning_beside():
                learning.prepare(deadline)
        super().prepare(state, deadline)

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """The best move that the search finds, by the newest network that was learned."""
        if learning := self._learning_beside():
            learning.choose(deadline)
        return super().choose(state, deadline)

    def ponder(self, state: gdl.State, deadline: Deadline) -> None:
        """Search on, and have the game learned meanwhile."""
        if learning := self._learning_beside():
            learning.ponder()
        super().ponder(state, deadline)

    def report(self, move: gdl.Move, **thoughts: object) -> None:
        """Report the best move so far, and the network by which it was found."""
        network = self._network_in_use
        if network is not None and "visits" in thoughts:
            thoughts["network"] = network.name
        elif self._variant not in (AUTO, PLAIN) and "visits" in thoughts:
            thoughts["variant"] = self._variant
        super().report(move, **thoughts)

    def _race(self, deadline: Deadline) -> None:
        """Let the variants play a part of the startclock, where they can."""
        is_counted = self.rounds is not None or ROUNDS.read(self.options) > 0
        if is_counted or not self._may_use_lanes or self._network_of_game() is not None:
            return
        if self._learning_beside() is not None:  # its tests of networks need that time
            return
        from ggp.training.arena.variant_race import race_within

        seed = self.rng.randrange(SEED_RANGE)
        self._variant = race_within(self.game, deadline, RACE_SHARE, seed)

    def _check_cluster(self) -> None:
        """See that other machines can be asked at all."""
        if self.rounds is not None:
            raise PlayerSpecError("option nodes: expected no option iterations beside it")
        if NETWORK.kind.names_file(NETWORK.read(self.options)):  # which other machines lack
            raise PlayerSpecError("option nodes: expected no option network beside it")
        try:
            require_ray()
        except ClusterError as error:
            raise PlayerSpecError(f"option nodes: {error}") from error

    def _with_others(self, search: Search) -> Search:
        """A search together with other machines, which are sent to where it begins."""
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
        """The order for another machine: the same as this one, with a seed of its own."""
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
        # Not at the top: whoever plays without lanes does not wait for numba.
        from ggp.search.fast.puzzles.board import can_search
        from ggp.search.fast.puzzles.search import SingleAgentSearch, SingleAgentSettings

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
        """One tree, in what memory is left now."""
        return self._tree_on_lanes(state, fitting(self._memory))

    def _tree_on_lanes(self, state: gdl.State, memory: int) -> LaneSearch:
        """One tree, in so many bytes."""
        from ggp.search.fast.tree.search import LaneSearch

        network, c = self._network_of_game(), EXPLORATION.read(self.options)
        if isinstance(c, str):
            c = LANE_DEFAULTS.c if network is None else NETWORK_C
        options = self.options
        settings = LaneSettings(
            c=c,
            memory=memory,
            horizon=self._settings.horizon,
            decisive_moves=DECISIVE_MOVES.read(options) == "on",
            goal_bounds=GOAL_BOUNDS.read(options) == "on",
            playing=PLAYING.read(options),
            leaves=LEAVES.read(options),
            rounds=ROUNDS.read(options),
            final=self._settings.final,
            child_values=network is not None,
            is_mixing=MIX.read(options) == "yes",
            variant=PLAIN if self._variant == AUTO else self._variant,
        )
        values = None if network is None else network.leaf_values()
        seed = self.rng.randrange(SEED_RANGE)
        return LaneSearch(self.game, state, self.role, seed, settings, values)

    def _network_of_game(self) -> PlayersNetwork | None:
        """The network, which is looked for once; other machines would not have it."""
        if not self._has_looked and not self._others:
            self._has_looked = True
            self._network = network_from(self.options, self.game)
            self._learning = self._new_learning()
        return self._network_in_use

    @property
    def _network_in_use(self) -> PlayersNetwork | None:
        return self._network if self._learning is None else self._learning.network

    def _learning_beside(self) -> LiveLearning | None:
        """Learning of the game beside the search; None where nothing is to be learned."""
        if self.learner is not None and self._may_use_lanes and has_lanes(self.game):
            self._network_of_game()
        return self._learning

    def _new_learning(self) -> LiveLearning | None:
        options, wanted = self.options, wish(self.options)
        if self.learner is None or wanted == OFF or (wanted == AUTO and self._network is not None):
            return None
        is_told = not NETWORK.read(options) == AUTO == SHARE.read(options)
        is_counted = self.rounds is not None or ROUNDS.read(options) > 0
        is_fit = self.belief is None and can_be_learned(self.game)
        if is_told or is_counted or self._threads > 1 or not is_fit:
            return None
        seed = self.rng.randrange(SEED_RANGE)
        return LiveLearning(self.learner, self.game, self._network, wanted == ON, seed)

    def _search_in_python(self, state: gdl.State) -> Search:
        return MctsSearch(self.machine, state, self.role, self.rng, self._settings)


def _search_for(
    role: gdl.Role, options: Mapping[str, str], game: gdl.Game, state: gdl.State, seed: int
) -> Search:
    """The search of a player with these options."""
    return MctsPlayer(game, role, options, seed).new_search(state)

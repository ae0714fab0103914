"""The search on lanes: Monte Carlo tree search that computes hundreds of states at once.

search = LaneSearch(game, state, role, seed=1)
while not deadline.is_over() and search.step(deadline):
    ...
search.result().move
"""

from __future__ import annotations

import random
import time

import numpy as np

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Joint, TurnUnknownError, random_index, require_moves
from ggp.search.core.result import Effort, SearchResult
from ggp.search.fast.lanes import BIASED, DEFAULTS, LaneSettings
from ggp.search.fast.tree.backup import DEEPEST, ROUNDS, make_paths
from ggp.search.fast.tree.choosing import make_selection_parameters
from ggp.search.fast.tree.expansion import (
    add_node,
    branching_of,
    collect_leaves,
    expand_and_back_up,
)
from ggp.search.fast.tree.leaf_values import (
    PARTS_OF_A_POINT,
    ChildValues,
    DecisiveMoves,
    LeafGoalBounds,
    LeafValues,
    leaf_batch_of,
    mix_in,
)
from ggp.search.fast.tree.move_history import MoveHistory
from ggp.search.fast.tree.nodes import (
    BEST,
    NODES,
    NOW,
    OPEN,
    WORST,
    PoolSizes,
    bytes_in_use,
    clear,
    find_node,
    make_pool,
)
from ggp.search.fast.tree.opponents import Forecast, Opponents
from ggp.search.fast.tree.prove import reset_bounds
from ggp.search.fast.tree.ranking import Ranking
from ggp.search.fast.tree.recycling import Recycler
from ggp.search.fast.tree.selection import descend, drop_paths
from ggp.search.fast.tree.state_graph import StateGraph
from ggp.search.kernels.arrays import NONE

NAP_SECONDS = 0.005  # how long to rest before looking at the deadline again
GUESS_VISITS = 4  # how many visits the advantage of a move counts as
MIN_LEAVES = 32  # minimum number of leaves in a batch
BATCHES_OF_A_TURN = 32  # wanted at least, because the results of a batch guide only later ones
MAX_ROUNDS = 64  # maximum number of playouts of a lane for one batch
SMOOTHING = 0.1  # weight of the last batch when the number of playouts is adjusted
GRAPH_SHARE = 16  # the state graph gets 1/16 of the memory
ROUNDS_A_LEAF = 8  # maximum iterations per leaf of a batch; some end at closed nodes


class LaneSearch:
    """A search with a tree. `step` grows the tree, and `advance` keeps it from move to move.

    Attributes:
        state: The state at the root.
        num_playouts: Number of playouts so far.
        sample: A random number from 0 to 1 for each turn. It selects the move if moves are drawn.
    """

    def __init__(
        self,
        game: gdl.Game,
        state: gdl.State,
        role: gdl.Role,
        seed: int,
        settings: LaneSettings = DEFAULTS,
        leaf_values: LeafValues | None = None,
    ) -> None:
        """Create a search with an empty tree. `has_lanes` must be true for the game.

        Args:
            leaf_values: Evaluates leaves, instead of playouts or in addition to them.

        Raises:
            TurnUnknownError: The state does not show which circuit applies.
            StuckError: A role has no legal move there.
        """
        require_moves(game, state)
        self.game = game
        self.settings = settings
        self.own = game.roles.index(role)
        self.num_playouts = 0
        # Moves made since the search started, and whether the tree relies on roles now in doubt.
        self._plies, self._is_outdated = 0, False
        self._rng = random.Random(seed)
        self.sample = self._rng.random()
        chance = NONE if (number := random_index(game)) is None else number
        self._leaf_values = leaf_values
        is_biased = settings.variant == BIASED and leaf_values is None
        kinds = game.move_kinds if is_biased else None
        simulator = game.simulator if kinds is None else kinds.simulator
        assert simulator is not None
        self._expander = expander = simulator.expander(seed, counts_moves=is_biased)
        sizes = PoolSizes(expander.num_roles, expander.num_words, *branching_of(expander, seed))
        self._leaves = leaf_batch_of(expander)
        self._child_values: ChildValues | None = None
        if leaf_values is not None and settings.child_values:
            self._child_values = ChildValues(game, self._leaves, leaf_values, seed)
        graph_bytes = (
            settings.memory // GRAPH_SHARE if settings.state_graph and chance == NONE else 0
        )
        self._graph = StateGraph(expander, self._leaves, graph_bytes)
        self._pool = make_pool(
            settings.memory - graph_bytes,
            sizes,
            seed,
            has_priors=self._child_values is not None,
            has_advantages=is_biased,
        )
        self._history = MoveHistory(len(expander.inputs) if is_biased else 0)
        self._paths = make_paths(expander.num_phases, expander.num_leaves_max, expander.num_roles)
        self._goal_bounds = LeafGoalBounds(game, self._leaves) if settings.goal_bounds else None
        self._decisive_moves: DecisiveMoves | None = None
        if settings.decisive_moves:
            self._decisive_moves = DecisiveMoves(
                game, self._leaves, seed, counts_moves=is_biased, kinds=kinds
            )
            if settings.rounds:
                self._decisive_moves.wait()  # so that the same seed gives the same tree
        self._opponents = Opponents(expander.inputs, expander.num_roles, self.own, chance)
        self._opponents.apply_to(self._pool)
        self._selection = make_selection_parameters(
            settings.c,
            settings.minimax if self._child_values is not None else 0.0,
            GUESS_VISITS if is_biased else 0,
            chance,
            self._opponents.beliefs,
        )
        self._rounds = float(self.settings.rounds or 1)
        self._recycler = Recycler(self._pool)
        # CPU time of the last two batches. A single one may have waited for kernels.
        self._seconds_played, self._last_two = 0.0, (0.0, 0.0)
        self._chances: dict[int, float] = {}  # see `Forecast`; by edge at the root
        self._plant(state, self._phase_of(state))

    # --- What players ask ---------------------------------------------------------------------

    @property
    def effort(self) -> Effort:
        """The work so far, and the memory held."""
        counters = self._paths.counters
        return Effort(
            num_iterations=int(counters[ROUNDS] - self._paths.nums.sum()),  # finished ones
            num_playouts=self.num_playouts,
            num_nodes=int(self._pool.used[NODES]),
            depth=int(counters[DEEPEST]),
            num_bytes=bytes_in_use(self._pool) + self._graph.num_bytes,
        )

    @property
    def is_decided(self) -> bool:
        """Whether the move is final, because it is forced or proven best."""
        return not self._is_outdated and self._ranking().is_decided

    @property
    def bounds(self) -> list[tuple[float, float]]:
        """The bounds of each of our moves, in the order of the legal moves."""
        return list(self._ranking().limits.values())

    def step(self, deadline: Deadline) -> bool:
        """Run one batch of iterations, or rest if it would end after the deadline.

        Return False if nothing is left to search.
        """
        if self._is_outdated:
            self._begin_again()
        if self._pool.is_closed[self._root] and self._ranking().is_decided:
            return False
        remaining = deadline.remaining()
        if self._pool.visits[self._root] and remaining < min(self._last_two):
            time.sleep(min(remaining, NAP_SECONDS))
            return True
        self._run_batch(self._num_leaves(deadline))
        if self._graph.grow(self._batch_seconds, deadline):
            self._begin_again()
        return True

    def advance(self, moves: Joint, state: gdl.State) -> None:
        """Move the root to `state`, to which the joint move `moves` led, and keep what is known.

        This takes hardly any time. Nodes that cannot be reached any more are dropped later, when
        memory is needed.
        """
        self._drop_paths()
        untrusted_before = self._opponents.untrusted
        self._opponents.observe(self._pool, self._root, moves)
        # The choices of these roles have proven what they do not prove any more. Until the search
        # continues, the tree still shows what their next moves say about them.
        self._is_outdated |= not set(self._opponents.untrusted).issubset(untrusted_before)
        phase = (int(self._pool.phases[self._root]) + 1) % self._expander.num_phases
        self._plies += 1
        self._history.begin_turn()
        self._plant(state, phase)
        self.sample = self._rng.random()

    def go_to(self, state: gdl.State) -> None:
        """Move the root to any state, and keep what is known below it.

        Raises:
            TurnUnknownError: The state does not show which circuit applies.
            StuckError: A role has no legal move there.
        """
        require_moves(self.game, state)
        phase = self._phase_of(state)
        self._drop_paths()
        self._plant(state, phase)

    def value_by(self, leaf_values: LeafValues) -> None:
        """Evaluate leaves with another network from now on, and keep the tree.

        The search must have had a network before.
        """
        assert self._child_values is not None
        self._drop_paths()
        self._leaf_values = leaf_values
        self._child_values.value_by(leaf_values)

    def make_room(self) -> None:
        """Drop the least recently visited nodes at once."""
        self._recycler.sweep(self._drop_paths)
        self._reset_root_bounds()

    def result(self) -> SearchResult:
        """Return the best move so far, or the first legal one if nothing was searched yet."""
        self._drop_paths()
        ranking = self._ranking()
        if (equals := ranking.equals) and self._chances.keys() != set(equals):
            forecast = Forecast(self._pool, self._expander, self.own)
            self._chances = forecast.of(self._root, equals)
            ranking = self._ranking()
        return ranking.result(self.sample)

    def result_of(self, role: gdl.Role) -> SearchResult:
        """Return the result for any role, even one without a choice."""
        self._drop_paths()
        return self._ranking(self.game.roles.index(role)).result()

    # --- Batches ------------------------------------------------------------------------------

    def _run_batch(self, num: int) -> None:
        """Start iterations until a phase has `num` leaves, and finish those of this phase."""
        self._recycler.work(self._batch_seconds, self._drop_paths)
        self._pool.used[NOW] += 1
        start = time.thread_time()
        phase = descend(
            self._pool, self._paths, self._root, num, ROUNDS_A_LEAF * num, self._selection
        )
        if phase != NONE:
            playing = self._finish(phase)
            self._balance(playing, time.thread_time() - start - playing)
        # Ignore the clock if the same seed must give the same tree.
        seconds = 0.0 if self.settings.rounds else time.thread_time() - start
        self._last_two = self._batch_seconds, seconds

    @property
    def _batch_seconds(self) -> float:
        """CPU time of the last batch; 0 if iterations are counted."""
        return self._last_two[1]

    def _finish(self, phase: int) -> float:
        """Compute the leaves of a phase and finish their iterations.

        Return the seconds spent on playouts.
        """
        expander, pool, paths = self._expander, self._pool, self._paths
        num = collect_leaves(pool, paths, phase, expander.parents, expander.moves)
        expander.expand(num, phase)
        following = (phase + 1) % expander.num_phases
        self._write_known(num, following)
        self._seconds_played = 0.0
        per_leaf = self._evaluate(num, following)
        self._history.note_paths(pool, paths, phase, expander.totals, per_leaf)
        expand_and_back_up(pool, paths, phase, self._leaves, per_leaf, self._selection.chance)
        return self._seconds_played

    def _write_known(self, num: int, phase: int) -> None:
        """Write what is known about `num` children of a phase without search.

        These are bounds on their values, and the advantages of their moves.
        """
        self._history.write_advantages(self._leaves, num)
        self._leaves.lower[:num], self._leaves.upper[:num] = WORST, BEST
        self._leaves.lengths[:num] = 0
        if self._goal_bounds is not None:
            self._goal_bounds.look(num)
        if self._decisive_moves is not None:
            self._decisive_moves.look(num, phase, self._opponents.untrusted)
        if not self._opponents.untrusted:
            self._graph.look(num, phase)

    def _evaluate(self, num: int, phase: int) -> int:
        """Write the totals of `num` children of a phase. Return the number to divide them by."""
        expander, evaluator = self._expander, self._leaf_values
        if self._child_values is not None:
            return self._value_children(num, phase, self._child_values)
        if evaluator is not None and evaluator.share == 1:
            is_over = expander.is_terminal[:num, None] != 0
            predictions = evaluator.values(expander.children[:num], phase)
            values = np.where(is_over, expander.goals[:num], predictions)
            expander.totals[:num] = np.rint(PARTS_OF_A_POINT * values)
            return PARTS_OF_A_POINT
        per_leaf = self._play(num, phase)
        if evaluator is not None:
            predictions = evaluator.values(expander.children[:num], phase)
            known = expander.is_terminal[:num]
            mix_in(expander.totals[:num], per_leaf, evaluator.share, predictions, known)
        return per_leaf

    def _value_children(self, num: int, phase: int, child_values: ChildValues) -> int:
        """Fill the totals with the values of the children's moves, mixed with playouts if wanted.

        Return the number to divide the totals by.
        """
        expander, leaves = self._expander, self._leaves
        decisive = self._decisive_moves.expander if self._decisive_moves else None
        unit = child_values.look(num, phase, decisive)
        share = child_values.share
        if share < 1:
            predictions = expander.totals[:num].copy()
            is_proven = (leaves.lower[:num] == leaves.upper[:num]).all(axis=1)
            is_known = (leaves.is_terminal[:num] != 0) | is_proven
            if decisive is not None:
                decisive.children[:num] = leaves.states[:num]
            per_leaf = self._play(num, phase)
            played = expander.totals[:num] * (unit / per_leaf)
            mixed = share * predictions + (1 - share) * played
            expander.totals[:num] = np.rint(np.where(is_known[:, None], predictions, mixed))
        return unit

    def _play(self, num: int, phase: int) -> int:
        """Play out from `num` children of a phase. Return the number of playouts of each."""
        start = time.thread_time()
        # Roles that do not think miss wins, so playouts with them have no decisive moves.
        decisive = None if self._opponents.untrusted else self._decisive_moves
        player = (decisive and decisive.expander) or self._expander
        player.play(num, phase, int(self._rounds), self.settings.horizon)
        self._expander.totals[:num] = player.totals[:num]
        self._history.learn(player)
        self.num_playouts += num * player.num_playouts_per_leaf
        self._seconds_played = time.thread_time() - start
        return player.num_playouts_per_leaf

    def _drop_paths(self) -> None:
        """Undo iterations in progress. Finishing them can take as long as a batch."""
        drop_paths(self._pool, self._paths)

    def _num_leaves(self, deadline: Deadline) -> int:
        """Return the number of leaves in the next batch: a small share of all leaves of the turn.

        A batch takes about as long with few leaves as with many. So use the largest batch if many
        batches are still to come. Otherwise choose its size by the visits made before.
        """
        most = min(self.settings.leaves, self._expander.num_leaves_max)
        to_come = deadline.remaining() / self._batch_seconds if self._batch_seconds else 0.0
        if to_come >= BATCHES_OF_A_TURN:
            return most
        wanted = int(self._pool.visits[self._root] / (BATCHES_OF_A_TURN - to_come))
        return min(most, max(MIN_LEAVES, wanted))

    def _begin_again(self) -> None:
        """Drop the tree, because the state graph or our doubts about others change its values."""
        self._is_outdated = False
        self._drop_paths()
        phase = int(self._pool.phases[self._root])
        self._clear()
        self._plant(self.state, phase)
        # Choose a move from the values, even if the time is over now.
        self._run_batch(min(self.settings.leaves, self._expander.num_leaves_max))

    def _balance(self, playing: float, searching: float) -> None:
        if self.settings.rounds:
            return
        share = self.settings.playing / (1 - self.settings.playing)
        wanted = share * searching * int(self._rounds) / max(playing, 1e-9)
        following = self._rounds + SMOOTHING * (wanted - self._rounds)
        self._rounds = max(1.0, min(following, MAX_ROUNDS))

    # --- The root -----------------------------------------------------------------------------

    def _reset_root_bounds(self) -> None:
        """Prove the root again, because the children that proved it may have been dropped."""
        if self._pool.kinds[self._root] == OPEN:
            reset_bounds(self._pool, self._root, self._selection.chance)

    def _plant(self, state: gdl.State, phase: int) -> None:
        self.state = state
        pool, expander = self._pool, self._expander
        if self._goal_bounds is not None:
            self._goal_bounds.begin_turn()
        expander.children[0] = words = expander.pack(self.game.facts(self.state))
        root, _ = find_node(pool, words, phase)
        expander.look(1, phase)
        self._graph.plant(phase)
        if root == NONE:
            self._write_known(1, phase)
            if self._child_values is not None:
                self._child_values.look(1, phase, None)
            root = add_node(pool, self._leaves, 0, phase, self._plies)
        if root == NONE:  # the pool is full
            self._clear()
            root = add_node(pool, self._leaves, 0, phase, self._plies)
        pool.stamps[root] = pool.used[NOW]  # so that it is not recycled before its first visit
        self._root = int(root)
        self._chances = {}
        self._reset_root_bounds()
        self._paths.counters[DEEPEST] = 0

    def _clear(self) -> None:
        clear(self._pool)
        self._recycler.stop()

    def _phase_of(self, state: gdl.State) -> int:
        phases = self._expander.phases_of(self._expander.pack(self.game.facts(state)))
        if len(phases) != 1:
            raise TurnUnknownError
        return phases[0]

    def _ranking(self, role: int | None = None) -> Ranking:
        return Ranking(
            self._pool,
            self._root,
            self.own if role is None else role,
            self._expander.inputs,
            self.settings,
            self._selection.chance,
            is_short=self._goal_bounds is not None and self._goal_bounds.has_solved,
            chances=self._chances,
        )

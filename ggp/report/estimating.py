"""Estimates of the values of a match's positions, by searches with a fixed number of iterations.

If the game is compiled, a single Monte Carlo tree on lanes covers all positions. Its leaves are
evaluated by the best network for the game, or else by random games. If the game is not compiled or
has only one role, each position gets a separate search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.players.live_learning import OFF, wish
from ggp.players.mcts import MctsPlayer
from ggp.players.resources import fitting
from ggp.search.core import repeat
from ggp.search.core.choices import TurnUnknownError, is_deterministic_solo
from ggp.search.core.result import SearchResult
from ggp.search.evaluation.network.file import find_network
from ggp.search.evaluation.network.network import NetworkValues, ValueNetwork
from ggp.search.fast.lanes import NETWORK_C, LaneSettings, has_lanes
from ggp.search.fast.tree.search import LaneSearch
from ggp.training.live.link import name_of
from ggp.training.live.store import read_learned

MEMORY: Final = 512 << 20
"""Memory for the tree. It is fixed, because a full tree changes the result."""
WORK: Final = 200_000_000
"""Desired product of a position's iterations and the game's gates: about half a second of work."""
MAX_ROUNDS, MIN_ROUNDS = 30_000, 500
MAX_OF_ALL: Final = 4_000_000
"""Maximum number of iterations for all positions of a match together."""
PLAIN_ROUNDS, INTERPRETED_ROUNDS = 2000, 400
"""Iterations for a position without a tree on lanes, in a compiled and in an interpreted game."""
RANDOM_GAMES: Final = "random games"


class Estimator:
    """Searches the positions of one game, one after the other.

    Attributes:
        evaluation: A description of how leaves are evaluated.
        is_cut: Whether a deadline ended a search early.
    """

    def __init__(self, game: gdl.Game, seed: int, rounds: int) -> None:
        """Create an estimator that has not searched any position yet.

        Args:
            rounds: Iterations for each position.
        """
        self._game = game
        self._seed = seed
        self._rounds = rounds
        self._has_tree = grows_tree(game)
        self._tree: LaneSearch | None = None
        found = best_network(game) if self._has_tree else None
        self._network = None if found is None else found.network
        self.evaluation = RANDOM_GAMES if found is None else found.name
        self.is_cut = False

    def look(
        self, state: gdl.State, roles: Sequence[gdl.Role], deadline: Deadline
    ) -> dict[gdl.Role, SearchResult]:
        """Search a state that is not terminal, and return the result for each of `roles`.

        Args:
            deadline: Time at which the search ends, even if iterations are left.
        """
        tree = self._tree_at(state, roles[0]) if self._has_tree else None
        if tree is None:
            share = deadline.remaining() / len(roles)
            return {role: self._plainly(state, role, Deadline.after(share)) for role in roles}
        last = tree.effort.num_iterations + self._rounds
        repeat(lambda end: tree.effort.num_iterations < last and tree.step(end), deadline)
        self.is_cut |= deadline.is_over()
        return {role: tree.result_of(role) for role in roles}

    def look_again(
        self, state: gdl.State, before: dict[gdl.Role, SearchResult]
    ) -> dict[gdl.Role, SearchResult]:
        """Return the current results for a state that was searched before.

        Searches of other states may have added visits to this state, or evicted it from the tree.
        In the latter case, return the results `before`.
        """
        tree = self._tree_at(state, next(iter(before))) if self._has_tree else None
        if tree is None:
            return before
        now = {role: tree.result_of(role) for role in before}
        return now if all(now[role].visits >= before[role].visits for role in before) else before

    def _tree_at(self, state: gdl.State, role: gdl.Role) -> LaneSearch | None:
        try:
            if self._tree is None:
                self._tree = self._new_tree(state, role)
            else:
                self._tree.go_to(state)
        except TurnUnknownError:
            self._has_tree = False
            return None
        return self._tree

    def _new_tree(self, state: gdl.State, role: gdl.Role) -> LaneSearch:
        network, game = self._network, self._game
        settings = LaneSettings(memory=fitting(MEMORY), rounds=1, is_mixing=False)
        if network is None:
            return LaneSearch(game, state, role, self._seed, settings)
        settings = replace(settings, c=NETWORK_C, child_values=True)
        values = NetworkValues(network, game, network.share)
        return LaneSearch(game, state, role, self._seed, settings, values)

    def _plainly(self, state: gdl.State, role: gdl.Role, deadline: Deadline) -> SearchResult:
        options = {"tree": "python", "threads": "1"}
        search = MctsPlayer(self._game, role, options, self._seed).new_search(state)
        repeat(search.step, deadline, self._rounds)
        self.is_cut |= deadline.is_over()
        return search.result()


def grows_tree(game: gdl.Game) -> bool:
    """Return whether a single tree on lanes can cover all positions of a game."""
    return has_lanes(game) and not is_deterministic_solo(game.roles)


def rounds_for(game: gdl.Game, num_positions: int) -> int:
    """Return the iterations per position: fewer for large games and for many positions."""
    if not grows_tree(game):
        return INTERPRETED_ROUNDS if game.scalar is None else PLAIN_ROUNDS
    assert game.simulator is not None
    by_size = WORK // max(1, game.simulator.circuit.num_gates)
    return max(MIN_ROUNDS, min(MAX_ROUNDS, by_size, MAX_OF_ALL // max(1, num_positions)))


class NamedNetwork(NamedTuple):
    """A network, with a description of its origin."""

    network: ValueNetwork
    name: str


def best_network(game: gdl.Game) -> NamedNetwork | None:
    """Return the network with which players begin a match, or None if there is none.

    The user's own network takes precedence over a bundled one, and that over one learned in
    matches.
    """
    found = find_network(game)
    if found is not None:
        is_bundled = found.file.is_relative_to(games.folder())
        whose = "bundled network" if is_bundled else "network of your own,"
        return NamedNetwork(found.network, f"the {whose} {found.file.name}")
    learned = None if wish({}) == OFF else read_learned(game)
    if learned is None or not learned.is_used:
        return None
    return NamedNetwork(learned, f"the network learned in matches, {name_of(learned)}")

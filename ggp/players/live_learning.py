"""Playing with a network that is learned meanwhile: when it is learned, and how it takes over.

Environment: GGP_LEARN=off makes `off` the default of the option `learn`.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import gdl
from ggp.clock import Deadline
from ggp.players.evaluation_options import PlayersNetwork
from ggp.players.options import Option, one_of
from ggp.players.resources import usable_cores
from ggp.search.core.choices import Joint
from ggp.search.core.result import Effort, SearchResult
from ggp.training.live.link import Learned, LearnerLink, LearnerTerms, name_of

if TYPE_CHECKING:  # whoever plays without lanes does not wait for numba
    from ggp.search.fast.tree.parallel import ParallelSearch
    from ggp.search.fast.tree.search import LaneSearch

ON, AUTO, OFF = "on", "auto", "off"
LEARN = Option(
    "learn",
    one_of((AUTO, ON, OFF)),
    AUTO,
    "on lanes, whether a process beside the search learns a value network while the match is "
    "played; auto: where none is found by the rules, and the clocks leave time for it; off: nor is "
    "one used that was learned in matches before",
)
VARIABLE: Final = "GGP_LEARN"

START_SECONDS: Final = 5.0
"""Least part of the startclock in which something is learned on one core: the first test of a
network comes after more than that.
"""
TURN_SECONDS: Final = 1.0
"""Least time for a move, where the match goes on after the startclock on a core of its own: a match
of 30 moves of each side leaves a minute then.
"""
ROOT_SHARE: Final = 0.1
ROOT_SECONDS: Final = 1.0
"""Part of the startclock, at its end, in which the search has a core in any case, and the least of
it: with the first network it begins a new tree, and one of random games is worth little before.
"""
NAP_SECONDS: Final = 0.02
SEED_RANGE: Final = 1 << 31


def wish(options: Mapping[str, str]) -> str:
    """The option `learn`, or what the environment says in its place."""
    is_off = LEARN.name not in options and os.environ.get(VARIABLE) == OFF
    return OFF if is_off else LEARN.read(options)


def can_be_learned(game: gdl.Game) -> bool:
    """Whether a game may be learned, as far as is seen without a look at its states."""
    return len(game.roles) > 1 and not any(map(gdl.is_random, game.roles))


class LiveLearning:
    """Learning beside one player's search.

    Attributes:
        network: The network in use; None if there is none.
    """

    def __init__(
        self,
        link: LearnerLink,
        game: gdl.Game,
        network: PlayersNetwork | None,
        is_forced: bool,
        seed: int,
    ) -> None:
        """Nothing is learned yet, but for what was in matches before.

        Args:
            network: The one that was found by the rules; None: what was learned before is used.
            is_forced: Whether it is whatever the clocks say.
        """
        self._link = link
        self._game = game
        self._is_forced = is_forced
        self._terms = LearnerTerms(usable_cores(), seed)
        self._known: Learned | None = None
        self._yields_until = -math.inf
        self._latest = math.inf  # moment after which no new tree is begun
        self.network = network or self._learned_before()

    def _learned_before(self) -> PlayersNetwork | None:
        from ggp.training.live.store import read_learned

        network = read_learned(self._game)
        if network is None or not network.is_used:
            return None
        return PlayersNetwork(name_of(network), network.share, network, self._game)

    def prepare(self, deadline: Deadline) -> None:
        """The startclock has begun."""
        seconds = deadline.remaining()
        self._begin(seconds >= START_SECONDS)
        self._yields_until = deadline.moment - max(ROOT_SECONDS, ROOT_SHARE * seconds)
        self._latest = math.inf

    def ponder(self) -> None:
        """The others are thinking."""
        self._link.begin_match()
        self._latest = math.inf

    def choose(self, deadline: Deadline) -> None:
        """A turn has begun."""
        seconds = deadline.remaining()
        if self._terms.cores > 1:
            self._begin(seconds >= TURN_SECONDS)
        self._link.begin_match()
        self._latest = time.monotonic() + seconds / 2

    def give_way(self, deadline: Deadline) -> None:
        """Wait as long as the learner makes better use of the core."""
        while self._link.needs_core and time.monotonic() < self._yields_until:
            if deadline.is_over():
                break
            time.sleep(NAP_SECONDS)

    def takes_over(self) -> bool:
        """Use the newest network from now on; whether there was another one.

        From random games to a network, or back, a new tree is begun, which is done before half of
        a turn is over.
        """
        newest = self._link.newest(self._known)
        if newest is None:
            return False
        is_of_a_kind = (newest.network is None) == (self.network is None)
        if not is_of_a_kind and time.monotonic() > self._latest:
            return False
        self._known, self.network = newest, None
        if newest.network is not None:
            self.network = PlayersNetwork(newest.name, newest.share, newest.network, self._game)
        return True

    @property
    def leaves_core(self) -> bool:
        """Whether nothing is learned any more, and a core is there for a second tree."""
        return self._link.leaves_core

    def _begin(self, is_time: bool) -> None:
        if not self._link.has_begun and (is_time or self._is_forced):
            self._link.start(self._terms)


class LearningSearch:
    """A search on lanes that goes on with another network when there is one.

    Where there is no use in learning, the core that it had grows a second tree.
    """

    def __init__(
        self,
        search: LaneSearch,
        learning: LiveLearning,
        plant: Callable[[gdl.State], LaneSearch],
    ) -> None:
        """A search that goes on as it is.

        Args:
            plant: An empty tree, with the network that is in use then.
        """
        self._tree = search
        self._search: LaneSearch | ParallelSearch = search
        self._learning = learning
        self._plant = plant
        self._has_network = learning.network is not None
        self._num_before = 0  # rounds in a tree that was given up
        self._num_playouts_before = 0

    @property
    def state(self) -> gdl.State:
        """The state from which it searches."""
        return self._search.state

    @property
    def is_decided(self) -> bool:
        """Whether more search cannot change the move."""
        return self._search.is_decided

    @property
    def effort(self) -> Effort:
        """The work of all trees, and the memory of the one that is there."""
        effort = self._search.effort
        return replace(
            effort,
            num_iterations=effort.num_iterations + self._num_before,
            num_playouts=effort.num_playouts + self._num_playouts_before,
        )

    def step(self, deadline: Deadline) -> bool:
        """One batch of rounds, with the newest network; False if nothing is left to learn."""
        if self.effort.num_iterations:  # there is something to report
            self._learning.give_way(deadline)
        if self._learning.takes_over():
            network = self._learning.network
            if network is not None and self._has_network:
                self._tree.value_by(network.leaf_values())
            else:
                self._begin_anew()
        elif self._learning.leaves_core and self._search is self._tree:
            self._grow_two()
        return self._search.step(deadline)

    def advance(self, moves: Joint, state: gdl.State) -> None:
        """Go on from the state that a joint move led to."""
        self._search.advance(moves, state)

    def result(self) -> SearchResult:
        """The best move so far."""
        return self._search.result()

    def _begin_anew(self) -> None:
        """Give up a tree whose values are of another kind."""
        before = self.effort
        self._num_before, self._num_playouts_before = before.num_iterations, before.num_playouts
        state = self._search.state
        del self._search, self._tree  # both trees may be more than there is room for
        self._search = self._tree = self._plant(state)
        self._has_network = self._learning.network is not None

    def _grow_two(self) -> None:
        from ggp.search.fast.tree.parallel import ParallelSearch

        self._search = ParallelSearch([self._tree, self._plant(self._tree.state)])

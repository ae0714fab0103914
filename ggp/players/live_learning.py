"""Play with a network that is trained during the match.

Decide when to train, when to switch to the newest network, and who uses the last core.

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

if TYPE_CHECKING:  # so that players without lanes do not wait for numba
    from ggp.search.fast.tree.parallel import ParallelSearch
    from ggp.search.fast.tree.search import LaneSearch

ON, AUTO, OFF = "on", "auto", "off"
LEARN = Option(
    "learn",
    one_of((AUTO, ON, OFF)),
    AUTO,
    "on lanes, whether a second process trains a value network during the match; auto: if no "
    "network is stored for these rules and the clocks leave time; off: never, and do not use "
    "networks trained in earlier matches either",
)
VARIABLE: Final = "GGP_LEARN"

START_SECONDS: Final = 5.0
"""Shortest startclock in which learning starts. On one core, the first test of a network takes
longer than this."""
TURN_SECONDS: Final = 1.0
"""Shortest time per move with which learning starts during the match, if the learner has a core of
its own. A match of 30 moves per side then leaves a minute for learning."""
ROOT_SHARE: Final = 0.1
ROOT_SECONDS: Final = 1.0
"""At the end of the startclock the search always has a core for `ROOT_SHARE` of the clock, and for
at least `ROOT_SECONDS`. Before that, the learner may have the core, because the search will start a
new tree when it gets the first network."""
NAP_SECONDS: Final = 0.02
SEED_RANGE: Final = 1 << 31


def wish(options: Mapping[str, str]) -> str:
    """Return the value of the option `learn`, or OFF if it is not given and GGP_LEARN is `off`."""
    is_off = LEARN.name not in options and os.environ.get(VARIABLE) == OFF
    return OFF if is_off else LEARN.read(options)


def can_be_learned(game: gdl.Game) -> bool:
    """Return whether a game has two or more roles and no role `random`, as learning requires."""
    return len(game.roles) > 1 and not any(map(gdl.is_random, game.roles))


class LiveLearning:
    """The training of a network in parallel with one player's search.

    Attributes:
        network: The network in use, or None if there is none.
    """

    def __init__(
        self,
        link: LearnerLink,
        game: gdl.Game,
        network: PlayersNetwork | None,
        is_forced: bool,
        seed: int,
    ) -> None:
        """Prepare, without starting the learner.

        Args:
            network: The network stored for the rules. If None, use one that was learned in earlier
                matches, if there is one.
            is_forced: Whether to learn even if the clocks are short.
        """
        self._link = link
        self._game = game
        self._is_forced = is_forced
        self._terms = LearnerTerms(usable_cores(), seed)
        self._known: Learned | None = None
        self._yields_until = -math.inf
        self._latest = math.inf  # monotonic time after which no new tree may start
        self._is_tested = False  # whether a network was tested in an earlier match
        self.network = network or self._learned_before()

    def _learned_before(self) -> PlayersNetwork | None:
        from ggp.training.live.store import read_learned

        network = read_learned(self._game)
        self._is_tested = network is not None
        if network is None or not network.is_used:
            return None
        return PlayersNetwork(name_of(network), network.share, network, self._game)

    def set_variant(self, variant: str) -> None:
        """Let networks compete with playouts of this variant. Call it before `prepare`."""
        self._terms = self._terms._replace(variant=variant)

    @property
    def needs_startclock(self) -> bool:
        """Whether the learner has no core of its own, and no network was tested yet."""
        return self._terms.cores == 1 and not self._is_tested

    def prepare(self, deadline: Deadline) -> None:
        """Start the learner if the startclock is long enough.

        Until shortly before the deadline, `give_way` may leave the search's core to the learner.
        """
        seconds = deadline.remaining()
        self._begin(seconds >= START_SECONDS)
        self._yields_until = deadline.moment - max(ROOT_SECONDS, ROOT_SHARE * seconds)
        self._latest = math.inf

    def ponder(self) -> None:
        """Tell the learner that the match has begun.

        While pondering, the search may switch between a network and random playouts at any time,
        although this needs a new tree.
        """
        self._link.begin_match()
        self._latest = math.inf

    def choose(self, deadline: Deadline) -> None:
        """Begin a turn. Start the learner if there is time.

        Only in the first half of the turn may the search make a switch that needs a new tree.
        """
        seconds = deadline.remaining()
        if self._terms.cores > 1:
            self._begin(seconds >= TURN_SECONDS)
        self._link.begin_match()
        self._latest = time.monotonic() + seconds / 2

    def give_way(self, deadline: Deadline) -> None:
        """Wait while the search should leave its core to the learner. Return by the deadline."""
        while self._link.needs_core and time.monotonic() < self._yields_until:
            if deadline.is_over():
                break
            time.sleep(NAP_SECONDS)

    def takes_over(self) -> bool:
        """Switch to the newest network. Return whether the network has changed.

        A switch from random playouts to a network, or back, needs a new tree. So there is no such
        switch in the second half of a turn.
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
        """Whether learning is over and its core is free for a second tree."""
        return self._link.leaves_core

    def _begin(self, is_time: bool) -> None:
        if not self._link.has_begun and (is_time or self._is_forced):
            self._link.start(self._terms)


class LearningSearch:
    """A search on lanes that switches to a better network as soon as there is one.

    If learning does not help, the search grows a second tree on the learner's core.
    """

    def __init__(
        self,
        search: LaneSearch,
        learning: LiveLearning,
        plant: Callable[[gdl.State], LaneSearch],
    ) -> None:
        """Wrap `search`, which uses the current network of `learning`.

        Args:
            plant: Returns an empty tree for a state. The tree uses the current network.
        """
        self._tree = search
        self._search: LaneSearch | ParallelSearch = search
        self._learning = learning
        self._plant = plant
        self._has_network = learning.network is not None
        self._num_before = 0  # iterations in discarded trees
        self._num_playouts_before = 0

    @property
    def state(self) -> gdl.State:
        """The state at the root."""
        return self._search.state

    @property
    def is_decided(self) -> bool:
        """Whether a longer search cannot change the move."""
        return self._search.is_decided

    @property
    def effort(self) -> Effort:
        """The work of all trees, and the memory of the current one."""
        effort = self._search.effort
        return replace(
            effort,
            num_iterations=effort.num_iterations + self._num_before,
            num_playouts=effort.num_playouts + self._num_playouts_before,
        )

    def step(self, deadline: Deadline) -> bool:
        """Search one batch with the newest network. Return False if nothing is left to search."""
        if self.effort.num_iterations:  # the search already has a move to report
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
        """Move the root to `state`, to which the joint move `moves` led."""
        self._search.advance(moves, state)

    def result(self) -> SearchResult:
        """Return the best move so far."""
        return self._search.result()

    def _begin_anew(self) -> None:
        before = self.effort
        self._num_before, self._num_playouts_before = before.num_iterations, before.num_playouts
        state = self._search.state
        del self._search, self._tree  # first, because there may not be room for both trees
        self._search = self._tree = self._plant(state)
        self._has_network = self._learning.network is not None

    def _grow_two(self) -> None:
        from ggp.search.fast.tree.parallel import ParallelSearch

        self._search = ParallelSearch([self._tree, self._plant(self._tree.state)])

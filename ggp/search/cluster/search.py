"""Search on several machines: one tree here, one on each of the others, taken together.

search = ClusterSearch(tree, machines)
while not deadline.is_over() and search.step(deadline):
    ...
search.result().move

The tree here never waits for the others: what they have found by then is added where the move is
chosen, and without them it is a search like any other.
"""

from __future__ import annotations

import random

import gdl
from ggp.clock import Deadline
from ggp.search.arrays.tree.merging import merged
from ggp.search.choices import Joint
from ggp.search.cluster.machines import Machines, best_of
from ggp.search.cluster.positions import Position
from ggp.search.result import Effort, SearchResult
from ggp.search.root import is_decided
from ggp.search.search import Search


class ClusterSearch:
    """A search here, and what others find out about the same position."""

    def __init__(self, own: Search, game: gdl.Game, machines: Machines, seed: int) -> None:
        """Search on with others.

        Args:
            own: The search of this machine.
            game: The game.
            machines: The others; they stand at the same position.
            seed: Of the lots that are drawn where several roles decide at once.
        """
        self._own = own
        self._game = game
        self._machines = machines
        self._rng = random.Random(seed)
        self._lot = self._rng.random()
        self._is_decided = False

    @property
    def state(self) -> gdl.State:
        """The state from which it searches."""
        return self._own.state

    @property
    def is_decided(self) -> bool:
        """Whether more search cannot change the move, by what any tree has proven."""
        return (
            self._is_decided or self._own.is_decided or best_of(self._machines.findings) is not None
        )

    @property
    def effort(self) -> Effort:
        """The work and the memory of all trees, also of those on machines that were lost."""
        own, others = self._own.effort, self._machines.efforts
        efforts = [own, *others, self._machines.lost]
        return Effort(
            num_iterations=sum(each.num_iterations for each in efforts),
            num_playouts=sum(each.num_playouts for each in efforts),
            num_nodes=sum(each.num_nodes for each in efforts),
            depth=max(each.depth for each in efforts),
            num_bytes=sum(each.num_bytes or 0 for each in efforts),
            machines=tuple(each.num_iterations for each in (own, *others)),
        )

    def step(self, deadline: Deadline) -> bool:
        """One round here; False if another one makes no sense anywhere."""
        self._machines.go_on(deadline.moment)
        return self._own.step(deadline)

    def advance(self, moves: Joint, state: gdl.State) -> None:
        """Keep what each tree knows below a joint move."""
        self._own.advance(moves, state)
        self._lot = self._rng.random()
        self._is_decided = False
        if self._game.is_terminal(state):
            return
        number = self._machines.position.number + 1
        self._machines.move_to(Position(number, self._game.facts(state), moves))

    def result(self) -> SearchResult:
        """The best move so far by all trees together."""
        own, findings = self._own.result(), self._machines.findings
        if not findings or self._own.is_decided:
            return own
        leader = best_of(findings)
        if leader is not None:
            return leader.result
        result = merged([own, *(each.result for each in findings)], lot=self._lot)
        self._is_decided = is_decided((move.lower, move.upper) for move in result.moves)
        return result

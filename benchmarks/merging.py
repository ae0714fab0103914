r"""Players for `strength.py` that measure the worth of merging several trees at the root.

    python benchmarks/strength.py GAME... --seconds 1 --matches 40 --round-robin --players \
        merging:Summed merging:Voted merging:Longer mcts:network=none

`Summed` grows two trees (`:trees=N` for more), one after the other on the same core, and each for
the whole time of a move. It adds up the visits and values of their moves, as `mcts:nodes=2` does.
In `Voted`, each tree has one vote for a move. `Longer` is one tree that takes twice the time. So
all three exceed the time of a move, and are compared with each other, not with the clock. (Chaslot,
Winands and van den Herik 2008 add up; Soejima, Kishimoto and Watanabe 2010 vote.)
"""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

import gdl
from ggp.clock import Deadline
from ggp.players.base import Player
from ggp.players.options import Option, whole
from ggp.search.core import SearchResult, repeat
from ggp.search.core.choices import Joint
from ggp.search.fast.tree.parallel import merged
from ggp.search.fast.tree.search import LaneSearch

TREES = Option("trees", whole(1), 2, "trees, or times the time")


class Summed(Player):
    """A player that adds up the results of its trees."""

    OPTIONS: ClassVar[tuple[Option[Any], ...]] = (TREES,)

    def set_up(self) -> None:
        """Read the options."""
        self.num_trees = TREES.read(self.options)
        self.times = 1
        self._trees: list[LaneSearch] = []

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """Return the move on which the trees agree, each after the whole time."""
        seconds = deadline.remaining() * self.times
        if not self._trees or self._trees[0].state != state:
            seeds = [self.rng.randrange(1 << 31) for _ in range(self.num_trees)]
            self._trees = [LaneSearch(self.game, state, self.role, seed) for seed in seeds]
        for tree in self._trees:
            repeat(_until_decided(tree), Deadline.after(seconds))
        result = self.taken_together([tree.result() for tree in self._trees])
        self.report(result.move, visits=sum(tree.effort.num_iterations for tree in self._trees))
        return result.move

    def advance(self, moves: Joint, state: gdl.State) -> None:
        """Let all trees follow the game."""
        for tree in self._trees:
            tree.advance(moves, state)

    def taken_together(self, results: list[SearchResult]) -> SearchResult:
        """Merge the trees' results into one."""
        decided = [i for i, tree in enumerate(self._trees) if tree.is_decided]
        return merged(results, decided[0] if decided else None, self.rng.random())


class Voted(Summed):
    """A player that makes the move that most of its trees choose."""

    def taken_together(self, results: list[SearchResult]) -> SearchResult:
        """Return the result of a tree with the majority move; if several are equal, the surest."""
        decided = [r for r, tree in zip(results, self._trees, strict=True) if tree.is_decided]
        if decided:
            return decided[0]
        votes = Counter(result.move for result in results)

        def strength(result: SearchResult) -> tuple[int, float]:
            best = result.moves[0]
            return votes[result.move], best.visits / max(1, result.visits)

        return max(results, key=strength)


class Longer(Summed):
    """One tree with as much time as the others' trees together."""

    def set_up(self) -> None:
        """Read the options."""
        super().set_up()
        self.num_trees, self.times = 1, self.num_trees


def _until_decided(tree: LaneSearch) -> Any:
    return lambda deadline: not tree.is_decided and tree.step(deadline)

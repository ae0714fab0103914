"""The result of a search: a move, its value, and how much of it is proven."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import gdl
from ggp.errors import GgpError
from ggp.search.core.choices import Joint

WORST, BEST = 0.0, 100.0
"""The range of goal values."""


@dataclass(frozen=True, slots=True)
class MoveValue:
    """A search's estimate of one move of the role it searches for."""

    move: gdl.Move
    value: float  # estimated goal of that role, 0..100; exact if `lower == upper`
    visits: int  # number of iterations that searched this move
    lower: float = WORST  # the goal that the move guarantees
    upper: float = BEST  # the best goal that is still possible after the move, as far as is proven
    length: int | None = None
    """Plies from this state to the end of the game, including this move. None unless the outcome is
    proven for every role. The length means little if the goal is neither the worst nor the best."""
    share: float = 0.0
    """Probability with which to make the move if several roles move at once, from 0 to 1; else 0.
    """
    is_settled: bool = False
    """Whether everything that can follow is known. Then `value` is the goal if each role does what
    is best for itself. `lower < upper` still holds if another role could deviate from that."""

    @property
    def limits(self) -> tuple[float, float]:
        """The bounds of the goal, assuming that each role does what is best for itself."""
        return (self.value, self.value) if self.is_settled else (self.lower, self.upper)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The best move of a role, and the statistics of all its moves.

    Values are goals of the searching role, 0..100.
    """

    move: gdl.Move
    value: float
    visits: int  # iterations below this state, including those of earlier turns
    lower: float = WORST
    upper: float = BEST
    line: tuple[Joint, ...] = ()
    """The expected line: joint moves from here on. The first of them contains `move`."""
    moves: tuple[MoveValue, ...] = ()  # every move considered, the best first

    @classmethod
    def ranked(
        cls, moves: Sequence[MoveValue], visits: int, line: tuple[Joint, ...] = ()
    ) -> SearchResult:
        """Create a result from moves that are sorted best first."""
        best = moves[0]
        return cls(best.move, best.value, visits, best.lower, best.upper, line, tuple(moves))

    @property
    def is_proven(self) -> bool:
        """Whether the value is proven rather than estimated."""
        return self.lower == self.upper

    @property
    def is_settled(self) -> bool:
        """Whether the value is exact if each role does what is best for itself."""
        return self.is_proven or bool(self.moves and self.moves[0].is_settled)

    @property
    def estimated(self) -> SearchResult:
        """The same result without proofs, because the state is only one of several candidates."""
        moves = tuple(
            replace(each, lower=WORST, upper=BEST, length=None, is_settled=False)
            for each in self.moves
        )
        return replace(self, lower=WORST, upper=BEST, moves=moves)

    @property
    def length(self) -> int | None:
        """Plies to the end of the game; None if that is not proven."""
        return self.moves[0].length if self.moves else None


@dataclass(frozen=True, slots=True)
class Effort:
    """The work that a search has done since it started, and the memory it holds now."""

    num_iterations: int  # iterations, including those that ended in a known terminal node
    num_playouts: int  # games played at random
    num_nodes: int  # states held in memory
    depth: int  # plies of the longest path searched from the current state
    num_bytes: int | None = None  # memory of the tree; None if unknown
    machines: tuple[int, ...] = ()
    """Iterations on each machine, this one first. Empty if the search uses only this machine."""


def total(efforts: Sequence[Effort]) -> Effort:
    """Add up the work and the memory of several searches. The depth is that of the deepest."""
    return Effort(
        num_iterations=sum(each.num_iterations for each in efforts),
        num_playouts=sum(each.num_playouts for each in efforts),
        num_nodes=sum(each.num_nodes for each in efforts),
        depth=max(each.depth for each in efforts),
        num_bytes=sum(each.num_bytes or 0 for each in efforts),
    )


@dataclass(frozen=True, slots=True)
class CompleteLine:
    """The moves to the end of a one-role game, which can be replayed one by one."""

    goal: float
    moves: tuple[Joint, ...]

    def is_better_than(self, other: CompleteLine | None) -> bool:
        """Return whether this line has a higher goal, or the same goal after fewer moves."""
        if other is None:
            return True
        return (self.goal, -len(self.moves)) > (other.goal, -len(other.moves))

    def after(self, moves: Joint) -> CompleteLine | None:
        """Return the rest of the line after a joint move; None if the line has another move."""
        return CompleteLine(self.goal, self.moves[1:]) if self.moves[:1] == (moves,) else None

    def as_result(
        self, upper: float, visits: int, total_visits: int, before: SearchResult
    ) -> SearchResult:
        """Return a result whose best move is the first of the line, which must not be empty.

        Args:
            upper: Upper bound of the goals of all lines.
            visits: Iterations that searched the first move.
            total_visits: Iterations that searched any move.
            before: The result of the search without the line. Its other moves are kept.
        """
        move = self.moves[0][0]
        length = len(self.moves) if self.goal == upper else None
        best = MoveValue(move, self.goal, visits, max(WORST, self.goal), upper, length)
        others = (value for value in before.moves if value.move is not move)
        return SearchResult.ranked((best, *others), total_visits, self.moves)


class OutOfTime(GgpError):  # noqa: N818 - not a fault: the caller keeps what it had before
    """The deadline came before this depth was complete. Its findings must not be used."""


@dataclass(frozen=True, slots=True)
class DepthResult:
    """The best move found by a search to a limited depth."""

    result: SearchResult
    """Values are goals of the searching role, 0..100. `lower == upper` if every relevant line was
    searched to the end of the game."""
    depth: int  # plies searched
    nodes: int  # states visited, including the root, each counted as often as it was visited
    evaluations: int  # how many of these the evaluation valued, because the game was not over
    cutoffs: int = 0  # how often the remaining moves of a state were skipped
    is_complete: bool = False
    """Whether a deeper search would find the same, because the depth limit cut off no line."""

    @property
    def value(self) -> float:
        """The goal that the searching role expects."""
        return self.result.value

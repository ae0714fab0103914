"""The answer of a search: the move, its value, and how much of that is guaranteed."""

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
    visits: int  # number of times the move was looked into
    lower: float = WORST  # the goal that the move guarantees
    upper: float = BEST  # the goal that cannot be passed after the move, as far as that is proven
    length: int | None = None
    """Plies from this state to the end of the game, this move included, where what follows is
    proven for every role; of no telling where the goal is neither the worst nor the best."""
    share: float = 0.0
    """Probability of the move where several roles decide at once, from 0 to 1; else 0."""
    is_settled: bool = False
    """Whether everything that can follow is known. Then `value` is what the move brings if each
    role does what is best for itself. If another role could deviate, `lower < upper` remains."""

    @property
    def limits(self) -> tuple[float, float]:
        """Bounds of the goal if each role does what is best for itself."""
        return (self.value, self.value) if self.is_settled else (self.lower, self.upper)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The best move of a role and the figures behind it.

    Values are goals of the searching role, 0..100.
    """

    move: gdl.Move
    value: float
    visits: int  # rounds of the search below this state, those of earlier turns included
    lower: float = WORST
    upper: float = BEST
    line: tuple[Joint, ...] = ()
    """The joint moves expected from here on, the first of them containing `move`."""
    moves: tuple[MoveValue, ...] = ()  # every move considered, the best first

    @classmethod
    def ranked(
        cls, moves: Sequence[MoveValue], visits: int, line: tuple[Joint, ...] = ()
    ) -> SearchResult:
        """The result that has these moves, the best first."""
        best = moves[0]
        return cls(best.move, best.value, visits, best.lower, best.upper, line, tuple(moves))

    @property
    def is_proven(self) -> bool:
        """Whether the value is guaranteed, not estimated."""
        return self.lower == self.upper

    @property
    def is_settled(self) -> bool:
        """Whether the value is exact if each role does what is best for itself."""
        return self.is_proven or bool(self.moves and self.moves[0].is_settled)

    @property
    def estimated(self) -> SearchResult:
        """The same, with nothing guaranteed: for what was found in a state that is only a guess."""
        moves = tuple(
            replace(each, lower=WORST, upper=BEST, length=None, is_settled=False)
            for each in self.moves
        )
        return replace(self, lower=WORST, upper=BEST, moves=moves)

    @property
    def length(self) -> int | None:
        """Plies to the end of the game; None unless that is proven."""
        return self.moves[0].length if self.moves else None


@dataclass(frozen=True, slots=True)
class Effort:
    """Work that a search has done since it began, and memory it holds now."""

    num_iterations: int  # rounds: leaves looked at, and ends that were known already
    num_playouts: int  # games played at random to their end
    num_nodes: int  # positions held in memory
    depth: int  # plies of the longest path in the tree that was looked at from the present state
    num_bytes: int | None = None  # memory that the tree takes; None if that is not known
    machines: tuple[int, ...] = ()
    """Rounds of each machine that searches, this one first; empty where no other can."""


def total(efforts: Sequence[Effort]) -> Effort:
    """The work and the memory of several searches together; the depth is that of the deepest."""
    return Effort(
        num_iterations=sum(each.num_iterations for each in efforts),
        num_playouts=sum(each.num_playouts for each in efforts),
        num_nodes=sum(each.num_nodes for each in efforts),
        depth=max(each.depth for each in efforts),
        num_bytes=sum(each.num_bytes or 0 for each in efforts),
    )


@dataclass(frozen=True, slots=True)
class CompleteLine:
    """A way to the end of the game for a role that is alone: it can be played move for move."""

    goal: float
    moves: tuple[Joint, ...]

    def is_better_than(self, other: CompleteLine | None) -> bool:
        """Whether it ends with a higher goal, or with the same one after fewer moves."""
        if other is None:
            return True
        return (self.goal, -len(self.moves)) > (other.goal, -len(other.moves))


class OutOfTime(GgpError):  # noqa: N818 - not a fault: the caller keeps what it had before
    """The deadline came in the middle of a depth; what was found so far must not be used."""


@dataclass(frozen=True, slots=True)
class DepthResult:
    """The best move as seen from a limited depth."""

    result: SearchResult
    """Values are goals of the searching role, 0..100; `lower == upper` where every line that counts
    was followed to the end of the game."""
    depth: int  # plies (joint moves) looked ahead
    nodes: int  # states visited, the root included, each as often as it was met
    evaluations: int  # of these, those valued by the evaluation, not by the goals of the end
    cutoffs: int = 0  # times that the rest of a state's moves needed no look
    is_complete: bool = False
    """Whether no line was cut off by the depth: a deeper search cannot find anything else."""

    @property
    def value(self) -> float:
        """The goal that the searching role may expect."""
        return self.result.value

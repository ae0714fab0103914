"""Root-parallel search: a tree for each thread, whose results are merged.

    ParallelSearch([LaneSearch(game, state, role, seed, settings) for seed in seeds])

The trees do not share anything. A step is a slice of time in which all of them grow. Between two
steps no thread is running, so the caller can read the trees safely.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait

import gdl
from ggp.clock import Deadline
from ggp.search.core import root
from ggp.search.core.choices import Joint
from ggp.search.core.result import Effort, MoveValue, SearchResult, total
from ggp.search.core.root import drawn_first, floor_and_ceiling, rank
from ggp.search.fast.tree.search import LaneSearch


def merged(
    results: Sequence[SearchResult], leader: int | None = None, sample: float = 0.0
) -> SearchResult:
    """Merge several results about the same state.

    Add up the visits and totals of each move. What any tree has proven counts as proven.

    Args:
        leader: The index of a tree whose best move cannot change any more, or None if there is no
            such tree. The moves keep the order of this tree.
        sample: The seed for drawing the first move by its share, if several roles decide at once.
            It is not used with a leader, or if the best move is already proven to be best.
    """
    found: dict[gdl.Move, list[MoveValue]] = {}
    for value in (value for result in results for value in result.moves):
        found.setdefault(value.move, []).append(value)
    values = {move: _one_of(alike) for move, alike in found.items()}
    if leader is None:
        floor, ceiling = floor_and_ceiling(each.limits for each in values.values())
        ordered = sorted(values.values(), key=lambda v: rank(v, floor, ceiling), reverse=True)
        if not ordered[0].limits[0] == floor == ceiling:
            ordered = drawn_first(ordered, [value.share for value in ordered], sample)
    else:
        ordered = [values[each.move] for each in results[leader].moves]
    visits = sum(result.visits for result in results)
    return SearchResult.ranked(ordered, visits, _line(results, ordered[0].move))


def is_decided(trees: Sequence[Sequence[tuple[float, float]]]) -> bool:
    """Return whether only one move may be the best, according to the bounds in all trees."""
    return root.is_decided(
        (max(low for low, _ in each), min(high for _, high in each))
        for each in zip(*trees, strict=True)
    )


def _one_of(values: Sequence[MoveValue]) -> MoveValue:
    settled = next((value for value in values if value.is_settled), None)
    visits = sum(value.visits for value in values)
    total = sum(value.value * value.visits for value in values)
    mean = total / visits if visits else values[0].value
    mean = mean if settled is None else settled.value
    lower = max(value.lower for value in values)
    upper = max(lower, min(value.upper for value in values))
    lengths = [value.length for value in values if value.length is not None]
    length = min(lengths, default=None)
    share = sum(value.share for value in values) / len(values)
    return MoveValue(
        move=values[0].move,
        value=min(max(mean, lower), upper),
        visits=visits,
        lower=lower,
        upper=upper,
        length=length,
        share=share,
        is_settled=settled is not None,
    )


def _line(results: Sequence[SearchResult], move: gdl.Move) -> tuple[tuple[gdl.Move, ...], ...]:
    """Return the expected line of a tree that prefers `move`: of the one that visited it most.

    Return an empty line if no tree prefers the move, because their lines begin with other moves.
    """

    def visits(result: SearchResult) -> int:
        return next(value.visits for value in result.moves if value.move is move)

    preferring = [result for result in results if result.move is move]
    return max(preferring, key=visits).line if preferring else ()


SLICE_SECONDS = 0.025
"""Length of a step. At its end the threads wait for the last one, for half a batch on average."""


class ParallelSearch:
    """Several trees for one state. The first grows in the caller's thread, each other in its own.

    The threads end when the search is garbage-collected.
    """

    def __init__(self, trees: Sequence[LaneSearch], slice_seconds: float = SLICE_SECONDS) -> None:
        """Combine trees with the same root that differ in their seeds.

        Args:
            slice_seconds: Maximum time of a step. If 0, each tree takes one of its own steps.
        """
        self._trees = tuple(trees)
        self._slice = slice_seconds
        self._others = ThreadPoolExecutor(max(1, len(trees) - 1), thread_name_prefix="tree")

    @property
    def state(self) -> gdl.State:
        """The state at the root."""
        return self._trees[0].state

    @property
    def effort(self) -> Effort:
        """The work and the memory of all trees together."""
        return total([tree.effort for tree in self._trees])

    @property
    def is_decided(self) -> bool:
        """Whether searching longer cannot change the move, given the proofs of all trees."""
        if self._leader() is not None:
            return True
        return is_decided([tree.bounds for tree in self._trees])

    def step(self, deadline: Deadline) -> bool:
        """Let all trees grow for a slice of time. Return False if one of them is finished.

        Raises:
            Exception: The exception that a tree raised in any thread. All threads have stopped
                then.
        """
        end = _Slice(deadline, self._slice)
        futures = [self._others.submit(_grow, tree, end, deadline) for tree in self._trees[1:]]
        try:
            goes_on = _grow(self._trees[0], end, deadline)
        finally:
            end.end()
            wait(futures)
        return all([goes_on, *(future.result() for future in futures)])

    def advance(self, moves: Joint, state: gdl.State) -> None:
        """Keep what each tree knows below the joint move, and move its root there."""
        for tree in self._trees:
            tree.advance(moves, state)

    def result(self) -> SearchResult:
        """Return the best move so far, according to all trees together."""
        results = [tree.result() for tree in self._trees]
        return merged(results, self._leader(), self._trees[0].sample)

    def _leader(self) -> int | None:
        """Return the index of a tree whose best move cannot change any more, or None.

        If there are several, choose the one with the most iterations.
        """
        decided = [index for index, tree in enumerate(self._trees) if tree.is_decided]
        return max(decided, key=lambda i: self._trees[i].effort.num_iterations, default=None)


class _Slice(Deadline):
    """A deadline that is over after some seconds, or as soon as the deadline `whole` is over."""

    __slots__ = ("_whole",)

    def __init__(self, whole: Deadline, seconds: float) -> None:
        super().__init__(Deadline.after(seconds).moment)
        self._whole = whole

    def is_over(self) -> bool:
        return super().is_over() or self._whole.is_over()


def _grow(tree: LaneSearch, end: Deadline, whole: Deadline) -> bool:
    """Grow a tree until the slice is over, at least one step. Return whether more steps help."""
    while tree.step(whole):
        if end.is_over():
            return True
    # End the slice for the other trees too, because the position is solved.
    end.end()
    return False

"""Carry worlds forward by one turn, to all successors or to as many as time and memory allow."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from ggp.belief.lane_stepper import LaneStepper
from ggp.belief.plain_stepper import PlainStepper
from ggp.belief.worlds import Counts, TurnPercepts, Weights, Worlds, draws, joined
from ggp.clock import Deadline

Stepper = LaneStepper | PlainStepper
"""An object that carries the worlds of one role forward by joint moves."""

PAIRS_PER_WORLD: Final = 16
"""Number of joint moves to try for each world that may be kept."""

GOLDEN_RATIO: Final = (5**0.5 - 1) / 2
COUNTING_SHARE: Final = 0.3
"""Share of the time to spend on counting the legal moves in the worlds."""


class Carried(NamedTuple):
    """Worlds after a turn."""

    worlds: Worlds  # the worlds that agree with the turn; may be empty
    is_exhaustive: bool  # whether these are all possible successors


class _Pairs(NamedTuple):
    parents: Counts  # [M] rows of worlds
    ranks: Counts  # [M, R] index of each role's move among its legal moves
    weights: Weights  # [M] weight of the resulting world


class Filter:
    """A particle filter for the worlds of one role.

    The filter drops worlds that contradict the percepts. Without a model of the other roles, all
    their moves are equally likely. If there are too many worlds, the filter merges worlds with
    equal states, and then draws a sample.
    """

    def __init__(self, stepper: Stepper, own: int, rng: np.random.Generator) -> None:
        self._stepper = stepper
        self._own = own
        self._rng = rng
        self.num_tried = 0

    def carry_on(
        self, worlds: Worlds, turn: TurnPercepts, most: int, deadline: Deadline
    ) -> Carried:
        """Return the worlds after a turn.

        Try all joint moves in all worlds if there are not too many. Otherwise draw worlds by weight
        and moves at random. If no world agrees with the turn, try the moves that match the percepts
        best.

        Args:
            worlds: The worlds before the turn; at least one.
            turn: The role's own move and percepts in the turn.
            most: Keep at most this many worlds.
            deadline: When to stop. The first batch is tried in any case.
        """
        counting = deadline.within(COUNTING_SHARE * deadline.remaining())
        counts = self._stepper.count_legal(worlds, counting)
        counts[:, self._own] = np.minimum(counts[:, self._own], 1)
        num_pairs = counts.prod(axis=1, dtype=np.float64).sum()
        if num_pairs <= PAIRS_PER_WORLD * most:
            is_exhaustive = len(counts) == worlds.num
            plan = self._all_pairs(worlds, counts)
        else:
            is_exhaustive = False
            plan = self._drawn_pairs(worlds, counts, PAIRS_PER_WORLD * most)
        carried = self._tried(worlds, plan, turn, most, deadline)
        if not carried.worlds.num and not (is_exhaustive and carried.is_exhaustive):
            named = self._named_pairs(worlds, counts, turn, most)
            carried = self._tried(worlds, named, turn, most, deadline)
            is_exhaustive = False
        return Carried(carried.worlds, is_exhaustive and carried.is_exhaustive)

    def _tried(
        self,
        worlds: Worlds,
        plan: Iterator[_Pairs],
        turn: TurnPercepts,
        most: int,
        deadline: Deadline,
    ) -> Carried:
        parts, size, is_exhaustive = [worlds.take(slice(0, 0))], 0, True
        for index, pairs in enumerate(plan):
            if index and deadline.is_over():
                is_exhaustive = False
                break
            parents = worlds.take(pairs.parents, pairs.weights)
            parts.append(self._stepper.follow(parents, pairs.ranks, turn))
            size += parts[-1].num
            self.num_tried += parents.num
            if size > 2 * most:
                parts = [_without_doubles(joined(parts), most)]
                size = parts[0].num
                if size > most:
                    break
        found = _without_doubles(joined(parts), most)
        if found.num > most:
            found, is_exhaustive = found.resampled(most, self._rng), False
        return Carried(found.normalised(), is_exhaustive)

    def _all_pairs(self, worlds: Worlds, counts: Counts) -> Iterator[_Pairs]:
        """Yield all pairs of a world and a joint move, in batches.

        Each batch is spread evenly over all pairs, so the first batches are a fair sample.
        """
        size, ways = self._stepper.num_at_once, counts.prod(axis=1)
        ends, shares = np.cumsum(ways), worlds.weights[: len(ways)] / np.maximum(1, ways)
        total = int(ends[-1])
        # On a circle, points a golden ratio apart are spread evenly, however many there are.
        step = max(1, round(GOLDEN_RATIO * total))
        while math.gcd(step, total) > 1:
            step += 1
        offset = int(self._rng.integers(max(1, total)))
        for first in range(0, total, size):
            pairs = (offset + np.arange(first, min(total, first + size)) * step) % total
            pairs.sort()  # so that pairs of the same world are next to each other
            parents = np.searchsorted(ends, pairs, side="right")
            rest = pairs - (ends[parents] - ways[parents])
            ranks = np.empty((len(pairs), counts.shape[1]), np.int64)
            for role in range(counts.shape[1]):
                rest, ranks[:, role] = np.divmod(rest, counts[parents, role])
            yield _Pairs(parents, ranks, shares[parents])

    def _drawn_pairs(self, worlds: Worlds, counts: Counts, num: int) -> Iterator[_Pairs]:
        """Yield batches of worlds drawn by weight, with a random joint move in each."""
        size = self._stepper.num_at_once
        weights = worlds.weights[: len(counts)] * (counts > 0).all(axis=1)
        for _ in range(0, num, size):
            parents = draws(weights, size, self._rng)
            ranks = (self._rng.random((size, counts.shape[1])) * counts[parents]).astype(np.int64)
            yield _Pairs(parents, ranks, np.full(size, 1 / size))

    def _named_pairs(
        self, worlds: Worlds, counts: Counts, turn: TurnPercepts, most: int
    ) -> Iterator[_Pairs]:
        """Yield the joint moves that match the percepts best, in worlds drawn by weight.

        In each world, try the moves of each role separately, together with the first legal move of
        every other role. For each role, keep the moves after which our role would see the fewest
        percepts that it did not see. Yield all combinations of these moves.
        """
        size, ways = self._stepper.num_at_once, counts.prod(axis=1, dtype=np.float64)
        weights = worlds.weights[: len(counts)] * (ways > 0)
        if not weights.any():
            return
        for parent in dict.fromkeys(
            self._rng.permutation(draws(weights, most, self._rng)).tolist()
        ):
            choices = self._choices(worlds, parent, counts[parent], turn)
            combinations = itertools.islice(itertools.product(*choices), PAIRS_PER_WORLD * most)
            while some := list(itertools.islice(combinations, size)):
                shares = np.full(len(some), weights[parent] / ways[parent])
                yield _Pairs(np.full(len(some), parent), np.array(some, np.int64), shares)

    def _choices(
        self, worlds: Worlds, parent: int, counts: Counts, turn: TurnPercepts
    ) -> list[list[int]]:
        choices = []
        for role, num in enumerate(counts.tolist()):
            ranks = np.zeros((num, len(counts)), np.int64)
            ranks[:, role] = np.arange(num)
            strangers = np.zeros(num, np.int64)
            for first in range(0, num if num > 1 else 0, self._stepper.num_at_once):
                part = ranks[first : first + self._stepper.num_at_once]
                same = worlds.take(np.full(len(part), parent))
                found = self._stepper.count_strangers(same, part, turn)
                strangers[first : first + len(part)] = found
            choices.append(np.flatnonzero(strangers == strangers.min()).tolist())
        return choices


def _without_doubles(worlds: Worlds, most: int) -> Worlds:
    merged = worlds.merged()
    return merged if merged.num <= most else merged.merged(by_state=True)

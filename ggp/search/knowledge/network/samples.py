"""Samples: states with what they turned out to be worth, in arrays to draw batches from.

Of the bits of a state only some are kept: the first layer adds up what they bring, so a bit that is
a sum of others, as of an empty cell that is 1 less the pieces on it, can tell it nothing more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.search.knowledge.network.kernel import MOST_VALUE, Floats

ALL = slice(None)
PART = 4096  # samples that are multiplied at once
LEAST_PIVOT = 1e-6  # of what a column had before: less is a rounding error


class Experience(NamedTuple):
    """`N` states, packed as `gdl.Expander` has them. `W` words, `R` roles."""

    states: NDArray[np.uint64]  # [N, W]
    phases: NDArray[np.int8]  # [N]
    values: Floats  # [N, R] the goals to be expected, 0..100


class Batch(NamedTuple):
    """`n` samples to learn from. `C` columns, `R` roles."""

    inputs: Floats  # [n, C]
    places: NDArray[np.int64]  # [n, R] of the outputs that count
    values: Floats  # [n, R] from 0 to 1


@dataclass(frozen=True, slots=True)
class Samples:
    """`N` states, packed as they came. `C` columns: the bits that are kept. `R` roles.

    Attributes:
        columns: `[C]` numbers of bits.
        found: The states, and what they are worth.
    """

    columns: NDArray[np.int64]
    found: Experience

    @classmethod
    def of(cls, found: Sequence[Experience], columns: NDArray[np.int64] | None = None) -> Samples:
        """The samples of what was found in several batches of games.

        Args:
            found: At least one batch.
            columns: Those of samples before, to go on with the same network; else the
                fewest that tell all others, and of them those that change most seldom.
        """
        together = Experience(*map(np.concatenate, zip(*found, strict=True)))
        if columns is None:
            columns = _independent(_bits(together.states))
        return cls(columns, together)

    def __len__(self) -> int:
        return len(self.found.states)

    def inputs(self, chosen: NDArray[np.int64] | slice = ALL) -> Floats:
        """`[n, C]` the inputs of some of them, or of all: 1 where a bit is true."""
        bits = _bits(self.found.states[chosen])
        return bits[:, self.columns].astype(np.float32)

    def batch(self, chosen: NDArray[np.int64] | slice = ALL) -> Batch:
        """Some of them, or all, as the training wants them."""
        _, phases, values = self.found
        num_roles = values.shape[1]
        places = phases[chosen].astype(np.int64)[:, None] * num_roles + np.arange(num_roles)
        return Batch(self.inputs(chosen), places, values[chosen] / np.float32(MOST_VALUE))


def _bits(states: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """`[n, W * 64]` packed states as bytes."""
    return np.unpackbits(states.view(np.uint8), axis=1, bitorder="little")


def _independent(bits: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Columns of which none is a sum of multiples of the others and of a constant, ascending.

    The rarer value of a bit is what costs time, so the columns where it is rarest come first: the
    greedy choice is then the one with the fewest of them (Edmonds, Matroids and the Greedy
    Algorithm, 1971). It is Cholesky's decomposition of the covariances, columns without a rest
    left out.
    """
    num = bits.shape[0]
    sums = bits.sum(0, dtype=np.float64)
    rarity = np.minimum(sums, num - sums)
    varying = np.flatnonzero(rarity)
    order = varying[np.argsort(rarity[varying], kind="stable")]
    products = np.zeros((len(order), len(order)))
    for first in range(0, num, PART):
        part = bits[first : first + PART][:, order].astype(np.float32)
        products += part.T @ part
    rest = products - np.outer(sums[order], sums[order] / num)
    least = LEAST_PIVOT * rest.diagonal()
    kept = []
    for place, column in enumerate(order):
        if rest[place, place] <= least[place]:
            continue
        kept.append(column)
        row = rest[place, place:] / np.sqrt(rest[place, place])
        rest[place:, place:] -= np.outer(row, row)
    return np.sort(np.array(kept, np.int64))

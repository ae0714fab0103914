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

from ggp.search.knowledge.network.kernel import Floats

PART = 4096  # samples that are multiplied at once
LEAST_PIVOT = 1e-6  # of what a column had before: less is a rounding error


class Experience(NamedTuple):
    """`N` states, packed as `gdl.Expander` has them. `W` words, `R` roles."""

    states: NDArray[np.uint64]  # [N, W]
    phases: NDArray[np.int8]  # [N]
    values: Floats  # [N, R] the goals to be expected, 0..100


@dataclass(frozen=True, slots=True)
class Samples:
    """`N` states. `C` columns: the bits that are kept. `R` roles.

    Attributes:
        columns: `[C]` numbers of bits.
        inputs: `[N, C]` whether each is true.
        phases: `[N]`.
        values: `[N, R]` 0..100.
    """

    columns: NDArray[np.int64]
    inputs: NDArray[np.uint8]
    phases: NDArray[np.int8]
    values: Floats

    @classmethod
    def of(cls, found: Sequence[Experience], columns: NDArray[np.int64] | None = None) -> Samples:
        """The samples of what was found in several batches of games.

        Args:
            found: At least one batch.
            columns: Those of samples before, to go on with the same network; else the
                fewest that tell all others, and of them those that change most seldom.
        """
        states = np.concatenate([one.states for one in found])
        bits = np.unpackbits(states.view(np.uint8), axis=1, bitorder="little")
        if columns is None:
            columns = _independent(bits)
        return cls(
            columns,
            np.ascontiguousarray(bits[:, columns]),
            np.concatenate([one.phases for one in found]),
            np.concatenate([one.values for one in found]),
        )

    @classmethod
    def together(cls, parts: Sequence[Samples]) -> Samples:
        """All samples of several parts that have the same columns."""
        return cls(
            parts[0].columns,
            np.concatenate([part.inputs for part in parts]),
            np.concatenate([part.phases for part in parts]),
            np.concatenate([part.values for part in parts]),
        )

    def __len__(self) -> int:
        return len(self.inputs)

    def batch(self, chosen: NDArray[np.int64]) -> tuple[Floats, NDArray[np.int64], Floats]:
        """Some of them: `[n, C]` inputs, `[n, R]` places of outputs and values from 0 to 1."""
        num_roles = self.values.shape[1]
        places = self.phases[chosen].astype(np.int64)[:, None] * num_roles + np.arange(num_roles)
        return self.inputs[chosen].astype(np.float32), places, self.values[chosen] / np.float32(100)


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

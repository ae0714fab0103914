"""The choice of a network's inputs: bits of states, and pairs of bits.

A bit that is a linear function of other bits is left out. A pair of bits is a candidate if the
rules relate the two. Single bits can predict a part of a state's value. The chosen candidates are
those that best predict the rest.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ggp.training.network.gradient_descent import Experience

PART = 4096  # number of samples to multiply at once
MIN_PIVOT = 1e-6  # relative to the variance of a column; anything less is a rounding error
RIDGE = 10.0  # ridge of the regression, which damps weights that few samples support
MIN_SEEN = 30  # minimum number of samples in which a pair must be true


def bits_of(states: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Unpack states to bytes, one per bit: `[n, W * 64]`, 0 or 1."""
    return np.unpackbits(states.view(np.uint8), axis=1, bitorder="little")


def independent(states: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the numbers of bits, ascending. No bit is a linear function of other returned bits.

    A bit costs time only in states where it has its rarer value. So the choice is greedy, from the
    bit whose rarer value is rarest to the bit whose rarer value is most frequent. Such a choice
    costs the least time (Edmonds, Matroids and the Greedy Algorithm, 1971). The method is the
    Cholesky decomposition of the covariances, which skips columns that leave no remainder.

    Args:
        states: `[n, W]` packed states.
    """
    bits = bits_of(states)
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
    least = MIN_PIVOT * rest.diagonal()
    kept = []
    for place, column in enumerate(order):
        if rest[place, place] <= least[place]:
            continue
        kept.append(column)
        row = rest[place, place:] / np.sqrt(rest[place, place])
        rest[place:, place:] -= np.outer(row, row)
    return np.sort(np.array(kept, np.int64))


def telling_pairs(
    samples: Experience, columns: NDArray[np.int64], candidates: NDArray[np.int64], most: int
) -> NDArray[np.int64]:
    """Return the pairs that best predict what single columns cannot, `[K, 2]`, ascending.

    For each phase, a linear regression on the columns leaves residuals. The score of a pair is the
    squared sum of the residuals of the states in which both bits are 1, divided by the number of
    these states and the variance of all residuals, and added up over the phases.

    Args:
        samples: States and their values. Only the values of the first role are used.
        columns: The bits that are inputs, as numbers.
        candidates: `[N, 2]` pairs as indices of `columns`, ascending.
        most: Maximum number of pairs to keep.
    """
    if len(candidates) <= most:
        return candidates
    scores = np.zeros((len(columns), len(columns)))
    seen = np.zeros_like(scores)
    for phase in np.unique(samples.phases):
        chosen = samples.phases == phase
        inputs = bits_of(samples.states[chosen])[:, columns].astype(np.float32)
        values = samples.values[chosen, 0].astype(np.float32)
        rest = _rest(inputs, values - values.mean())
        sums = (inputs * rest[:, None]).T @ inputs
        counts = inputs.T @ inputs
        scores += sums**2 / np.maximum(counts, 1) / max(float(rest.var()), 1e-6)
        seen += counts
    of_pairs = candidates[:, 0], candidates[:, 1]
    score = np.where(seen[of_pairs] >= MIN_SEEN, scores[of_pairs], -1)
    return candidates[np.sort(np.argsort(-score, kind="stable")[:most])]


def _rest(inputs: NDArray[np.float32], values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the residuals of values after a linear regression on centred inputs."""
    centred = inputs - inputs.mean(0)
    normal = centred.T @ centred + RIDGE * np.eye(inputs.shape[1], dtype=np.float32)
    weights = np.linalg.solve(normal, centred.T @ values)
    rest: NDArray[np.float32] = values - centred @ weights
    return rest

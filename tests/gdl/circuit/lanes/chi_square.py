"""Whether a choice is uniform, as far as counting can tell."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Upper tail of the normal distribution with probability 0.0001.
UNLIKELY = 3.72


def deviation(counts: NDArray[np.integer]) -> float:
    """Chi-square of counts against equal ones."""
    expected = counts.sum() / len(counts)
    return float(((counts - expected) ** 2 / expected).sum())


def deviation_limit(freedom: int) -> float:
    """The limit that chi-square exceeds once in 10,000 times (Wilson and Hilferty, 1931)."""
    part = 2 / (9 * freedom)
    return float(freedom * (1 - part + UNLIKELY * np.sqrt(part)) ** 3)


def is_uniform(counts: NDArray[np.integer]) -> bool:
    """Whether counts may well come from a uniform choice."""
    return deviation(counts) < deviation_limit(len(counts) - 1)

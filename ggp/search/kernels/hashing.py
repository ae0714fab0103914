"""The mixing of splitmix64 (Steele, Lea and Flood, 2014), for hashes and random numbers."""

from __future__ import annotations

from typing import Final

import numpy as np

from gdl import kernel

STEP: Final = np.uint64(0x9E3779B97F4A7C15)
"""Added from one number of a sequence to the next."""


@kernel
def mix(number: np.uint64) -> np.uint64:
    """A number whose bits all depend on all bits of another one."""
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))

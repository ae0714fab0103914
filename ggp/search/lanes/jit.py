"""The decorator for kernels of the search: they are compiled as those of the circuit."""

from __future__ import annotations

import numpy as np

from gdl import kernel

__all__ = ["kernel", "wide"]


@kernel
def wide(number: int) -> int:
    """The same number in 64 bits, as those that Python hands over are.

    A kernel is compiled for each type it is called with. `int` leaves a number of an array as
    narrow as it is there.
    """
    return int(np.int64(number))

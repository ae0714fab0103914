"""Widths of numbers in kernels."""

from __future__ import annotations

import numpy as np

from gdl import kernel


@kernel
def wide(number: int) -> int:
    """The same number in 64 bits, as those that Python hands over are.

    A kernel is compiled for each type it is called with. `int` leaves a number of an array as
    narrow as it is there.
    """
    return int(np.int64(number))

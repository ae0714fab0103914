"""The types of the arrays that kernels use, and the number that means "none"."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int32]
LongArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
ByteArray = NDArray[np.uint8]
Words = NDArray[np.uint64]

NONE: Final = -1
"""The number that stands for no node, edge, slot or entry."""

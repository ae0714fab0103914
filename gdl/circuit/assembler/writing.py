"""Writing machine code, byte by byte: kernels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.native.jit import scalar_kernel

Code = NDArray[np.uint8]

VECTOR_BYTES = 64  # of the lane vectors that there is code for
MOST_BYTES = 24  # of what one instruction becomes
FRAME_BYTES = 128  # of a function, beside its instructions


@scalar_kernel
def put(code: Code, end: int, byte: int) -> int:
    """Write a byte; where the code ends then."""
    code[end] = byte & 0xFF
    return end + 1


@scalar_kernel
def put_four(code: Code, end: int, number: int) -> int:
    """Write a number of 32 bits, the lowest byte first; where the code ends then."""
    for shift in range(0, 32, 8):
        code[end] = (number >> shift) & 0xFF
        end += 1
    return end

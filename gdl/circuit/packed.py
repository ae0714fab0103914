"""Packed states: the bases of a state as bits of words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.netlist import IntArray


def pack(bases: NDArray[np.bool_]) -> IntArray:
    """`[N, W]` packed states: bit k of word j is base 32 j + k. W is even and at least 2.

    So a packed state is also an array of 64-bit words.
    """
    num_words = 2 * max(1, -(-bases.shape[1] // 64))
    padded = np.zeros((len(bases), 32 * num_words), np.bool_)
    padded[:, : bases.shape[1]] = bases
    return np.packbits(padded, axis=1, bitorder="little").view(np.int32)


def unpack(words: IntArray, num_bases: int) -> NDArray[np.bool_]:
    """`[num_bases]` the bases of one packed state."""
    bits = np.unpackbits(words.view(np.uint8), count=num_bases, bitorder="little")
    return bits.astype(np.bool_)

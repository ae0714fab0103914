"""Packed states come into lanes, and out of them, as they were."""

from __future__ import annotations

import numpy as np
import pytest

from gdl.circuit.lanes.vectors import lane_array
from gdl.circuit.lanes.words import load_packed, read_packed, transpose

pytestmark = pytest.mark.usefixtures("kernels")

WIDTH = 8
LANES = 64 * WIDTH


def test_rows_become_columns() -> None:
    """In each word of the vectors by itself."""
    transpose_buffer = lane_array(64, WIDTH)
    words = np.random.default_rng(1).integers(2**64, size=(64, WIDTH), dtype=np.uint64)
    transpose_buffer["words"] = words

    transpose(transpose_buffer)

    bits = np.arange(64, dtype=np.uint64)
    before = words[:, :, None] >> bits & np.uint64(1)
    after = transpose_buffer["words"][:, :, None] >> bits & np.uint64(1)
    assert (after == before.transpose(2, 1, 0)).all()


@pytest.mark.parametrize("num", [1, 7, 64, LANES])
@pytest.mark.parametrize("num_bases", [1, 64, 130])
def test_each_lane_has_one_of_the_states(num: int, num_bases: int) -> None:
    """Lane l has state `l % num`; what is read from the first lanes are the states."""
    num_words = -(-num_bases // 64)
    bits = np.random.default_rng(num).integers(2, size=(num, 64 * num_words), dtype=np.uint8)
    bits[:, num_bases:] = 0
    states = np.packbits(bits, axis=1, bitorder="little").view(np.uint64)
    values, transpose_buffer = lane_array(1 + num_bases, WIDTH), lane_array(64, WIDTH)

    load_packed(values, 1, states, num, num_bases, transpose_buffer)

    in_lanes = np.unpackbits(values["words"].view(np.uint8), axis=1, bitorder="little")
    assert (bits[np.arange(LANES) % num, :num_bases] == in_lanes[1:].T).all()
    places = np.zeros(64 * num_words, np.int32)
    places[:num_bases] = 2 * np.arange(1, 1 + num_bases)
    found = np.zeros((LANES, num_words), np.uint64)
    read_packed(values, places, num_words, found, num, transpose_buffer)
    assert (found[:num] == states).all()

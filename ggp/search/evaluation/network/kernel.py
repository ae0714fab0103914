"""The kernel of value networks: packed states in, a value for each role out.

The first layer is a sum over the bits of a state that differ from a reference state, so it costs
time for these only: the reference is what is true most of the time. Bits that are always the same
cost nothing. Of states that are much alike, as siblings in a tree are, the first one is the
reference for those after it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl import kernel

Floats = NDArray[np.float32]

WORD_BITS = 64
GROUP = 4  # rows of the first layer that are added at once
MOST_CHANGES = 2 * GROUP  # bits in which a state differs at most from the one it is summed up from
MOST_VALUE = 100.0

# Six bits in a row of this number tell where they begin: a product with a power of two, shifted,
# tells which power it was (Leiserson, Prokop and Randall, Using de Bruijn Sequences to Index a 1 in
# a Computer Word, 1998).
DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
PLACES = np.zeros(WORD_BITS, np.int64)
for _place in range(WORD_BITS):
    PLACES[(int(DE_BRUIJN) << _place) % (1 << WORD_BITS) >> 58] = _place


class Layers(NamedTuple):
    """The arrays of a network, and room to work in. `W` words, `H` units, `P` phases.

    `O` outputs: one for each role; or a single one where two roles share out 100.

    An object of it belongs to one thread.
    """

    mask: NDArray[np.uint64]  # [W] the bits that count
    reference: NDArray[np.uint64]  # [W] the reference state, within the mask
    rows: Floats  # [W * 64 + 1, H] what it adds that a bit differs from it; the last row is 0
    start: Floats  # [H] the sums of the reference state
    output: Floats  # [P, O, H] weights of the second layer
    bias: Floats  # [P, O]
    sums: Floats  # [H]
    products: Floats  # [H]
    active: NDArray[np.int64]  # [W * 64 + GROUP]
    signs: Floats  # [W * 64 + GROUP]
    anchor: NDArray[np.uint64]  # [W] a state of the batch, within the mask, and
    anchor_sums: Floats  # [H] its sums


@kernel
def evaluate(
    layers: Layers, states: NDArray[np.uint64], phase: int, values: NDArray[np.float64]
) -> None:
    """Write the value of each state for each role, 0..100.

    Args:
        states: `[num, W]` packed.
        values: `[num, R]` is written.
    """
    sums, num_units = layers.sums, layers.rows.shape[1]
    output, bias = layers.output[phase], layers.bias[phase]
    for state in range(len(states)):
        num = MOST_CHANGES + 1
        if state > 0:
            num = _find_changes(states[state], layers, layers.anchor, MOST_CHANGES)
        if num <= MOST_CHANGES:
            _sum_up(layers, layers.anchor_sums, num, sums)
        else:
            num = _find_changes(states[state], layers, layers.reference, len(layers.active))
            _sum_up(layers, layers.start, num, sums)
            for word in range(len(layers.anchor)):
                layers.anchor[word] = states[state, word] & layers.mask[word]
            for unit in range(num_units):
                layers.anchor_sums[unit] = sums[unit]
        for unit in range(num_units):
            clipped = min(max(sums[unit], np.float32(0.0)), np.float32(1.0))
            sums[unit] = clipped * clipped
        for role in range(len(output)):
            total = _product(sums, output[role], layers.products) + bias[role]
            values[state, role] = MOST_VALUE / (1.0 + math.exp(-total))
        if len(output) < values.shape[1]:
            values[state, 1] = MOST_VALUE - values[state, 0]


@kernel
def _find_changes(
    state: NDArray[np.uint64], layers: Layers, other: NDArray[np.uint64], most: int
) -> int:
    """Note the bits in which a state differs from another one, and how they count; how many.

    Args:
        state: Packed.
        layers: Its `active` and `signs` are written.
        other: Within the mask.
        most: More are not noted, and it ends with a number above this.
    """
    active, signs = layers.active, layers.signs
    num = 0
    for word in range(len(state)):
        masked = state[word] & layers.mask[word]
        bits, added = masked ^ other[word], masked ^ layers.reference[word]
        while bits:
            lowest = bits & (~bits + np.uint64(1))
            if num == most:
                return most + 1
            active[num] = word * WORD_BITS + PLACES[(lowest * DE_BRUIJN) >> np.uint64(58)]
            signs[num] = np.float32(1.0) if added & lowest else np.float32(-1.0)
            num += 1
            bits ^= lowest
    return num


@kernel
def _sum_up(layers: Layers, start: Floats, num: int, sums: Floats) -> None:
    rows, active, signs = layers.rows, layers.active, layers.signs
    num_units, nothing = rows.shape[1], rows.shape[0] - 1
    for place in range(num, num + GROUP):
        active[place] = nothing
    for unit in range(num_units):
        sums[unit] = start[unit]
    for place in range(0, num, GROUP):
        first, second = rows[active[place]], rows[active[place + 1]]
        third, fourth = rows[active[place + 2]], rows[active[place + 3]]
        one, two = signs[place], signs[place + 1]
        three, four = signs[place + 2], signs[place + 3]
        for unit in range(num_units):
            sums[unit] += (one * first[unit] + two * second[unit]) + (
                three * third[unit] + four * fourth[unit]
            )


@kernel
def _product(left: Floats, right: Floats, products: Floats) -> float:
    """The scalar product. It is added up by halves: so the order is known, and parallel."""
    size = len(left)
    for unit in range(size):
        products[unit] = left[unit] * right[unit]
    while size > 1:
        size //= 2
        for unit in range(size):
            products[unit] += products[unit + size]
    return float(products[0])

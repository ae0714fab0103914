"""The kernel of value networks, which computes a value for each role from packed states.

The first layer is a sum over the bits in which a state differs from a reference state, so only
these bits cost time. In the reference state, each bit has the value that it has most of the time.
Bits that never change cost nothing. In a series of similar states, such as siblings in a tree, an
earlier state, the anchor, takes the place of the reference.

A pair of bits can also be an input, which is true if both bits are. The bits of the pairs come in
separate words after the words of the state. Only pairs with a changed bit are checked.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl import kernel

Floats = NDArray[np.float32]

WORD_BITS, LOG_BITS = 64, 6
ONE_BIT = np.uint64(1)
GROUP = 4  # rows of the first layer that are added at once
MAX_CHANGES = 2 * GROUP  # maximum number of bits in which a state may differ from its anchor
NEAR = 3  # a state that differs in more bits becomes the anchor of the next states
TOO_MANY = -1
MAX_VALUE = 100.0

# Any six consecutive bits of this number are unique. So after a multiplication by a power of two,
# the top six bits identify the power (Leiserson, Prokop and Randall, Using de Bruijn Sequences to
# Index a 1 in a Computer Word, 1998).
DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
PLACES = np.zeros(WORD_BITS, np.int64)
for _place in range(WORD_BITS):
    PLACES[(int(DE_BRUIJN) << _place) % (1 << WORD_BITS) >> 58] = _place


class Layers(NamedTuple):
    """The arrays of a network, and working memory. Only one thread may use them.

    A state has `W` words, or `E` words with its pairs. There are `H` units, `P` phases and `K`
    pairs. The `O` outputs are one for each role, or a single one if the goals of two roles always
    add up to 100.
    """

    mask: NDArray[np.uint64]  # [W] the bits that matter
    reference: NDArray[np.uint64]  # [E] the reference state, within the mask
    rows: Floats  # [E * 64 + 1, H] what a bit adds to the sums if it differs; the last row is 0
    start: Floats  # [H] the sums of the reference state
    output: Floats  # [P, O, H] weights of the second layer
    bias: Floats  # [P, O] bias of the second layer
    sums: Floats  # [H] working memory
    products: Floats  # [H] working memory
    active: NDArray[np.int64]  # [E * 64 + GROUP] the bits that differ
    signs: Floats  # [E * 64 + GROUP] the signs of their rows in the sum
    current: NDArray[np.uint64]  # [E] the current state, within the mask
    anchor: NDArray[np.uint64]  # [E] an earlier state of the batch, within the mask
    anchor_sums: Floats  # [H] the sums of the anchor
    pair_starts: NDArray[np.int32]  # [W * 64 + 1] where the pairs of each bit begin
    pairs: NDArray[np.int32]  # [2 K, 2] the bit of the pair, and the bit of its other base


@kernel
def evaluate(
    layers: Layers, states: NDArray[np.uint64], phase: int, values: NDArray[np.float64]
) -> None:
    """Write the value of each state for each role, 0..100.

    Args:
        states: `[num, W]` packed states, all of the same `phase`.
        values: `[num, R]` receives the values.
    """
    sums, num_units = layers.sums, layers.rows.shape[1]
    output, bias = layers.output[phase], layers.bias[phase]
    for state in range(len(states)):
        num = TOO_MANY
        if state > 0:
            num = _find_changes(states[state], layers, layers.anchor, MAX_CHANGES)
        is_far = num == TOO_MANY
        if is_far:
            num = _find_changes(states[state], layers, layers.reference, len(layers.active))
        start = layers.start if is_far else layers.anchor_sums
        _sum_up(layers, start, _find_pairs(layers, num), sums)
        if is_far or num > NEAR:
            for word in range(len(layers.anchor)):
                layers.anchor[word] = layers.current[word]
            for unit in range(num_units):
                layers.anchor_sums[unit] = sums[unit]
        for unit in range(num_units):
            clipped = min(max(sums[unit], np.float32(0.0)), np.float32(1.0))
            sums[unit] = clipped * clipped
        for role in range(len(output)):
            total = _product(sums, output[role], layers.products) + bias[role]
            values[state, role] = MAX_VALUE / (1.0 + math.exp(-total))
        if len(output) < values.shape[1]:
            values[state, 1] = MAX_VALUE - values[state, 0]


@kernel
def _find_changes(
    state: NDArray[np.uint64], layers: Layers, other: NDArray[np.uint64], most: int
) -> int:
    """Find the bits in which a state differs from another state. Return their number.

    Args:
        state: Packed.
        layers: Its `active` receives the bits, `signs` the sign of each bit's row in the sum, and
            `current` the state.
        other: The other state with its pairs, within the mask.
        most: If more than `most` bits differ, not counting pairs, return `TOO_MANY`.
    """
    active, signs, num_words = layers.active, layers.signs, len(state)
    num = 0
    for word in range(num_words):
        masked = state[word] & layers.mask[word]
        layers.current[word] = masked
        bits, added = masked ^ other[word], masked ^ layers.reference[word]
        while bits:
            lowest = bits & (~bits + np.uint64(1))
            if num == most:
                return TOO_MANY
            active[num] = word * WORD_BITS + PLACES[(lowest * DE_BRUIJN) >> np.uint64(58)]
            signs[num] = np.float32(1.0) if added & lowest else np.float32(-1.0)
            num += 1
            bits ^= lowest
    for word in range(num_words, len(other)):
        layers.current[word] = other[word]
    return num


@kernel
def _find_pairs(layers: Layers, num: int) -> int:
    """Append the bits of pairs that differ to the `num` bits in `active`. Return the new number."""
    active, current, pairs = layers.active, layers.current, layers.pairs
    for change in range(num if len(pairs) > 0 else 0):
        bit = active[change]
        is_set = _bit(current, bit)
        for pair in range(layers.pair_starts[bit], layers.pair_starts[bit + 1]):
            place = pairs[pair, 0]
            is_true = is_set & _bit(current, pairs[pair, 1])
            if is_true != _bit(current, place):
                current[place >> LOG_BITS] ^= ONE_BIT << np.uint64(place & (WORD_BITS - 1))
                is_new = is_true != _bit(layers.reference, place)
                active[num] = place
                layers.signs[num] = np.float32(1.0) if is_new else np.float32(-1.0)
                num += 1
    return num


@kernel
def _bit(words: NDArray[np.uint64], place: int) -> int:
    return int((words[place >> LOG_BITS] >> np.uint64(place & (WORD_BITS - 1))) & ONE_BIT)


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
    """Return the dot product of two vectors. `products` is working memory.

    To sum the products, add the second half of them to the first half. Then do the same with the
    results, and so on. So the additions can run in parallel, and their order is the same on every
    machine.
    """
    size = len(left)
    for unit in range(size):
        products[unit] = left[unit] * right[unit]
    while size > 1:
        size //= 2
        for unit in range(size):
            products[unit] += products[unit + size]
    return float(products[0])

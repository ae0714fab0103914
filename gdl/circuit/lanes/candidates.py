"""The candidates for a role's move: count the legal ones, and find one by its rank.

Candidates are in groups of fifteen, the largest number that four bits can count. Groups are the
leaves of a binary tree. Counts are added on the way up, and a rank is located on the way down. A
number is bit-sliced: each of its bits is a lane vector. A table says where legality is stored, as
an offset in words (the index of a vector times the width), so that no instruction has to compute an
address.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numpy.typing import NDArray

from gdl.circuit.lanes.vectors import (
    LaneArray,
    LaneType,
    LaneVector,
    any_lane,
    at,
    element_pointer,
    lane_array,
    load,
    operation,
    signature,
    splat,
    store,
    vector_alignment,
    vector_type,
    width_of,
    zero,
)
from gdl.circuit.netlist import NO, YES, IntArray
from gdl.circuit.schedule import Schedule
from gdl.native.jit import lane_kernel

GROUP = 15  # candidates
GROUP_BITS = 4  # bits of a number up to GROUP
CHUNK = 4  # bits of a number that are looked up at once; bits after the number's end are ignored

MAX_BITS = 32  # bits of a rank; no role has 2 ** 28 moves


class Choices(NamedTuple):
    """The candidates of each of `R` roles in each of `P` phases, in `C` groups.

    The legality of a group's candidates is read either plain or complemented. Groups are padded
    with candidates that are never legal.
    """

    starts: IntArray  # [P, R + 1] where the groups of each role begin
    sizes: IntArray  # [P, R] number of candidates
    signs: IntArray  # [C] 0 if plain, -1 if complemented
    legal: IntArray  # [C * GROUP] where legality is stored, in words
    does: IntArray  # [C * GROUP] where the inputs are stored, in words
    bias: IntArray  # [1] how many leading bits of a rank's fraction tend to be true


class Scratch(NamedTuple):
    """Scratch memory for choosing moves. Only `random` keeps its content for the next choice."""

    counts: LaneArray  # [all levels of the tree] the bits of each node, level after level
    masks: LaneArray  # [groups of one role]
    picks: LaneArray  # [GROUP]
    rank: LaneArray  # [MAX_BITS]
    left: LaneArray  # [MAX_BITS] count of the left child, then the rank minus this count
    random: LaneArray  # [2] each word has the state of a generator xoroshiro128+


def make_choices(schedules: Sequence[Schedule], constant_slot: int, width: int) -> Choices:
    """Return the candidates of each role: the inputs that may be legal.

    Args:
        constant_slot: The slot that is always true. The slot after it is never read.
    """
    starts: list[list[int]] = []
    sizes: list[list[int]] = []
    num_groups = 0
    signs, legal, does = ([np.zeros(0, np.int32)] for _ in range(3))
    for plan in schedules:
        first_input = plan.netlist.first_input
        starts.append([num_groups])
        sizes.append([])
        for first, last in pairwise(plan.netlist.role_starts.tolist()):
            inputs = first + np.flatnonzero(plan.legal[first:last] != NO)
            sizes[-1].append(len(inputs))
            for sign in (NO, YES):
                members = inputs[plan.legal[inputs] & 1 == sign]
                padding = -len(members) % GROUP
                groups = (len(members) + padding) // GROUP
                signs.append(np.full(groups, -sign))
                legal += [plan.legal[members] >> 1, np.full(padding, constant_slot * sign)]
                does += [first_input + members, np.full(padding, constant_slot + 1)]
                num_groups += groups
            starts[-1].append(num_groups)
    return Choices(
        starts=np.array(starts, np.int32),
        sizes=np.array(sizes, np.int32),
        signs=np.concatenate(signs).astype(np.int32),
        legal=np.concatenate(legal).astype(np.int32) * np.int32(width),
        does=np.concatenate(does).astype(np.int32) * np.int32(width),
        bias=np.zeros(1, np.int32),
    )


def make_scratch(choices: Choices, width: int, seed: int) -> Scratch:
    """Return scratch memory with a seeded random generator."""
    num_groups = int(np.diff(choices.starts, axis=1).max(initial=1))
    num_counts, bits, level = 0, GROUP_BITS, num_groups
    while level > 1:
        num_counts += level * bits
        bits, level = bits + 1, (level + 1) // 2
    random = lane_array(2, width)
    random["words"] = np.random.default_rng(seed).integers(1, 2**64, (2, width), np.uint64)
    return Scratch(
        counts=lane_array(num_counts + bits + CHUNK, width),
        masks=lane_array(num_groups + 1, width),
        picks=lane_array(GROUP, width),
        rank=lane_array(MAX_BITS, width),
        left=lane_array(MAX_BITS, width),
        random=random,
    )


_WORD = ir.IntType(64)


def _load_at_plain(values: LaneArray, table: NDArray[np.int32], index: int) -> LaneVector:
    return load(values, int(table[index]) // values["words"].shape[1])


@operation(_load_at_plain)
def load_at(typing: object, values: types.Array, table: types.Array, index: types.Integer) -> Any:
    """`load_at(values, table, index)`: return the vector at the word offset `table[index]`."""

    def generate(*generator: Any) -> ir.Value:
        _, builder, sig, _ = generator
        pointer = _place_pointer(generator)
        return builder.load(pointer, align=vector_alignment(width_of(sig.args[0])))

    return signature(LaneType(width_of(values)), values, table, types.int64), generate


def _store_at_plain(
    values: LaneArray, table: NDArray[np.int32], index: int, vector: LaneVector
) -> None:
    store(values, int(table[index]) // values["words"].shape[1], vector)


@operation(_store_at_plain)
def store_at(
    typing: object, values: types.Array, table: types.Array, index: types.Integer, vector: LaneType
) -> Any:
    """`store_at(values, table, index, vector)`: store a vector at word offset `table[index]`."""

    def generate(*generator: Any) -> ir.Value:
        context, builder, sig, args = generator
        pointer = _place_pointer(generator)
        builder.store(args[3], pointer, align=vector_alignment(width_of(sig.args[0])))
        return context.get_dummy_value()

    return signature(types.void, values, table, types.int64, vector), generate


def _place_pointer(generator: Any) -> ir.Value:
    _, builder, sig, args = generator
    # Word offsets are never negative, and zero extension costs nothing.
    entry = builder.load(builder.gep(element_pointer(generator, 1), [args[2]]))
    words = builder.bitcast(element_pointer(generator, 0), _WORD.as_pointer())
    pointer = builder.gep(words, [builder.zext(entry, _WORD)])
    return builder.bitcast(pointer, vector_type(width_of(sig.args[0])).as_pointer())


@lane_kernel
def majority(left: LaneVector, middle: LaneVector, right: LaneVector) -> LaneVector:
    """Return the lanes where at least two of three bits are true: the carry of a full adder."""
    # A full adder computes this difference for its sum anyway.
    differ = left ^ middle
    return (differ & right) | (left & ~differ)


@lane_kernel
def count_groups(
    values: LaneArray, choices: Choices, scratch: Scratch, first: int, num_groups: int
) -> None:
    """Count the legal candidates in each group of a role. `first` is the role's first group."""
    for group in range(num_groups):
        _count_group(values, choices, scratch.counts, first + group, group * GROUP_BITS)


@lane_kernel
def add_counts(scratch: Scratch, num_groups: int) -> tuple[int, int]:
    """Add the groups' counts up the tree. Return where the root's count begins, and the height."""
    counts = scratch.counts
    position = 0
    bits = GROUP_BITS
    num_nodes = num_groups
    while num_nodes > 1:
        above = position + num_nodes * bits
        target = above
        for _ in range(num_nodes >> 1):
            carry = zero(counts)
            for bit in range(bits):
                left = load(counts, position + bit)
                right = load(counts, position + bits + bit)
                store(counts, target + bit, left ^ right ^ carry)
                carry = majority(left, right, carry)
            store(counts, target + bits, carry)
            position += 2 * bits
            target += bits + 1
        if num_nodes & 1:
            for bit in range(bits):
                store(counts, target + bit, load(counts, position + bit))
            store(counts, target + bits, zero(counts))
        position = above
        num_nodes = (num_nodes + 1) >> 1
        bits += 1
    return position, bits - GROUP_BITS


@lane_kernel
def _count_group(
    values: LaneArray, choices: Choices, counts: LaneArray, group: int, target: int
) -> None:
    """Count the legal candidates of one group with full adders, which turn three bits into two.

    The adders give the complement of each bit if they get complements. So if the literals of the
    group are complemented, the bits of the result are complemented: 15 minus the result is the
    count.
    """
    legal = choices.legal
    slot = group * GROUP
    a, b = load_at(values, legal, slot), load_at(values, legal, slot + 1)
    ones = load_at(values, legal, slot + 2)
    twos_1, ones = majority(a, b, ones), a ^ b ^ ones
    a, b = load_at(values, legal, slot + 3), load_at(values, legal, slot + 4)
    twos_2, ones = majority(a, b, ones), a ^ b ^ ones
    a, b = load_at(values, legal, slot + 5), load_at(values, legal, slot + 6)
    twos_3, ones = majority(a, b, ones), a ^ b ^ ones
    fours_1, twos_1 = majority(twos_1, twos_2, twos_3), twos_1 ^ twos_2 ^ twos_3
    a, b = load_at(values, legal, slot + 7), load_at(values, legal, slot + 8)
    twos_2, ones = majority(a, b, ones), a ^ b ^ ones
    a, b = load_at(values, legal, slot + 9), load_at(values, legal, slot + 10)
    twos_3, ones = majority(a, b, ones), a ^ b ^ ones
    fours_2, twos_1 = majority(twos_1, twos_2, twos_3), twos_1 ^ twos_2 ^ twos_3
    a, b = load_at(values, legal, slot + 11), load_at(values, legal, slot + 12)
    twos_2, ones = majority(a, b, ones), a ^ b ^ ones
    a, b = load_at(values, legal, slot + 13), load_at(values, legal, slot + 14)
    twos_3, ones = majority(a, b, ones), a ^ b ^ ones
    fours_3, twos_1 = majority(twos_1, twos_2, twos_3), twos_1 ^ twos_2 ^ twos_3
    sign = splat(values, at(choices.signs, group))
    store(counts, target, ones ^ sign)
    store(counts, target + 1, twos_1 ^ sign)
    store(counts, target + 2, fours_1 ^ fours_2 ^ fours_3 ^ sign)
    store(counts, target + 3, majority(fours_1, fours_2, fours_3) ^ sign)


@lane_kernel
def count_bits(counts: LaneArray, first: int, num_bits: int) -> int:
    """Return the number of bits that the largest number in any lane needs, at least 1.

    Args:
        first: Index in `counts` of the lowest bit of the number.
        num_bits: The number of its bits.
    """
    while num_bits > 1 and not any_lane(load(counts, first + num_bits - 1)):
        num_bits -= 1
    return num_bits


@lane_kernel
def walk_down(scratch: Scratch, num_groups: int, num_levels: int, root: int, num_bits: int) -> None:
    """Find the group that contains each lane's rank.

    Set the masks of the groups, and replace the rank by the rank within the group.

    Args:
        scratch: It has the counts from `add_counts`, and the rank among all candidates.
        num_levels: The height of the tree.
        root: Where the root's count begins.
        num_bits: The number of bits of the rank that may be set.
    """
    masks, rank, left = scratch.masks, scratch.rank, scratch.left
    store(masks, 0, ~zero(masks))
    position = root
    for level in range(num_levels - 1, -1, -1):
        stride = GROUP_BITS + level
        bits = min(stride + 1, num_bits)  # the rank may be as large as two full children
        num_nodes = (num_groups + (1 << level) - 1) >> level
        num_parents = (num_nodes + 1) >> 1
        position -= num_nodes * stride
        for bit in range(0, min(stride, bits), CHUNK):
            _look_up(scratch, position + bit, 2 * stride, num_parents, bit)
        store(left, stride, zero(left))
        borrow = zero(masks)
        for bit in range(bits):
            old, here = load(rank, bit), load(left, bit)
            store(left, bit, old ^ here ^ borrow)
            borrow = majority(~old, here, borrow)
        for bit in range(bits):
            old, less = load(rank, bit), load(left, bit)
            store(rank, bit, (old & borrow) | (less & ~borrow))
        # Split the masks in place, from the end, because a child is stored at or after its parent.
        for parent in range(num_parents - 1, -1, -1):
            mask = load(masks, parent)
            store(masks, 2 * parent + 1, mask & ~borrow)
            store(masks, 2 * parent, mask & borrow)


@lane_kernel
def _look_up(
    scratch: Scratch, position: int, stride: int, num_parents: int, first_bit: int
) -> None:
    """Copy four bits of a count to `left`. In each lane, it is that of its node's left child."""
    counts, masks, left = scratch.counts, scratch.masks, scratch.left
    a = b = c = d = zero(masks)
    for parent in range(num_parents):
        mask = load(masks, parent)
        a = a | (mask & load(counts, position))
        b = b | (mask & load(counts, position + 1))
        c = c | (mask & load(counts, position + 2))
        d = d | (mask & load(counts, position + 3))
        position += stride
    store(left, first_bit, a)
    store(left, first_bit + 1, b)
    store(left, first_bit + 2, c)
    store(left, first_bit + 3, d)

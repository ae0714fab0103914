"""A uniformly random legal move for a role, in all lanes at once and without leaving lane vectors.

The candidates of a role stand in groups of eight. Numbers are *bit-sliced*: bit k of a number is a
lane vector, so one operation works on that bit in all lanes.

1. The legal candidates of each group are counted; counts are added up a binary tree.
2. At the root, a random fraction times the count gives the rank of the chosen move in each lane.
3. Down the tree: go left if the rank is less than the count there, else subtract it and go right.
   Which group a lane is in is a mask for each group.
4. The legality of the candidates of each lane's group is gathered; the rank picks one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from gdl.circuit.jit import lane_kernel
from gdl.circuit.netlist import NO, YES, IntArray
from gdl.circuit.schedule import Schedule
from gdl.circuit.vectors import (
    WORD_BITS,
    LaneArray,
    LaneVector,
    at,
    lane_array,
    load,
    splat,
    store,
    zero,
)

GROUP = 8  # candidates
GROUP_BITS = 4  # of a number up to GROUP

# The probabilities of two moves differ by less than 2 ** -EXTRA_BITS of either.
EXTRA_BITS = 12
MAX_BITS = 32  # of a rank; nobody has 2 ** 32 moves


class Choices(NamedTuple):
    """The candidates of each role in each phase. `P` phases, `R` roles, `C` groups.

    A group's candidates are all read plain or all complemented. Groups are filled up with
    candidates that are never legal.
    """

    starts: IntArray  # [P, R + 1] where the groups of each role begin
    sizes: IntArray  # [P, R] how many candidates
    signs: IntArray  # [C] 0 plain, -1 complemented
    legal: IntArray  # [C * GROUP] slots of legality
    does: IntArray  # [C * GROUP] slots of the inputs


class Scratch(NamedTuple):
    """What choosing writes to; it holds nothing between two choices but the random numbers."""

    counts: LaneArray  # [all levels of the tree] bits of a node together, level after level
    masks: LaneArray  # [groups of one role]
    picks: LaneArray  # [GROUP]
    rank: LaneArray  # [MAX_BITS]
    left: LaneArray  # [MAX_BITS] count of the left child, then rank minus it
    random: LaneArray  # [2] state of a generator xoroshiro128+ in each word


def make_choices(schedules: Sequence[Schedule], constant_slot: int) -> Choices:
    """The candidates of each role: the inputs that are not always illegal.

    Args:
        schedules: One for each phase.
        constant_slot: The slot that is always true; nobody reads what stands in the next one.
    """
    starts: list[list[int]] = []
    sizes: list[list[int]] = []
    signs: list[int] = []
    legal: list[int] = []
    does: list[int] = []
    for plan in schedules:
        role_starts = plan.netlist.role_starts
        starts.append([len(signs)])
        sizes.append([])
        for first, last in pairwise(role_starts.tolist()):
            inputs = [i for i in range(first, last) if plan.legal[i] != NO]
            sizes[-1].append(len(inputs))
            for sign in (NO, YES):
                members = [i for i in inputs if plan.legal[i] & 1 == sign]
                padding = -len(members) % GROUP
                signs += [-sign] * ((len(members) + padding) // GROUP)
                legal += [plan.legal[i] >> 1 for i in members] + [constant_slot * sign] * padding
                does += [plan.netlist.first_input + i for i in members]
                does += [constant_slot + 1] * padding
            starts[-1].append(len(signs))
    return Choices(
        starts=np.array(starts, np.int32),
        sizes=np.array(sizes, np.int32),
        signs=np.array(signs, np.int32),
        legal=np.array(legal, np.int32),
        does=np.array(does, np.int32),
    )


def make_scratch(choices: Choices, width: int, seed: int) -> Scratch:
    """Room for choosing, with a seeded random generator."""
    num_groups = int(np.diff(choices.starts, axis=1).max(initial=1))
    num_counts, bits, level = 0, GROUP_BITS, num_groups
    while level > 1:
        num_counts += level * bits
        bits, level = bits + 1, (level + 1) // 2
    random = lane_array(2, width)
    random["words"] = np.random.default_rng(seed).integers(1, 2**64, (2, width), np.uint64)
    return Scratch(
        counts=lane_array(num_counts + bits, width),
        masks=lane_array(num_groups + 1, width),
        picks=lane_array(GROUP, width),
        rank=lane_array(MAX_BITS, width),
        left=lane_array(MAX_BITS, width),
        random=random,
    )


@lane_kernel
def choose_moves(values: LaneArray, choices: Choices, scratch: Scratch, phase: int) -> None:
    """Set the inputs to one random legal move for each role; none where there is no legal one."""
    for role in range(choices.sizes.shape[1]):
        size = int(choices.sizes[phase, role])
        first = int(choices.starts[phase, role])
        num_groups = int(choices.starts[phase, role + 1]) - first
        if size == 1:
            legal = load(values, at(choices.legal, first * GROUP))
            store(values, at(choices.does, first * GROUP), legal ^ _sign(values, choices, first))
        elif size > 1:
            root, num_levels = count_legal(values, choices, scratch, first, num_groups)
            num_bits = 0
            while size >> num_bits:
                num_bits += 1
            draw_rank(scratch, root, num_bits, num_levels + GROUP_BITS)
            walk_down(scratch, num_groups, num_levels, root)
            gather(values, choices, scratch, first, num_groups)
            pick(scratch)
            spread(values, choices, scratch, first, num_groups)


@lane_kernel
def _sign(values: LaneArray, choices: Choices, group: int) -> LaneVector:
    return splat(values, at(choices.signs, group))


@lane_kernel
def count_legal(
    values: LaneArray, choices: Choices, scratch: Scratch, first: int, num_groups: int
) -> tuple[int, int]:
    """Count the legal candidates of a role: where the root's count is, and the tree's height."""
    counts = scratch.counts
    for group in range(num_groups):
        _count_group(values, choices, counts, first + group, group * GROUP_BITS)
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
                either = left ^ right
                store(counts, target + bit, either ^ carry)
                carry = (left & right) | (either & carry)
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
    """Count the legal candidates of one group: full adders add three bits, half adders two."""
    sign = _sign(values, choices, group)
    slot = group * GROUP
    legal = choices.legal
    a, b = load(values, at(legal, slot)) ^ sign, load(values, at(legal, slot + 1)) ^ sign
    c, d = load(values, at(legal, slot + 2)) ^ sign, load(values, at(legal, slot + 3)) ^ sign
    ab = a ^ b
    e, f = load(values, at(legal, slot + 4)) ^ sign, load(values, at(legal, slot + 5)) ^ sign
    g, h = load(values, at(legal, slot + 6)) ^ sign, load(values, at(legal, slot + 7)) ^ sign
    abc, twos_1 = ab ^ c, (a & b) | (ab & c)
    ef = e ^ f
    efg, twos_2 = ef ^ g, (e & f) | (ef & g)
    dh, twos_3 = d ^ h, d & h
    ones = abc ^ efg
    twos_4 = (abc & efg) | (ones & dh)
    store(counts, target, ones ^ dh)
    twos_12, twos_34 = twos_1 ^ twos_2, twos_3 ^ twos_4
    fours_1, fours_2 = twos_1 & twos_2, twos_3 & twos_4
    fours_3 = twos_12 & twos_34
    store(counts, target + 1, twos_12 ^ twos_34)
    store(counts, target + 2, fours_1 ^ fours_2 ^ fours_3)
    store(counts, target + 3, (fours_1 & fours_2) | (fours_1 & fours_3) | (fours_2 & fours_3))


@lane_kernel
def draw_rank(scratch: Scratch, root: int, num_bits: int, num_rank_bits: int) -> None:
    """Draw a rank below the root's count: a random binary fraction times the count.

    The fraction's bits come lowest first: for each, add the count if it is set, then halve. What
    falls off is the fractional part.

    Args:
        scratch: The rank is written.
        root: Where the count's bits begin.
        num_bits: How many of them may be set.
        num_rank_bits: So many bits of the rank are written.
    """
    counts, rank, random = scratch.counts, scratch.rank, scratch.random
    for bit in range(num_rank_bits):
        store(rank, bit, zero(rank))
    first, second = load(random, 0), load(random, 1)
    for _ in range(num_bits + EXTRA_BITS):
        # xoroshiro128+ of D. Blackman and S. Vigna, 2018, in each word.
        fraction = first + second
        second = second ^ first
        first = rotate(first, 24) ^ second ^ (second << 16)
        second = rotate(second, 37)
        term = fraction & load(counts, root)
        carry = load(rank, 0) & term
        for bit in range(1, num_bits):
            term = fraction & load(counts, root + bit)
            old = load(rank, bit)
            either = old ^ term
            store(rank, bit - 1, either ^ carry)
            carry = (old & term) | (either & carry)
        store(rank, num_bits - 1, carry)
    store(random, 0, first)
    store(random, 1, second)


@lane_kernel
def rotate(vector: LaneVector, distance: int) -> LaneVector:
    """The words, rotated left by so many bits."""
    return (vector << distance) | (vector >> (WORD_BITS - distance))


@lane_kernel
def walk_down(scratch: Scratch, num_groups: int, num_levels: int, root: int) -> None:
    """Find the group of each lane's rank: sets the masks, leaves the rank within the group."""
    counts, masks, rank, left = scratch.counts, scratch.masks, scratch.rank, scratch.left
    store(masks, 0, ~zero(masks))
    position = root
    for level in range(num_levels - 1, -1, -1):
        bits = GROUP_BITS + level
        num_nodes = (num_groups + (1 << level) - 1) >> level
        num_parents = (num_nodes + 1) >> 1
        position -= num_nodes * bits
        borrow = zero(masks)
        for bit in range(bits):
            here = zero(masks)
            for parent in range(num_parents):
                here = here | (
                    load(masks, parent) & load(counts, position + 2 * parent * bits + bit)
                )
            old = load(rank, bit)
            either = old ^ here
            store(left, bit, either ^ borrow)
            borrow = (~old & (here | borrow)) | (here & borrow)
        for bit in range(bits):
            old = load(rank, bit)
            store(rank, bit, (old & borrow) | (load(left, bit) & ~borrow))
        # In place, from the end: a child stands at or after its parent.
        for parent in range(num_parents - 1, -1, -1):
            mask = load(masks, parent)
            store(masks, 2 * parent + 1, mask & ~borrow)
            store(masks, 2 * parent, mask & borrow)


@lane_kernel
def gather(
    values: LaneArray, choices: Choices, scratch: Scratch, first: int, num_groups: int
) -> None:
    """Set the picks to the legality of the candidates of each lane's group."""
    masks, picks, legal = scratch.masks, scratch.picks, choices.legal
    a = b = c = d = e = f = g = h = zero(masks)
    for group in range(num_groups):
        mask = load(masks, group)
        sign = _sign(values, choices, first + group)
        slot = (first + group) * GROUP
        a = a | (mask & (load(values, at(legal, slot)) ^ sign))
        b = b | (mask & (load(values, at(legal, slot + 1)) ^ sign))
        c = c | (mask & (load(values, at(legal, slot + 2)) ^ sign))
        d = d | (mask & (load(values, at(legal, slot + 3)) ^ sign))
        e = e | (mask & (load(values, at(legal, slot + 4)) ^ sign))
        f = f | (mask & (load(values, at(legal, slot + 5)) ^ sign))
        g = g | (mask & (load(values, at(legal, slot + 6)) ^ sign))
        h = h | (mask & (load(values, at(legal, slot + 7)) ^ sign))
    store(picks, 0, a)
    store(picks, 1, b)
    store(picks, 2, c)
    store(picks, 3, d)
    store(picks, 4, e)
    store(picks, 5, f)
    store(picks, 6, g)
    store(picks, 7, h)


@lane_kernel
def pick(scratch: Scratch) -> None:
    """Keep of the picks the one whose rank among the legal ones is the lane's rank.

    A lane that has picked continues with rank 7, and fewer than 8 legal ones are left.
    """
    picks, rank = scratch.picks, scratch.rank
    ones, twos, fours = load(rank, 0), load(rank, 1), load(rank, 2)
    for candidate in range(GROUP):
        legal = load(picks, candidate)
        store(picks, candidate, legal & ~(ones | twos | fours))
        borrow = legal & ~ones
        ones = ones ^ legal
        fours = fours ^ (borrow & ~twos)
        twos = twos ^ borrow


@lane_kernel
def spread(
    values: LaneArray, choices: Choices, scratch: Scratch, first: int, num_groups: int
) -> None:
    """Set the inputs: in each lane's group the pick, false in all others."""
    masks, picks, does = scratch.masks, scratch.picks, choices.does
    a, b, c, d = load(picks, 0), load(picks, 1), load(picks, 2), load(picks, 3)
    e, f, g, h = load(picks, 4), load(picks, 5), load(picks, 6), load(picks, 7)
    for group in range(num_groups):
        mask = load(masks, group)
        slot = (first + group) * GROUP
        store(values, at(does, slot), mask & a)
        store(values, at(does, slot + 1), mask & b)
        store(values, at(does, slot + 2), mask & c)
        store(values, at(does, slot + 3), mask & d)
        store(values, at(does, slot + 4), mask & e)
        store(values, at(does, slot + 5), mask & f)
        store(values, at(does, slot + 6), mask & g)
        store(values, at(does, slot + 7), mask & h)

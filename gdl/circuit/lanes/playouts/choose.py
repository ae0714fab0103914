"""Choose a random legal move for a role in all lanes at once, with operations on lane vectors only.

Every legal move is equally likely. The candidates of a role are in groups of fifteen, the largest
number that four bits can count. Numbers are *bit-sliced*: bit k of a number is a lane vector, so
one operation works on that bit in all lanes.

1. Count the legal candidates of each group, and add the counts up a binary tree.
2. At the root, a random fraction times the count is the rank of the chosen move in each lane.
3. Walk down the tree: go left if the rank is less than the count there, else subtract that count
   and go right. Each group has a mask of the lanes that arrive at it.
4. Gather the legality of the candidates of each lane's group. The rank selects one of them.
"""

from __future__ import annotations

from gdl.circuit.lanes.candidates import (
    GROUP,
    GROUP_BITS,
    Choices,
    Scratch,
    add_counts,
    count_bits,
    count_groups,
    load_at,
    majority,
    store_at,
    walk_down,
)
from gdl.circuit.lanes.vectors import WORD_BITS, LaneArray, LaneVector, at, load, splat, store, zero
from gdl.native.jit import lane_kernel

# The probabilities of two moves differ by less than 2 ** -EXTRA_BITS, relative to either.
EXTRA_BITS = 12


@lane_kernel
def choose_moves(values: LaneArray, choices: Choices, scratch: Scratch, phase: int) -> None:
    """Set the input of one random legal move for each role, or no input if no move is legal."""
    for role in range(choices.sizes.shape[1]):
        size = int(choices.sizes[phase, role])
        first = int(choices.starts[phase, role])
        num_groups = int(choices.starts[phase, role + 1]) - first
        if size == 1:
            choose_only(values, choices, first)
        elif size > 1:
            count_groups(values, choices, scratch, first, num_groups)
            choose_counted(values, choices, scratch, first, num_groups, size)


@lane_kernel
def choose_only(values: LaneArray, choices: Choices, first: int) -> None:
    """Set the input of a role's only candidate in the lanes in which it is legal."""
    legal = load_at(values, choices.legal, first * GROUP)
    sign = splat(values, at(choices.signs, first))
    store_at(values, choices.does, first * GROUP, legal ^ sign)


@lane_kernel
def choose_counted(
    values: LaneArray, choices: Choices, scratch: Scratch, first: int, num_groups: int, size: int
) -> None:
    """Set the inputs of a role with `size` candidates, by counting the legal ones of each group."""
    root, num_levels = add_counts(scratch, num_groups)
    num_bits = count_bits(scratch.counts, root, num_levels + GROUP_BITS)
    draw_rank(scratch, root, num_bits, at(choices.bias, 0))
    walk_down(scratch, num_groups, num_levels, root, num_bits)
    gather(values, choices, scratch, first, num_groups)
    pick(scratch, min(size, GROUP) if num_groups == 1 else GROUP)
    spread(values, choices, scratch, first, num_groups)


@lane_kernel
def draw_rank(scratch: Scratch, root: int, num_bits: int, bias: int) -> None:
    """Draw a rank below the root's count: a random binary fraction times the count.

    The bits of the fraction are drawn lowest first. For each of them, add the count if the bit is
    set, then halve. The bits that drop out are the fractional part.

    Args:
        scratch: Receives the rank, with as many bits as the count has, and at least as many as the
            count of a group has.
        root: Where the count's bits begin.
        num_bits: The number of these bits that may be set.
        bias: The number of leading bits of the fraction that are set with a probability of 3/4.
    """
    counts, rank, random = scratch.counts, scratch.rank, scratch.random
    for bit in range(max(num_bits, GROUP_BITS)):
        store(rank, bit, zero(rank))
    first, second = load(random, 0), load(random, 1)
    first_biased = num_bits + EXTRA_BITS - bias
    for place in range(num_bits + EXTRA_BITS):
        # Each word uses xoroshiro128+ by D. Blackman and S. Vigna, 2018.
        fraction = first + second
        second = second ^ first
        first = rotate(first, 24) ^ second ^ (second << 16)
        second = rotate(second, 37)
        if place >= first_biased:
            fraction = fraction | (first + second)
            second = second ^ first
            first = rotate(first, 24) ^ second ^ (second << 16)
            second = rotate(second, 37)
        term = fraction & load(counts, root)
        carry = load(rank, 0) & term
        for bit in range(1, num_bits):
            term = fraction & load(counts, root + bit)
            old = load(rank, bit)
            store(rank, bit - 1, old ^ term ^ carry)
            carry = majority(old, term, carry)
        store(rank, num_bits - 1, carry)
    store(random, 0, first)
    store(random, 1, second)


@lane_kernel
def rotate(vector: LaneVector, distance: int) -> LaneVector:
    """Rotate each word left by `distance` bits."""
    return (vector << distance) | (vector >> (WORD_BITS - distance))


@lane_kernel
def gather(
    values: LaneArray, choices: Choices, scratch: Scratch, first: int, num_groups: int
) -> None:
    """Set `picks` to the legality of the candidates in each lane's group."""
    masks, picks, legal = scratch.masks, scratch.picks, choices.legal
    flips = zero(masks)
    a = b = c = d = e = f = g = h = zero(masks)
    i = j = k = m = n = o = p = zero(masks)
    for group in range(num_groups):
        mask = load(masks, group)
        flips = flips | (mask & splat(values, at(choices.signs, first + group)))
        slot = (first + group) * GROUP
        a = a | (mask & load_at(values, legal, slot))
        b = b | (mask & load_at(values, legal, slot + 1))
        c = c | (mask & load_at(values, legal, slot + 2))
        d = d | (mask & load_at(values, legal, slot + 3))
        e = e | (mask & load_at(values, legal, slot + 4))
        f = f | (mask & load_at(values, legal, slot + 5))
        g = g | (mask & load_at(values, legal, slot + 6))
        h = h | (mask & load_at(values, legal, slot + 7))
        i = i | (mask & load_at(values, legal, slot + 8))
        j = j | (mask & load_at(values, legal, slot + 9))
        k = k | (mask & load_at(values, legal, slot + 10))
        m = m | (mask & load_at(values, legal, slot + 11))
        n = n | (mask & load_at(values, legal, slot + 12))
        o = o | (mask & load_at(values, legal, slot + 13))
        p = p | (mask & load_at(values, legal, slot + 14))
    store(picks, 0, a ^ flips)
    store(picks, 1, b ^ flips)
    store(picks, 2, c ^ flips)
    store(picks, 3, d ^ flips)
    store(picks, 4, e ^ flips)
    store(picks, 5, f ^ flips)
    store(picks, 6, g ^ flips)
    store(picks, 7, h ^ flips)
    store(picks, 8, i ^ flips)
    store(picks, 9, j ^ flips)
    store(picks, 10, k ^ flips)
    store(picks, 11, m ^ flips)
    store(picks, 12, n ^ flips)
    store(picks, 13, o ^ flips)
    store(picks, 14, p ^ flips)


@lane_kernel
def pick(scratch: Scratch, size: int) -> None:
    """In each lane, keep the pick whose rank among the legal moves equals the lane's rank.

    After its pick, the rank of a lane wraps around to 15. Fewer than 15 picks remain, so it keeps
    none of them.
    """
    picks, rank = scratch.picks, scratch.rank
    ones, twos, fours, eights = load(rank, 0), load(rank, 1), load(rank, 2), load(rank, 3)
    for candidate in range(size):
        legal = load(picks, candidate)
        store(picks, candidate, legal & ~(ones | twos | fours | eights))
        from_twos = legal & ~ones
        from_fours = from_twos & ~twos
        ones = ones ^ legal
        twos = twos ^ from_twos
        eights = eights ^ (from_fours & ~fours)
        fours = fours ^ from_fours


@lane_kernel
def spread(
    values: LaneArray, choices: Choices, scratch: Scratch, first: int, num_groups: int
) -> None:
    """Set the inputs to the picks in each lane's group, and to false in all other groups."""
    masks, picks, does = scratch.masks, scratch.picks, choices.does
    a, b, c = load(picks, 0), load(picks, 1), load(picks, 2)
    d, e, f = load(picks, 3), load(picks, 4), load(picks, 5)
    g, h, i = load(picks, 6), load(picks, 7), load(picks, 8)
    j, k, m = load(picks, 9), load(picks, 10), load(picks, 11)
    n, o, p = load(picks, 12), load(picks, 13), load(picks, 14)
    for group in range(num_groups):
        mask = load(masks, group)
        slot = (first + group) * GROUP
        store_at(values, does, slot, mask & a)
        store_at(values, does, slot + 1, mask & b)
        store_at(values, does, slot + 2, mask & c)
        store_at(values, does, slot + 3, mask & d)
        store_at(values, does, slot + 4, mask & e)
        store_at(values, does, slot + 5, mask & f)
        store_at(values, does, slot + 6, mask & g)
        store_at(values, does, slot + 7, mask & h)
        store_at(values, does, slot + 8, mask & i)
        store_at(values, does, slot + 9, mask & j)
        store_at(values, does, slot + 10, mask & k)
        store_at(values, does, slot + 11, mask & m)
        store_at(values, does, slot + 12, mask & n)
        store_at(values, does, slot + 13, mask & o)
        store_at(values, does, slot + 14, mask & p)

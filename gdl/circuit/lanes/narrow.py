"""Narrowing: a role chooses among the legal moves of the better levels, how far down by chance.

In each lane a draw says down to which level the role looks. If no move of these levels is legal, it
looks down to the first level that has one. Levels are told apart in three steps.

1. The legal candidates of whole groups are counted, as ever.
2. From the best level down: where a level is closed, the counts of its groups become 0. What is
   loose is copied, legal where its level is open.
3. The copies are counted. All that follows knows nothing of levels.
"""

from __future__ import annotations

from gdl.circuit.lanes.candidates import GROUP_BITS, Choices, Scratch
from gdl.circuit.lanes.choose import choose_counted, choose_only, rotate
from gdl.circuit.lanes.counting import count_groups, majority
from gdl.circuit.lanes.preference import DRAW_BITS, NUM_LEVELS, Preference
from gdl.circuit.lanes.vectors import (
    LaneArray,
    LaneVector,
    at,
    load,
    load_literal,
    splat,
    store,
    zero,
)
from gdl.circuit.native.jit import lane_kernel


@lane_kernel
def choose_preferred(
    values: LaneArray,
    choices: Choices,
    preference: Preference,
    scratch: Scratch,
    phase: int,
) -> None:
    """Set the inputs to one random move for each role, none where there is no legal one.

    Args:
        values: The lanes, settled.
        choices: The candidates in the order of their levels.
        preference: Which those are.
        scratch: Room to work in.
        phase: That of the lanes.
    """
    for role in range(choices.sizes.shape[1]):
        size = int(choices.sizes[phase, role])
        first = int(choices.starts[phase, role])
        num_groups = int(choices.starts[phase, role + 1]) - first
        if size == 1:
            choose_only(values, choices, first)
        elif size > 1:
            count_open(values, choices, preference, scratch, phase, role)
            choose_counted(values, choices, scratch, first, num_groups, size)


@lane_kernel
def count_open(
    values: LaneArray,
    choices: Choices,
    preference: Preference,
    scratch: Scratch,
    phase: int,
    role: int,
) -> None:
    """Count the candidates of a role that may be chosen; without levels, all legal ones."""
    first = int(choices.starts[phase, role])
    begin, end = 0, int(choices.starts[phase, role + 1]) - first
    num_groups = end
    is_narrowed = preference.is_narrowed[phase, role]
    if is_narrowed:
        end = int(preference.whole[phase, role, NUM_LEVELS])
    while True:
        # The one call: where it stands twice, uniform playouts are slower.
        count_groups(values, choices, scratch, first, begin, end)
        if not is_narrowed:
            return
        narrow(values, preference, scratch, phase, role)
        begin, end, is_narrowed = end, num_groups, False


@lane_kernel
def narrow(
    values: LaneArray,
    preference: Preference,
    scratch: Scratch,
    phase: int,
    role: int,
) -> None:
    """Leave what may be chosen: in the counts of whole groups, and in the copies of the others."""
    counts = scratch.counts
    whole, loose = preference.whole[phase, role], preference.loose[phase, role]
    places, spare = preference.places[phase, role], at(preference.spare, 0)
    draw(scratch, preference.draws)
    found = zero(counts)  # lanes where a move of a better level is legal
    for level in range(NUM_LEVELS):
        is_open = ~found | is_less(preference.draws, at(preference.reach, level))
        for group in range(at(whole, level), at(whole, level + 1)):
            position = group * GROUP_BITS
            ones, twos = load(counts, position), load(counts, position + 1)
            fours, eights = load(counts, position + 2), load(counts, position + 3)
            found = found | ones | twos | fours | eights
            store(counts, position, ones & is_open)
            store(counts, position + 1, twos & is_open)
            store(counts, position + 2, fours & is_open)
            store(counts, position + 3, eights & is_open)
        for index in range(at(loose, level), at(loose, level + 1)):
            legal = load_literal(values, at(places, index))
            found = found | legal
            store(values, spare + index, legal & is_open)


@lane_kernel
def draw(scratch: Scratch, draws: LaneArray) -> None:
    """Draw a number in each lane, with the generator of `draw_rank`."""
    first, second = load(scratch.random, 0), load(scratch.random, 1)
    for bit in range(DRAW_BITS):
        store(draws, bit, first + second)
        second = second ^ first
        first = rotate(first, 24) ^ second ^ (second << 16)
        second = rotate(second, 37)
    store(scratch.random, 0, first)
    store(scratch.random, 1, second)


@lane_kernel
def is_less(draws: LaneArray, limit: int) -> LaneVector:
    """The lanes whose number is less than a limit: the borrow when that is subtracted."""
    borrow = zero(draws)
    for bit in range(DRAW_BITS):
        borrow = majority(~load(draws, bit), splat(draws, -(limit >> bit & 1)), borrow)
    return borrow | splat(draws, -(limit >> DRAW_BITS))

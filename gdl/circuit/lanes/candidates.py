"""The candidates among which roles choose, and the room that choosing takes.

They stand in groups of fifteen, the most that four bits count.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from gdl.circuit.lanes.vectors import LaneArray, lane_array
from gdl.circuit.netlist import NO, YES, IntArray
from gdl.circuit.schedule import Schedule

GROUP = 15  # candidates
GROUP_BITS = 4  # of a number up to GROUP
CHUNK = 4  # bits of a number that are looked up at once; what follows the last is read in vain

MAX_BITS = 32  # of a rank; nobody has 2 ** 28 moves


class Choices(NamedTuple):
    """The candidates of each role in each phase. `P` phases, `R` roles, `C` groups.

    A group's candidates are all read plain or all complemented. Groups are filled up with
    candidates that are never legal.
    """

    starts: IntArray  # [P, R + 1] where the groups of each role begin
    sizes: IntArray  # [P, R] how many candidates
    signs: IntArray  # [C] 0 plain, -1 complemented
    legal: IntArray  # [C * GROUP] where legality stands, in words
    does: IntArray  # [C * GROUP] where the inputs stand, in words


class Scratch(NamedTuple):
    """Memory that choosing writes to; only the random numbers in it outlive a choice."""

    counts: LaneArray  # [all levels of the tree] bits of a node together, level after level
    masks: LaneArray  # [groups of one role]
    picks: LaneArray  # [GROUP]
    rank: LaneArray  # [MAX_BITS]
    left: LaneArray  # [MAX_BITS] count of the left child, then rank minus it
    random: LaneArray  # [2] state of a generator xoroshiro128+ in each word


def make_choices(schedules: Sequence[Schedule], constant_slot: int, width: int) -> Choices:
    """The candidates of each role: the inputs that are not always illegal.

    Args:
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
        legal=np.array(legal, np.int32) * np.int32(width),
        does=np.array(does, np.int32) * np.int32(width),
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
        counts=lane_array(num_counts + bits + CHUNK, width),
        masks=lane_array(num_groups + 1, width),
        picks=lane_array(GROUP, width),
        rank=lane_array(MAX_BITS, width),
        left=lane_array(MAX_BITS, width),
        random=random,
    )

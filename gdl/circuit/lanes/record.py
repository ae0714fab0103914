"""The record of a playout: which moves were made in each lane, and what it brought."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.lanes.transpose import Words
from gdl.circuit.lanes.vectors import WORD_BITS, LaneArray, lane_array
from gdl.circuit.netlist import NO, IntArray, Netlist


class Record(NamedTuple):
    """What was made in each lane. `L` lanes, `I` inputs, `R` roles, `K` goals.

    A lane that played from no state has made nothing, and its goals are 0.
    """

    made: Words  # [L, ceil(I / 64)] which inputs
    lane_goals: NDArray[np.int16]  # [L, R]
    tally_counts: NDArray[np.int64]  # [I] of the playouts in which an input was made, how many
    tally_goals: NDArray[np.int64]  # [I] and the sum of the goals of its role
    places: IntArray  # [64 * ceil(I / 64)] in `played`; NO after the last input
    role_starts: IntArray  # [R + 1] the inputs of each role
    played: LaneArray  # [slots] where the inputs stand among the values: the lanes that made them
    reached: LaneArray  # [K + 1] the lanes by the goal they reached; last, those that were cut


def make_record(netlist: Netlist, num_lanes: int, width: int) -> Record:
    """Room for records of a game; that for what was played must fit the slots, see `fitted`."""
    num_words = max(1, -(-netlist.num_inputs // WORD_BITS))
    places = np.full(num_words * WORD_BITS, NO, np.int32)
    places[: netlist.num_inputs] = 2 * (netlist.first_input + np.arange(netlist.num_inputs))
    return Record(
        made=np.zeros((num_lanes, num_words), np.uint64),
        lane_goals=np.zeros((num_lanes, len(netlist.roles)), np.int16),
        tally_counts=np.zeros(netlist.num_inputs, np.int64),
        tally_goals=np.zeros(netlist.num_inputs, np.int64),
        places=places,
        role_starts=netlist.role_starts,
        played=lane_array(0, width),
        reached=lane_array(len(netlist.goals) + 1, width),
    )


def fitted(record: Record, num_slots: int, width: int) -> Record:
    """The record for values of so many slots. Memory that is never touched costs nothing."""
    return record._replace(played=lane_array(num_slots, width))

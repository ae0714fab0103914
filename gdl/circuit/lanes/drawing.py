"""Random actions for a batch of states, drawn from the words that say what is legal."""

from __future__ import annotations

import numpy as np

from gdl.circuit.lanes.step_arrays import StepArrays
from gdl.circuit.lanes.stepping import ONLY_MOVE
from gdl.circuit.lanes.vectors import WORD_BITS, at
from gdl.circuit.lanes.words import count_bits, select_bit
from gdl.circuit.native.jit import lane_kernel
from gdl.circuit.netlist import IntArray

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@lane_kernel
def draw_actions(
    arrays: StepArrays, first_block: int, last_block: int, actions: IntArray, seed: int
) -> None:
    """Draw a legal action of each role in the states of some blocks, each as likely as the others.

    Args:
        arrays: The states.
        first_block: The first block.
        last_block: The one after the last.
        actions: `[R * N]` is written; ONLY_MOVE where a role has none.
        seed: Of the random numbers.
    """
    num = len(arrays.is_terminal)
    num_lanes = num // len(arrays.over)
    for role in range(len(arrays.sizes)):
        first, last = at(arrays.columns, role), at(arrays.columns, role + 1)
        start = role * num
        for place in range(start + first_block * num_lanes, start + last_block * num_lanes):
            size = at(arrays.num_legal, place)
            rank = below(np.uint64(seed) + np.uint64(place), size)
            if last - first == 1:
                legal = np.uint64(at(arrays.legal, place + (first - role) * num))
                action = select_bit(legal, rank)
            else:
                action = select_of_many(arrays, place - role * num, first, last, rank)
            actions[place] = action if size else ONLY_MOVE


@lane_kernel
def below(number: np.uint64, size: int) -> int:
    """A random number of the counter's, less than a size.

    By splitmix64 (Steele, Lea and Flood 2014). Numbers are favoured by less than size / 2^32.
    """
    drawn = number * _GOLDEN
    drawn = (drawn ^ (drawn >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    drawn = (drawn ^ (drawn >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return int((drawn >> np.uint64(32)) * np.uint64(size) >> np.uint64(32))


@lane_kernel
def select_of_many(arrays: StepArrays, row: int, first: int, last: int, rank: int) -> int:
    """The action before which so many are legal, in several columns."""
    num = len(arrays.is_terminal)
    for column in range(first, last):
        legal = arrays.legal[column * num + row]
        size = count_bits(legal)
        if rank < size:
            return (column - first) * WORD_BITS + select_bit(legal, rank)
        rank -= size
    return ONLY_MOVE

"""Clocks: bases that tell how many moves were made, and nothing else.

A step counter makes a state of each number of moves, so a search that goes by states would meet
the same position again and again. Its bases are found on the circuit: they follow from each other
alone, whatever is played, so after as many moves they are the same in all states. Where such a
clock does nothing but end the game, a position that was met before, after fewer moves, need not be
looked at again: whatever ends it may reach before the time is over can be reached from there as
well. Only ends that the clock itself makes are lost with it, so a search that sees all positions
knows the best of the other ends, and the shortest way there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gdl import kernel
from ggp.search.kernels.arrays import BoolArray, ByteArray, IntArray

if TYPE_CHECKING:
    import gdl


# What a node of the circuit depends on.
_ON_POSITION = 1
_ON_CLOCK = 2


@dataclass(frozen=True, eq=False)
class Clock:
    """The clocks of a game, as far as they are known.

    Attributes:
        is_clock: `[B]` whether each base is one of a clock.
        only_ends: Whether the clock has no say in anything but when the game is over.
        may_end: Whether it has a say in that.
    """

    is_clock: BoolArray
    only_ends: bool
    may_end: bool


def clock_of(netlists: Sequence[gdl.Netlist]) -> Clock:
    """The clock of a game, given as a netlist for each phase."""
    is_clock = np.ones(netlists[0].num_bases, np.bool_)
    num_before = -1
    while is_clock.sum() != num_before:
        num_before = is_clock.sum()
        for netlist in netlists:
            marks = _dependence(netlist, is_clock)
            is_clock &= marks[netlist.next >> 1] & _ON_POSITION == 0
    only_ends, may_end = True, False
    for netlist in netlists:
        marks = _dependence(netlist, is_clock)
        played = [netlist.next[~is_clock], netlist.legal, [goal for _, _, goal in netlist.goals]]
        nodes = np.concatenate([np.asarray(part, np.int32) for part in played]) >> 1
        ends = marks[_conditions_of_going_on(netlist)]
        only_ends &= not (marks[nodes] & _ON_CLOCK).any()
        only_ends &= not (ends == _ON_CLOCK | _ON_POSITION).any()
        may_end |= bool((ends & _ON_CLOCK).any())
    return Clock(is_clock, only_ends, may_end)


def _dependence(netlist: gdl.Netlist, is_clock: BoolArray) -> ByteArray:
    """`[nodes]` what each node depends on."""
    marks = np.zeros(netlist.first_gate + netlist.num_gates, np.uint8)
    marks[1 : netlist.first_input] = np.where(is_clock, _ON_CLOCK, _ON_POSITION)
    marks[netlist.first_input : netlist.first_feedback] = _ON_POSITION
    feedback = slice(netlist.first_feedback, netlist.first_gate)
    while True:
        _spread(netlist.offsets, netlist.literals, netlist.first_gate, marks)
        fed_back = marks[feedback] | marks[netlist.feedback >> 1]
        if (fed_back == marks[feedback]).all():
            return marks
        marks[feedback] = fed_back


@kernel
def _spread(offsets: IntArray, literals: IntArray, first_gate: int, marks: ByteArray) -> None:
    """Mark each gate with the marks of what it reads."""
    for gate in range(len(offsets) - 1):
        found = np.uint8(0)
        for index in range(offsets[gate], offsets[gate + 1]):
            found |= marks[literals[index] >> 1]
        marks[first_gate + gate] = found


def _conditions_of_going_on(netlist: gdl.Netlist) -> IntArray:
    """The nodes of literals that all hold, exactly if the game is not over."""
    found, stack = list[int](), [netlist.terminal ^ 1]
    while stack:
        literal = stack.pop()
        gate = (literal >> 1) - netlist.first_gate
        if literal & 1 or gate < 0:
            found.append(literal >> 1)
        else:
            stack.extend(
                netlist.literals[netlist.offsets[gate] : netlist.offsets[gate + 1]].tolist()
            )
    return np.array(found, np.int32)

"""Latches: bases that always stay true once they are true, or false once they are false.

A base is a latch if its value alone determines that it keeps this value. All other bases may have
any value, and there must be a role all of whose moves leave the base as it is. A latch excludes a
goal if the goal's condition is certainly false once the base is latched, whatever values the other
bases and the inputs have.

64 bases are processed together, each with one bit in every word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from gdl.circuit.circuit import from_bytes, to_bytes
from gdl.circuit.netlist import NO, YES, BoolArray, IntArray, Netlist
from gdl.circuit.passes.growth import AT_ONCE, opened, spread_values

# Number of literals to visit, in some tenths of a second. Beyond it, any move is allowed.
MAX_VISITS = 200_000_000

ALL = ~np.uint64(0)
ANY_MOVE = -1


class Latches(NamedTuple):
    """Flags of the bases that stay false once they are false, and of those that stay true."""

    false: BoolArray  # [B]
    true: BoolArray  # [B]


@dataclass(frozen=True, slots=True)
class Latch:
    """Base that keeps `value` once it has that value, and the goals that this excludes."""

    base: int
    value: bool
    excluded: tuple[int, ...] = ()  # indices of the netlist's goals that become unreachable


def what_stays(netlists: Sequence[Netlist], most_visits: int = MAX_VISITS) -> Latches:
    """Return the bases that are latches in each of the netlists, one for each phase of a game."""
    num_bases = netlists[0].num_bases
    stays = Latches(np.ones(num_bases, np.bool_), np.ones(num_bases, np.bool_))
    for netlist in netlists:
        moves = _moves_to_try(netlist, most_visits)
        for value in (0, 1):
            for first in range(0, num_bases, AT_ONCE):
                some = stays[value][first : first + AT_ONCE]
                some &= _stay(netlist, first, value, moves)
    return stays


def packed_latches(netlists: Sequence[Netlist]) -> bytes:
    """Find the latches of the phases of a game. Return them as bytes, for `latches_in`."""
    return to_bytes(what_stays(netlists)._asdict())


def latches_in(data: bytes) -> Latches:
    """Unpack the latches from `packed_latches`."""
    return Latches(**from_bytes(data))


def latches(netlist: Netlist, most_visits: int = MAX_VISITS) -> tuple[Latch, ...]:
    """Return the latches among the bases that change, each with the goals that it excludes."""
    stays = what_stays([netlist], most_visits)
    changes = (netlist.next != NO) & (netlist.next != YES)
    goals = netlist.goal_literals
    found = []
    for first in range(0, netlist.num_bases, AT_ONCE):
        for value in (1, 0):
            here = (stays[value] & changes)[first : first + AT_ONCE]
            if not here.any():
                continue
            can_be = opened(netlist, first, len(here), value)
            spread_values(netlist.offsets, netlist.literals, netlist.first_gate, can_be)
            holds = can_be[1 - (goals & 1), goals >> 1]
            for bit in np.flatnonzero(here).tolist():
                is_out = (holds >> np.uint64(bit) & np.uint64(1) == 0) & (goals != NO)
                excluded = tuple(np.flatnonzero(is_out).tolist())
                found.append(Latch(first + bit, bool(value), excluded))
    return tuple(sorted(found, key=lambda latch: (latch.base, not latch.value)))


def _moves_to_try(netlist: Netlist, most_visits: int) -> list[IntArray]:
    """Return, for each role, the nodes of the inputs that can be legal.

    If trying all of them is too much work, return ANY_MOVE as the only input.
    """
    num_rounds = 2 * (netlist.num_bases // AT_ONCE + 1)
    found = []
    for first, last in pairwise(netlist.role_starts.tolist()):
        moves = first + np.flatnonzero(netlist.legal[first:last] != NO)
        if len(moves):
            found.append((netlist.first_input + moves).astype(np.int32))
    if num_rounds * len(netlist.literals) * sum(map(len, found)) > most_visits:
        return [np.full(1, ANY_MOVE, np.int32)]
    return found


def _stay(netlist: Netlist, first: int, value: int, roles: Sequence[IntArray]) -> BoolArray:
    """Return flags of the bases, up to 64 from `first`, that keep `value` whatever else is true."""
    num = min(AT_ONCE, netlist.num_bases - first)
    bits = np.uint64(1) << np.arange(num, dtype=np.uint64)
    literals = netlist.next[first : first + num]
    stays = np.zeros(num, np.bool_)
    for moves in roles or [np.full(1, ANY_MOVE, np.int32)]:
        can_be = opened(netlist, first, num, value)
        kept = np.ones(num, np.bool_)
        for move in moves.tolist():
            if move != ANY_MOVE:
                can_be[1, moves], can_be[0, moves] = 0, ALL
                can_be[1, move], can_be[0, move] = ALL, 0
            spread_values(netlist.offsets, netlist.literals, netlist.first_gate, can_be)
            # If a literal is complemented, look up the opposite value of its node.
            other = can_be[(1 - value) ^ (literals & 1), literals >> 1]
            kept &= other & bits == 0
            if not kept.any():
                break
        stays |= kept
    return stays

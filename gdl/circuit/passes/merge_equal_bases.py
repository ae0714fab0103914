"""Bases that always agree, or never: one takes the place of all.

All bases are assumed to agree with each other, counted from their first value, until their next
values tell them apart; what is left agrees in all states that can be reached, by induction. Next
values are compared as gates: equal gates are one.

See van Eijk, Sequential equivalence checking based on structural similarities, 2000.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.netlist import YES, Netlist
from gdl.circuit.passes.rewrite import rewrite

IntArray = NDArray[np.int32]

SECONDS = 1.0
LARGEST = 300_000  # literals; of more, a round takes too long for what is found


def merge_equal_bases(netlist: Netlist, seconds: float = SECONDS) -> Netlist:
    """The netlist in which, of bases that always or never agree, gates read the first only.

    The bases stay, each with its `next`. If the time is over before it is known which agree, the
    netlist is returned as it is.
    """
    end = time.monotonic() + seconds
    # A base that is true at first is counted by its complement: so all are false at first.
    sign = netlist.init.astype(np.int32)
    groups = (netlist.next > YES).astype(np.int32)
    if len(netlist.literals) > LARGEST:
        return netlist
    while time.monotonic() < end:
        sources = _sources(netlist, groups, sign)
        following = rewrite(netlist, sources=sources).next ^ sign
        pairs = groups.astype(np.int64) << 32 | following
        _, first, inverse = np.unique(pairs, return_index=True, return_inverse=True)
        if len(first) == len(np.unique(groups)):
            return rewrite(netlist, sources=sources)
        groups = inverse.astype(np.int32) + 1
    return netlist


def _sources(netlist: Netlist, groups: IntArray, sign: IntArray) -> IntArray:
    """The literal that takes the place of each source if the bases of a group agree."""
    _, first, inverse = np.unique(groups, return_index=True, return_inverse=True)
    leaders = first[inverse]
    sources = 2 * np.arange(netlist.first_gate, dtype=np.int32)
    sources[1 : netlist.first_input] = 2 * (1 + leaders) + (sign[leaders] ^ sign)
    return sources

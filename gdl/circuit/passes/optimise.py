"""All passes in turn, until they find no more or their time is over."""

from __future__ import annotations

import time

from gdl.circuit.netlist import Netlist
from gdl.circuit.passes.cone import drop_unused, for_play
from gdl.circuit.passes.constants import fold_constants
from gdl.circuit.passes.merge_equal_bases import merge_equal_bases
from gdl.circuit.passes.rewrite import flatten

SECONDS = 5.0


def optimise(netlist: Netlist, *, play: bool = False, seconds: float = SECONDS) -> Netlist:
    """The netlist after all passes but `split`.

    Args:
        netlist: Not changed.
        play: Drop bases that make no difference to play; the facts of a state are lost.
        seconds: No pass begins later.
    """
    end = time.monotonic() + seconds
    size = None
    while size != (size := _size(netlist)) and time.monotonic() < end:
        for improve in (
            fold_constants,
            merge_equal_bases,
            for_play if play else drop_unused,
            flatten,
        ):
            netlist = improve(netlist)
    return netlist


def _size(netlist: Netlist) -> tuple[int, ...]:
    return (
        netlist.num_gates,
        len(netlist.literals),
        netlist.num_bases,
        len(netlist.feedback),
        int((netlist.next > 1).sum()),
    )

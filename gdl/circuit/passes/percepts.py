"""Percepts as bases: what roles see of a joint move becomes a part of the next state."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gdl.circuit.netlist import Netlist
from gdl.circuit.passes.rewrite import rename_outputs


def with_percepts_as_bases(netlist: Netlist) -> Netlist:
    """The netlist with a base more for each percept: true after moves by which it was seen.

    Lanes answer questions about states, and percepts depend on moves too.
    """
    num_new = len(netlist.sees)
    nodes = np.arange(netlist.first_gate + netlist.num_gates, dtype=np.int32)
    moved = np.where(nodes < netlist.first_input, nodes, nodes + num_new).astype(np.int32)
    shifted = rename_outputs(netlist, 2 * moved)
    literals = 2 * moved[netlist.literals >> 1] + (netlist.literals & 1)
    seen = np.array([literal for _, _, literal in shifted.sees], np.int32)
    return replace(
        shifted,
        bases=(*netlist.bases, *(percept for _, percept, _ in netlist.sees)),
        init=np.concatenate([netlist.init, np.zeros(num_new, np.bool_)]),
        next=np.concatenate([shifted.next, seen]),
        literals=literals.astype(np.int32),
        sees=(),
    )

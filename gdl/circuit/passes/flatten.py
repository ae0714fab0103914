"""Flattening: a gate with one reader, which reads it uncomplemented, becomes part of it."""

from __future__ import annotations

import numpy as np

from gdl.circuit.netlist import Netlist
from gdl.circuit.passes.rewrite import outputs, rewrite


def flatten(netlist: Netlist) -> Netlist:
    """The netlist with ANDs of ANDs made one, where the inner one is needed nowhere else."""
    num_nodes = netlist.first_gate + netlist.num_gates
    readers = np.bincount(netlist.literals >> 1, minlength=num_nodes)
    complemented = netlist.literals[(netlist.literals & 1) == 1] >> 1
    is_dissolved = readers == 1
    is_dissolved[complemented] = False
    is_dissolved[outputs(netlist) >> 1] = False
    is_dissolved[netlist.feedback >> 1] = False
    kept = np.where(is_dissolved[netlist.first_gate :], -1, 1).astype(np.int32)
    return rewrite(netlist, kept_gates=kept)

"""The plain evaluation of a netlist, with which tests compare kernels and passes."""

from __future__ import annotations

import numpy as np

from gdl.circuit.netlist import BoolArray, Netlist, literal_values


def evaluate(netlist: Netlist, bases: BoolArray, inputs: BoolArray) -> BoolArray:
    """Compute the value of every node in `N` states.

    Args:
        bases: `[N, B]` which bases are true.
        inputs: `[N, I]` which moves are made.

    Returns:
        `[N, nodes]` the values.
    """
    values = np.zeros((len(bases), netlist.first_gate + netlist.num_gates), np.bool_)
    values[:, 1 : netlist.first_input] = bases
    values[:, netlist.first_input : netlist.first_feedback] = inputs
    _evaluate_gates(netlist, values)
    feedback = slice(netlist.first_feedback, netlist.first_gate)
    while len(netlist.feedback):
        defined = literal_values(values, netlist.feedback)
        if (defined == values[:, feedback]).all():
            break
        values[:, feedback] = defined
        _evaluate_gates(netlist, values)
    return values


def _evaluate_gates(netlist: Netlist, values: BoolArray) -> None:
    for gate in range(netlist.num_gates):
        literals = netlist.literals[netlist.offsets[gate] : netlist.offsets[gate + 1]]
        values[:, netlist.first_gate + gate] = literal_values(values, literals).all(axis=1)

"""The plain meaning of a netlist: slow, obvious, and the twin that every kernel is tested against.

values = evaluate(netlist, bases, inputs)
legal = literal_values(values, netlist.legal)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gdl.circuit.netlist import Netlist

BoolArray = NDArray[np.bool_]


def evaluate(netlist: Netlist, bases: BoolArray, inputs: BoolArray) -> BoolArray:
    """The value of every node in `N` states.

    Args:
        netlist: The game.
        bases: `[N, B]` which bases are true.
        inputs: `[N, I]` which moves are made.

    Returns:
        `[N, nodes]`.
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


def literal_values(values: BoolArray, literals: ArrayLike) -> BoolArray:
    """`[N, L]` the values of `L` literals, from the `[N, nodes]` values of the nodes."""
    array = np.asarray(literals, np.int32)
    return values[:, array >> 1] ^ (array & 1).astype(np.bool_)


def _evaluate_gates(netlist: Netlist, values: BoolArray) -> None:
    for gate in range(netlist.num_gates):
        literals = netlist.literals[netlist.offsets[gate] : netlist.offsets[gate + 1]]
        values[:, netlist.first_gate + gate] = literal_values(values, literals).all(axis=1)

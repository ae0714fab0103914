"""Cone of influence: gates, feedback nodes and bases that nothing depends on are dropped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.netlist import Netlist
from gdl.circuit.passes.rewrite import outputs, rewrite
from gdl.circuit.table import mark_cone
from gdl.terms import Term

IntArray = NDArray[np.int32]
BoolArray = NDArray[np.bool_]


def drop_unused(netlist: Netlist) -> Netlist:
    """The netlist without gates and feedback nodes that no output needs; all bases are kept."""
    needed = _cone(netlist, outputs(netlist))
    return rewrite(
        netlist,
        kept_gates=needed[netlist.first_gate :].astype(np.int32),
        kept_feedback=needed[netlist.first_feedback : netlist.first_gate],
    )


def for_play(
    netlist: Netlist, keeps: Callable[[Term], bool] | None = None, *, has_percepts: bool = False
) -> Netlist:
    """The netlist without bases that make no difference to play, and without percepts.

    What is left says which moves are legal, when the game is over and what the goals are, now and
    after any moves. It does not know the facts of a state, but those that are kept all the same.

    Args:
        netlist: The game.
        keeps: Whether to keep a base's fact whatever it means to play; None for no such fact.
        has_percepts: Whether to keep percepts, too, and all that they depend on.
    """
    sees = netlist.sees if has_percepts else ()
    named = [netlist.terminal, *(literal for _, _, literal in (*netlist.goals, *sees))]
    needed = _cone(netlist, np.concatenate([netlist.legal, np.array(named, np.int32)]))
    bases = slice(1, netlist.first_input)
    if keeps is not None:
        needed[bases] |= np.array([keeps(fact) for fact in netlist.bases], np.bool_)
    known = 0
    while known != (known := int(needed[bases].sum())):
        needed |= _cone(netlist, netlist.next[needed[bases]])
    return rewrite(
        replace(netlist, sees=sees),
        kept_gates=needed[netlist.first_gate :].astype(np.int32),
        kept_bases=needed[bases],
        kept_feedback=needed[netlist.first_feedback : netlist.first_gate],
    )


def _cone(netlist: Netlist, literals: IntArray) -> BoolArray:
    """`[nodes]` whether the literals depend on each node within a state."""
    needed = np.zeros(netlist.first_gate + netlist.num_gates, np.bool_)
    needed[literals >> 1] = True
    mark_cone(netlist.offsets, netlist.literals, netlist.feedback, netlist.first_gate, needed)
    return needed

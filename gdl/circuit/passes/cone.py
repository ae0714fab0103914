"""Cone of influence: drop gates, feedback nodes and bases that nothing depends on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from gdl.circuit.and_gates import mark_cone
from gdl.circuit.netlist import NO, BoolArray, IntArray, Netlist
from gdl.circuit.passes.rewrite import outputs, rewrite
from gdl.terms import Term


def drop_unused(netlist: Netlist) -> Netlist:
    """Drop gates and feedback nodes that no output needs. Keep all bases."""
    needed = _cone(netlist, outputs(netlist))
    if needed[netlist.first_feedback :].all():
        return netlist
    return rewrite(
        netlist,
        kept_gates=needed[netlist.first_gate :].astype(np.int32),
        kept_feedback=needed[netlist.first_feedback : netlist.first_gate],
    )


def for_play(
    netlist: Netlist, keeps: Callable[[Term], bool] | None = None, *, has_percepts: bool = False
) -> Netlist:
    """Drop percepts, and bases that do not affect play.

    The result says which moves are legal, when the game is over and what the goals are, now and
    after any moves. It has only those facts of a state that affect play or that `keeps` keeps.

    Args:
        keeps: Returns whether to keep a base for its own sake, given its fact. If None, keep none.
        has_percepts: Whether to keep percepts and everything that they depend on.
    """
    sees = netlist.sees if has_percepts else ()
    named = [netlist.terminal, *(literal for _, _, literal in (*netlist.goals, *sees))]
    wanted = [netlist.legal, np.array(named, np.int32)]
    if keeps is not None:
        kept = np.flatnonzero([keeps(fact) for fact in netlist.bases])
        wanted.append((2 + 2 * kept).astype(np.int32))
    needed = _cone(netlist, np.concatenate(wanted), netlist.next)
    bases = slice(1, netlist.first_input)
    if needed[bases].all() and needed[netlist.first_feedback :].all():
        return replace(netlist, sees=sees)
    return rewrite(
        replace(netlist, sees=sees),
        kept_gates=needed[netlist.first_gate :].astype(np.int32),
        kept_bases=needed[bases],
        kept_feedback=needed[netlist.first_feedback : netlist.first_gate],
    )


def _cone(netlist: Netlist, literals: IntArray, following: IntArray | None = None) -> BoolArray:
    """Return whether any of the literals depends on each node, `[nodes]`.

    Args:
        following: `[B]` the literal of each base's next value. If None, only dependences within a
            state count.
    """
    first = netlist.first_gate
    leads = np.full(first, NO, np.int32)
    leads[netlist.first_feedback :] = netlist.feedback
    if following is not None:
        leads[1 : netlist.first_input] = following
    needed = np.zeros(first + netlist.num_gates, np.bool_)
    needed[literals >> 1] = True
    mark_cone(netlist.offsets, netlist.literals, leads, first, needed)
    return needed

"""Layout of a netlist in memory for the scalar kernels, which follow changes from node to node.

Nodes are renumbered so that the nodes of a level are next to each other. Level 0 consists of bases,
inputs and feedback. A gate is one level above the highest node that it reads.

Legal moves that have a literal in common form a group. In most games that literal says whose turn
it is. The literal, the *guard* of the group, is removed from the gates of these moves, so that a
change of turn changes one bit instead of every move. A move is legal if its own literal and the
guard of its group hold.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gdl.circuit.and_gates import mark_cone
from gdl.circuit.netlist import YES, BoolArray, IntArray, Netlist, literal_values, pack
from gdl.circuit.passes.cone import drop_unused
from gdl.circuit.passes.factor import factor
from gdl.circuit.passes.rewrite import rename_outputs
from gdl.native.jit import kernel

# The kinds of readers of a node, in the order in which they are stored.
POSITIVE, COMPLEMENTED, LEGAL, NEXT = range(4)
SEGMENTS = 4

_MAX_GUARDS = 4  # groups per role, not counting the group without a guard
_MIN_GUARDED = 4  # moves; a group is not worth it for fewer


class Places(NamedTuple):
    """Sizes, and the index at which each part of the arrays `layout` and `memory` begins.

    `N` nodes, `B` bases, `I` inputs, `F` feedback nodes, `R` roles, `Q` groups of moves, `K` goals,
    `W` words of 32 bases.
    """

    num_roles: int
    num_feedback: int
    num_goals: int
    num_words: int
    first_input: int
    first_feedback: int
    terminal: int  # literal

    # In `layout`, which never changes.
    starts: int  # [4 N + 1] where the readers of each node begin, by kind
    readers: int  # gates; 2 * input, plus 1 if complemented; bases
    level_of: int  # [N]
    level_starts: int  # [levels + 1] first node of each level
    feedback: int  # [F] literal that defines each feedback node
    feeds: int  # [N] whether feedback depends on each node; empty without feedback
    guards: int  # [Q] literal
    group_of: int  # [I]
    group_starts: int  # [Q + 1] room for the moves of each group
    role_groups: int  # [R + 1] the groups of each role
    goals: int  # [K, 3] role, value, literal
    bits: int  # [32] 1 << k

    # In `memory`, which belongs to one thread.
    values: int  # [N]
    counts: int  # [N]
    is_queued: int  # [N]
    queue: int  # [N] with a part for each level
    filled: int  # [levels] number of queued nodes
    members: int  # [I] moves whose own literal holds, by group
    places: int  # [I] the place of each of these moves in its group
    group_sizes: int  # [Q]
    current: int  # [W] the bases
    following: int  # [W] their next values, after the moves made
    candidates: int  # [B] bases whose next value may differ from their current value
    is_candidate: int  # [B]
    chosen: int  # [R] input of the move to make for each role, or -1 if the move has none
    made: int  # [R] input of the move that is set for each role, or -1
    pending: int  # number of queued nodes
    num_candidates: int
    is_unsettled: int  # whether feedback must be settled


class ScalarPlan(NamedTuple):
    """A netlist laid out for the scalar kernels."""

    at: Places
    layout: IntArray
    memory: IntArray  # all bases are false; copy it before use
    netlist: Netlist  # in the order of the layout; its `legal` has no guards


def plan(netlist: Netlist) -> ScalarPlan:
    """Lay out a netlist for the scalar kernels.

    If that needs fewer gates, common factors are taken out before.
    """
    netlist = min(netlist, factor(netlist), key=lambda each: each.num_gates)
    guarded, group_of = _take_out_guards(netlist)
    ordered, levels = _by_level(guarded)
    goals = np.array(ordered.goals, np.int32).reshape(-1, 3)
    guards = goals[len(netlist.goals) :, 2]
    ordered = replace(ordered, goals=ordered.goals[: len(netlist.goals)])
    starts, readers = _readers(ordered)
    role_of_group = np.zeros(len(guards), np.int32)
    role_of_group[group_of] = [role for role, _ in ordered.inputs]
    layout: dict[str, IntArray] = {
        "starts": starts,
        "readers": readers,
        "level_of": levels,
        "level_starts": _bounds(levels, int(levels.max()) + 1),
        "feedback": ordered.feedback,
        "feeds": _feeds(ordered),
        "guards": guards,
        "group_of": group_of,
        "group_starts": _bounds(np.sort(group_of), len(guards)),
        "role_groups": _bounds(role_of_group, len(ordered.roles)),
        "goals": goals[: len(netlist.goals)],
        "bits": (np.uint32(1) << np.arange(32, dtype=np.uint32)).view(np.int32),
    }
    memory = _first_memory(ordered, levels, group_of, layout["group_starts"])
    at = Places(
        num_roles=len(ordered.roles),
        num_feedback=len(ordered.feedback),
        num_goals=len(netlist.goals),
        num_words=len(memory["current"]),
        first_input=ordered.first_input,
        first_feedback=ordered.first_feedback,
        terminal=ordered.terminal,
        **_places(layout),
        **_places(memory),
    )
    return ScalarPlan(at, _joined(layout), _joined(memory), ordered)


def _places(parts: dict[str, IntArray]) -> dict[str, int]:
    ends = np.cumsum([part.size for part in parts.values()])
    return {
        name: int(end) - part.size for (name, part), end in zip(parts.items(), ends, strict=True)
    }


def _joined(parts: dict[str, IntArray]) -> IntArray:
    return np.concatenate([part.ravel() for part in parts.values()]).astype(np.int32)


def _first_memory(
    netlist: Netlist, levels: IntArray, group_of: IntArray, group_starts: IntArray
) -> dict[str, IntArray]:
    num_bases, num_inputs, num_roles = netlist.num_bases, netlist.num_inputs, len(netlist.roles)
    values = np.zeros((1, len(levels)), np.bool_)
    _evaluate(netlist.offsets, netlist.literals, netlist.feedback, values[0])
    counts = (~values[0]).astype(np.int32)
    is_false = ~literal_values(values, netlist.literals)[0]
    counts[netlist.first_gate :] = np.diff(np.append(0, np.cumsum(is_false))[netlist.offsets])
    legal = np.flatnonzero(literal_values(values, netlist.legal)[0])
    legal = legal[np.argsort(group_of[legal], kind="stable")]
    group_sizes = np.bincount(group_of[legal], minlength=len(group_starts) - 1)
    places, members = np.zeros(num_inputs, np.int32), np.zeros(num_inputs, np.int32)
    ends = np.cumsum(group_sizes)
    places[legal] = np.arange(len(legal)) - np.repeat(ends - group_sizes, group_sizes)
    members[group_starts[group_of[legal]] + places[legal]] = legal
    following = pack(literal_values(values, netlist.next))[0]
    return {
        "values": values[0].astype(np.int32),
        "counts": counts,
        "is_queued": np.zeros(len(counts), np.int32),
        "queue": np.zeros(len(counts), np.int32),
        "filled": np.zeros(int(levels.max()) + 1, np.int32),
        "members": members,
        "places": places,
        "group_sizes": group_sizes,
        "current": np.zeros_like(following),
        "following": following,
        "candidates": np.arange(num_bases, dtype=np.int32),
        "is_candidate": np.ones(num_bases, np.int32),
        "chosen": np.full(num_roles, -1, np.int32),
        "made": np.full(num_roles, -1, np.int32),
        "pending": np.zeros(1, np.int32),
        "num_candidates": np.array([num_bases], np.int32),
        "is_unsettled": np.zeros(1, np.int32),
    }


def _bounds(values: IntArray, size: int) -> IntArray:
    return np.searchsorted(values, np.arange(size + 1)).astype(np.int32)


def _take_out_guards(netlist: Netlist) -> tuple[Netlist, IntArray]:
    """Return the netlist without the guards in its gates for legality, and the group of each input.

    The guards are added as the last goals of the netlist, so that they are renumbered with it.
    """
    guards: list[int] = []
    group_of = np.zeros(netlist.num_inputs, np.int32)
    is_shortened = np.zeros(netlist.num_inputs, np.bool_)
    starts = netlist.role_starts
    for role in range(len(netlist.roles)):
        inputs = np.arange(starts[role], starts[role + 1])
        for guard, members in _choose_guards(netlist, inputs):
            group_of[members] = len(guards)
            is_shortened[members] = guard != YES
            guards.append(guard)
    shortened = np.flatnonzero(is_shortened).astype(np.int32)
    offsets, literals = _without(netlist, shortened, np.array(guards, np.int32)[group_of])
    legal = netlist.legal.copy()
    first_new = netlist.first_gate + netlist.num_gates
    legal[shortened] = 2 * (first_new + np.arange(len(shortened)))
    guarded = replace(
        netlist,
        legal=legal,
        offsets=np.concatenate([netlist.offsets, netlist.offsets[-1] + offsets]).astype(np.int32),
        literals=np.concatenate([netlist.literals, literals]).astype(np.int32),
        goals=(*netlist.goals, *((0, 0, guard) for guard in guards)),
    )
    return drop_unused(guarded), group_of


def _choose_guards(netlist: Netlist, inputs: IntArray) -> list[tuple[int, IntArray]]:
    groups = []
    for _ in range(_MAX_GUARDS):
        owners, literals = _gate_literals(netlist, inputs)
        if not len(literals):
            break
        counts = np.bincount(literals)
        guard = int(counts.argmax())
        if counts[guard] < _MIN_GUARDED:
            break
        members = np.unique(owners[literals == guard])
        groups.append((guard, members))
        inputs = np.setdiff1d(inputs, members, assume_unique=True)
    if len(inputs) or not groups:
        groups.append((YES, inputs))
    return groups


def _gate_literals(netlist: Netlist, inputs: IntArray) -> tuple[IntArray, IntArray]:
    legal = netlist.legal[inputs]
    gates = (legal >> 1) - netlist.first_gate
    is_gate = (gates >= 0) & (legal & 1 == 0)
    gates, inputs = gates[is_gate], inputs[is_gate]
    lengths = netlist.offsets[gates + 1] - netlist.offsets[gates]
    ends = np.cumsum(lengths)
    moved = np.repeat(netlist.offsets[gates] - (ends - lengths), lengths)
    return np.repeat(inputs, lengths), netlist.literals[moved + np.arange(len(moved))]


def _without(netlist: Netlist, inputs: IntArray, guard_of: IntArray) -> tuple[IntArray, IntArray]:
    owners, literals = _gate_literals(netlist, inputs)
    is_kept = literals != guard_of[owners]
    lengths = np.bincount(np.searchsorted(inputs, owners[is_kept]), minlength=len(inputs))
    return np.cumsum(lengths), literals[is_kept]


def _by_level(netlist: Netlist) -> tuple[Netlist, IntArray]:
    levels = np.zeros(netlist.first_gate + netlist.num_gates, np.int32)
    _find_levels(netlist.offsets, netlist.literals, levels)
    first = netlist.first_gate
    order = np.argsort(levels[first:], kind="stable")
    number = np.arange(len(levels), dtype=np.int32)
    number[first + order] = first + np.arange(len(order))
    lengths = np.diff(netlist.offsets)[order]
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)]).astype(np.int32)
    moved = np.repeat(netlist.offsets[:-1][order] - offsets[:-1], lengths)
    literals = netlist.literals[moved + np.arange(len(moved))]
    renamed = rename_outputs(netlist, 2 * number)
    return replace(
        renamed, offsets=offsets, literals=2 * number[literals >> 1] + (literals & 1)
    ), np.sort(levels)


def _readers(netlist: Netlist) -> tuple[IntArray, IntArray]:
    gates = np.repeat(np.arange(netlist.num_gates), np.diff(netlist.offsets)) + netlist.first_gate
    inputs, bases = np.arange(netlist.num_inputs), np.arange(netlist.num_bases)
    literals = (netlist.literals, netlist.legal, netlist.next)
    kinds = (netlist.literals & 1, np.full(len(inputs), LEGAL), np.full(len(bases), NEXT))
    keys = np.concatenate(
        [SEGMENTS * (read >> 1) + kind for read, kind in zip(literals, kinds, strict=True)]
    )
    readers = np.concatenate([gates, 2 * inputs + (netlist.legal & 1), bases])
    order = np.argsort(keys, kind="stable")
    num_nodes = netlist.first_gate + netlist.num_gates
    return _bounds(keys[order], SEGMENTS * num_nodes), readers[order].astype(np.int32)


def _feeds(netlist: Netlist) -> IntArray:
    """Return whether feedback depends on each node, `[N]`, or an empty array without feedback."""
    if not len(netlist.feedback):
        return np.zeros(0, np.int32)
    needed = np.zeros(netlist.first_gate + netlist.num_gates, np.bool_)
    needed[netlist.feedback >> 1] = True
    mark_cone(netlist.offsets, netlist.literals, netlist.feedback, netlist.first_gate, needed)
    return needed.astype(np.int32)


@kernel
def _evaluate(offsets: IntArray, literals: IntArray, feedback: IntArray, values: BoolArray) -> None:
    first = len(values) - (len(offsets) - 1)
    first_feedback = first - len(feedback)
    changed = True
    while changed:
        for gate in range(len(offsets) - 1):
            value = True
            for k in range(offsets[gate], offsets[gate + 1]):
                value = value and values[literals[k] >> 1] != (literals[k] & 1)
            values[first + gate] = value
        changed = False
        for k in range(len(feedback)):
            value = values[feedback[k] >> 1] != (feedback[k] & 1)
            changed = changed or value != values[first_feedback + k]
            values[first_feedback + k] = value


@kernel
def _find_levels(offsets: IntArray, literals: IntArray, levels: IntArray) -> None:
    first = len(levels) - (len(offsets) - 1)
    for gate in range(len(offsets) - 1):
        level = 0
        for k in range(offsets[gate], offsets[gate + 1]):
            level = max(level, levels[literals[k] >> 1])
        levels[first + gate] = level + 1

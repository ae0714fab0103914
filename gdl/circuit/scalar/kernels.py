"""The scalar kernels, which keep one state and evaluate only what changes.

The count of a node is the number of its false literals. The node is true if the count is 0. A
source has a count too: 0 if it is to become true, else 1. If the count of a node becomes 0 or
leaves 0, the node is put into the queue of its level. Levels are processed in order, so each node
changes at most once.

All data is in two flat arrays, `layout` and `memory`, and `at` says where each part begins. There
is only one array of each kind, because numba counts references whenever an array is passed or taken
out of a tuple. That took three quarters of the time of small games.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.and_gates import ZERO
from gdl.circuit.netlist import IntArray
from gdl.circuit.scalar.layout import Places
from gdl.native.jit import scalar_kernel

LongArray = NDArray[np.int64]

MAX_PLAYOUTS, MAX_STATES, DEPTH, RANDOM = range(4)  # indices into `settings`
# Indices into `totals`. The goals of the roles begin at `GOALS`.
PLAYOUTS, STATES, CUT, STUCK, GOALS = range(5)

_LOW = 0xFFFFFFFF
_FACTOR = 2147483085  # _FACTOR * 2**32 - 1 and _FACTOR * 2**31 - 1 are prime


@scalar_kernel
def draw(settings: LongArray, bound: int) -> int:
    """Return a random number below `bound`, or 0 if `bound` is 0.

    The generator is Marsaglia's multiply-with-carry.
    """
    word = _FACTOR * (int(settings[RANDOM]) & _LOW) + (int(settings[RANDOM]) >> 32)
    settings[RANDOM] = word
    return (((word ^ (word >> 32)) & _LOW) * bound) >> 32


@scalar_kernel
def holds(at: Places, memory: IntArray, literal: int) -> bool:
    """Return whether a literal is true."""
    return bool(memory[at.values + (literal >> 1)] != (literal & 1))


@scalar_kernel
def change_source(at: Places, memory: IntArray, node: int) -> None:
    """Invert the value of a base, input or feedback node. `propagate` makes this take effect."""
    memory[at.counts + node] = memory[at.values + node]
    if memory[at.is_queued + node] == 0:
        memory[at.is_queued + node] = 1
        memory[at.queue + memory[at.filled]] = node
        memory[at.filled] += 1
        memory[at.pending] += 1


@scalar_kernel
def propagate(at: Places, layout: IntArray, memory: IntArray) -> None:
    """Evaluate everything that depends on changed sources."""
    pending = memory[at.pending]
    level = 0
    while pending > 0:  # noqa: PLR1702 - the innermost loop, where calls would be too slow
        size = memory[at.filled + level]
        queue = at.queue + layout[at.level_starts + level]
        for k in range(queue, queue + size):
            node = memory[k]
            memory[at.is_queued + node] = 0
            value = 1 if memory[at.counts + node] == 0 else 0
            if value == memory[at.values + node]:
                continue
            memory[at.values + node] = value
            change = 1 - 2 * value
            starts = at.starts + 4 * node
            for kind in range(2):
                critical = (1 + change) >> 1
                for j in range(layout[starts + kind], layout[starts + kind + 1]):
                    gate = layout[at.readers + j]
                    count = memory[at.counts + gate] + change
                    memory[at.counts + gate] = count
                    if count == critical and memory[at.is_queued + gate] == 0:
                        memory[at.is_queued + gate] = 1
                        other = layout[at.level_of + gate]
                        place = layout[at.level_starts + other] + memory[at.filled + other]
                        memory[at.queue + place] = gate
                        memory[at.filled + other] += 1
                        pending += 1
                change = -change
            for j in range(layout[starts + 2], layout[starts + 3]):
                move = layout[at.readers + j]
                _change_legal(at, layout, memory, move >> 1, value ^ (move & 1))
            for j in range(layout[starts + 3], layout[starts + 4]):
                base = int(layout[at.readers + j])
                memory[at.following + (base >> 5)] ^= layout[at.bits + (base & 31)]
                _add_candidate(at, memory, base)
            if at.num_feedback > 0 and layout[at.feeds + node] == 1:
                memory[at.is_unsettled] = 1
        pending -= size
        memory[at.filled + level] = 0
        level += 1
    memory[at.pending] = 0


@scalar_kernel
def _add_candidate(at: Places, memory: IntArray, base: int) -> None:
    """Record that the next value of a base may differ from its current value."""
    if memory[at.is_candidate + base] == 0:
        memory[at.is_candidate + base] = 1
        memory[at.candidates + memory[at.num_candidates]] = base
        memory[at.num_candidates] += 1


@scalar_kernel
def _change_legal(at: Places, layout: IntArray, memory: IntArray, move: int, is_legal: int) -> None:
    """Add a move to its group, or remove it.

    When a move is removed, the last move of the group takes its place.
    """
    group = layout[at.group_of + move]
    members = at.members + layout[at.group_starts + group]
    if is_legal:
        place = memory[at.group_sizes + group]
        memory[members + place] = move
        memory[at.places + move] = place
        memory[at.group_sizes + group] = place + 1
    else:
        size = memory[at.group_sizes + group] - 1
        last = memory[members + size]
        place = memory[at.places + move]
        memory[members + place] = last
        memory[at.places + last] = place
        memory[at.group_sizes + group] = size


@scalar_kernel
def settle(at: Places, layout: IntArray, memory: IntArray) -> None:
    """Evaluate everything that depends on changed sources, and feedback to its least fixpoint."""
    is_reset = False
    while True:  # a loop, so that `propagate` is inlined only once
        propagate(at, layout, memory)
        if memory[at.is_unsettled] == 0:
            return
        if not is_reset:
            is_reset = True
            _reset_feedback(at, memory)
        elif not _feed_back(at, layout, memory):
            memory[at.is_unsettled] = 0


@scalar_kernel
def _reset_feedback(at: Places, memory: IntArray) -> None:
    for node in range(at.first_feedback, at.first_feedback + at.num_feedback):
        if memory[at.values + node] == 1:
            change_source(at, memory, node)


@scalar_kernel
def _feed_back(at: Places, layout: IntArray, memory: IntArray) -> bool:
    changed = False
    for k in range(at.num_feedback):
        is_false = memory[at.values + at.first_feedback + k] == 0
        if is_false and holds(at, memory, layout[at.feedback + k]):
            change_source(at, memory, at.first_feedback + k)
            changed = True
    return changed


@scalar_kernel
def _take_back(at: Places, memory: IntArray) -> None:
    """Undo the moves of all roles. The caller has to call `propagate`."""
    for role in range(at.num_roles):
        if memory[at.made + role] >= 0:
            change_source(at, memory, at.first_input + memory[at.made + role])
            memory[at.made + role] = -1


@scalar_kernel
def _change_bases(at: Places, layout: IntArray, memory: IntArray, words: IntArray) -> None:
    """Set the bases to the values in a packed state. The caller has to call `settle`."""
    for k in range(len(words)):
        changed = memory[at.current + k] ^ words[k]
        if changed == 0:
            continue
        for bit in range(32):
            if changed & layout[at.bits + bit]:
                base = 32 * k + bit
                change_source(at, memory, 1 + base)
                _add_candidate(at, memory, base)
        memory[at.current + k] = words[k]


@scalar_kernel
def _change_moves(at: Places, memory: IntArray) -> None:
    for role in range(at.num_roles):
        before, move = memory[at.made + role], memory[at.chosen + role]
        if before == move:
            continue
        if before >= 0:
            change_source(at, memory, at.first_input + before)
        if move >= 0:
            change_source(at, memory, at.first_input + move)
        memory[at.made + role] = move


@scalar_kernel
def load(at: Places, layout: IntArray, memory: IntArray, words: IntArray) -> None:
    """Make a packed state the current one."""
    _take_back(at, memory)
    _change_bases(at, layout, memory, words)
    settle(at, layout, memory)


@scalar_kernel
def make(at: Places, layout: IntArray, memory: IntArray) -> None:
    """Make the joint move in `chosen`. Afterwards `following` contains the next state."""
    _change_moves(at, memory)
    propagate(at, layout, memory)


@scalar_kernel
def make_from(at: Places, layout: IntArray, memory: IntArray, words: IntArray) -> None:
    """Make the joint move in `chosen` from a packed state, whatever the current state is.

    This is for a search that goes back to an earlier state and tries another move. The state and
    the moves change together, so the nodes are evaluated for both at once.
    """
    _change_bases(at, layout, memory, words)
    _change_moves(at, memory)
    settle(at, layout, memory)


@scalar_kernel
def advance(at: Places, layout: IntArray, memory: IntArray) -> None:
    """Make the next state the current one.

    The moves stay set until others replace them. Effects that all moves have in common do not
    change from one move to the next, and in many games these are most of the effects.
    """
    size = memory[at.num_candidates]
    memory[at.num_candidates] = 0
    for k in range(size):
        base = memory[at.candidates + k]
        memory[at.is_candidate + base] = 0
        word, bit = base >> 5, layout[at.bits + (base & 31)]
        if (memory[at.current + word] ^ memory[at.following + word]) & bit:
            memory[at.current + word] ^= bit
            change_source(at, memory, 1 + base)
    settle(at, layout, memory)


@scalar_kernel
def choose(at: Places, layout: IntArray, memory: IntArray, settings: LongArray, role: int) -> int:
    """Return a random legal move of a role as an input, or -1 if there is none.

    Every legal move is equally likely.
    """
    index = draw(settings, count_legal(at, layout, memory, role))
    for group in range(layout[at.role_groups + role], layout[at.role_groups + role + 1]):
        if holds(at, memory, layout[at.guards + group]):
            if index < memory[at.group_sizes + group]:
                return int(memory[at.members + layout[at.group_starts + group] + index])
            index -= memory[at.group_sizes + group]
    return -1


@scalar_kernel
def read_goals(at: Places, layout: IntArray, memory: IntArray, goals: LongArray) -> None:
    """Add the highest goal value of each role to `goals`.

    The goals in `layout` are sorted by role and value.
    """
    role = -1
    for k in range(at.goals + 3 * (at.num_goals - 1), at.goals - 1, -3):
        if layout[k] != role and holds(at, memory, layout[k + 2]):
            role = layout[k]
            goals[role] += layout[k + 1]


@scalar_kernel
def goal_of(at: Places, layout: IntArray, memory: IntArray, role: int) -> int:
    """Return the highest goal value of a role, or 0 if it has none."""
    for k in range(at.goals + 3 * (at.num_goals - 1), at.goals - 1, -3):
        if layout[k] == role and holds(at, memory, layout[k + 2]):
            return int(layout[k + 1])
    return 0


@scalar_kernel
def list_legal(
    at: Places, layout: IntArray, memory: IntArray, role: int, moves: IntArray, start: int
) -> int:
    """Write the legal inputs of a role into `moves` from index `start` on, in no particular order.

    Return the index after the last one.
    """
    for group in range(layout[at.role_groups + role], layout[at.role_groups + role + 1]):
        if holds(at, memory, layout[at.guards + group]):
            members = at.members + layout[at.group_starts + group]
            for k in range(members, members + memory[at.group_sizes + group]):
                moves[start] = memory[k]
                start += 1
    return start


@scalar_kernel
def count_legal(at: Places, layout: IntArray, memory: IntArray, role: int) -> int:
    """Return the number of legal moves of a role."""
    count = ZERO
    for group in range(layout[at.role_groups + role], layout[at.role_groups + role + 1]):
        if holds(at, memory, layout[at.guards + group]):
            count += memory[at.group_sizes + group]
    return int(count)


@scalar_kernel
def step(at: Places, layout: IntArray, memory: IntArray, settings: LongArray) -> bool:
    """Make a random joint move. If a role has no legal move, make none and return False."""
    for role in range(at.num_roles):
        move = choose(at, layout, memory, settings, role)
        if move < 0:
            return False
        memory[at.chosen + role] = move
    make(at, layout, memory)
    advance(at, layout, memory)
    return True


@scalar_kernel
def play(
    at: Places,
    layout: IntArray,
    memory: IntArray,
    start: IntArray,
    settings: LongArray,
    totals: LongArray,
) -> None:
    """Play random playouts from a state.

    Args:
        settings: `[4]` the number of playouts to play; the number of states after which no further
            playout begins; the number of moves after which a playout is cut off; the state of the
            random generator, which changes.
        totals: `[GOALS + R]` numbers that the results are added to: playouts, moves, playouts cut
            off, playouts that ended because a role had no legal move, and the goals of each role.
    """
    playouts, states = 0, 0
    # A playout has one state more than it has moves, so it counts even without moves.
    while playouts < settings[MAX_PLAYOUTS] and playouts + states < settings[MAX_STATES]:
        load(at, layout, memory, start)
        length = 0
        while not holds(at, memory, at.terminal):
            if length >= settings[DEPTH]:
                totals[CUT] += 1
                break
            if not step(at, layout, memory, settings):
                totals[STUCK] += 1
                break
            length += 1
        playouts += 1
        states += length
        read_goals(at, layout, memory, totals[GOALS:])
    totals[PLAYOUTS] += playouts
    totals[STATES] += states

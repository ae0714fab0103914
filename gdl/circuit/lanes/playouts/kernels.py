"""The lane kernels for the parts of a step (settle, choose, advance), and one for many steps."""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.and_gates import ZERO
from gdl.circuit.lanes.candidates import Scratch
from gdl.circuit.lanes.gates import GOAL, LEGAL, NEXT, TERMINAL, find_fixpoint, run_segment
from gdl.circuit.lanes.playouts.choose import choose_moves
from gdl.circuit.lanes.tables import Tables
from gdl.circuit.lanes.vectors import (
    LaneArray,
    LaneVector,
    any_lane,
    at,
    count,
    load,
    load_literal,
    store,
    zero,
)
from gdl.circuit.netlist import IntArray
from gdl.native.jit import lane_kernel

# Indices into `LaneState.counters`.
PLAYOUTS, MOVES, CUT, CLOCK, PHASE, FIRST_PHASE, ROUNDS = range(7)
NUM_COUNTERS = 7

NONE = -1

# The goal for a playout that was cut off, because its winner is unknown.
CUT_GOAL = cast("int", np.int64(50))

# Rows of `LaneState.marks`.
OVER = 0  # lanes whose playout is over
AGE = 1  # the bits of each lane's age in ticks, lowest first
AGE_BITS = 5
LIMIT_TICKS = 1 << (AGE_BITS - 1)  # a playout of this age is cut off
NUM_MARKS = AGE + AGE_BITS


class LaneState(NamedTuple):
    """Everything that changes while lanes play.

    There are `B` bases, of which `A` change, `P` phases, and `K` goals.
    """

    values: LaneArray  # [slots]
    # [B + 2] the state in which each lane begins its playouts; then a row that is false in all
    # lanes, and one that is true
    starts: LaneArray
    # [B] the row of `starts` for each base: one of the last two rows if it is equal in all lanes
    start_rows: IntArray
    known: LaneArray  # [most feedback nodes of a phase] the values of these nodes in `starts`
    crossing: LaneArray  # [A] buffer for next values that are read from bases, which also change
    marks: LaneArray  # [NUM_MARKS]
    ends: LaneArray  # [P, B] flattened: final states of playouts whose goals are not counted yet
    waiting: LaneArray  # [P] the lanes whose states in `ends` are waiting
    reached: LaneArray  # [K] the ended lanes in which each goal is its role's highest
    counters: NDArray[np.int64]  # [NUM_COUNTERS]
    goal_counts: NDArray[np.int64]  # [K] in how many playouts each goal was reached
    scratch: Scratch


@lane_kernel
def settle(values: LaneArray, tables: Tables, phase: int) -> int:
    """Evaluate `terminal` and `legal` in all lanes. Return the result of `find_fixpoint`."""
    return settle_from(values, tables, phase, zero(values))


@lane_kernel
def settle_from(values: LaneArray, tables: Tables, phase: int, kept: LaneVector) -> int:
    """Do the same as `settle`, but start from known values of feedback nodes in the lanes `kept`.

    In these lanes, the nodes still have their values from the preceding state.
    """
    rounds = find_fixpoint(values, tables, phase, kept)
    run_segment(values, tables, phase, TERMINAL)
    run_segment(values, tables, phase, LEGAL)
    return rounds


@lane_kernel
def advance(state: LaneState, tables: Tables, phase: int, over: LaneVector, restarts: bool) -> None:
    """Make the moves whose inputs are true, in all lanes that are not over.

    Args:
        phase: The phase of the states in the lanes.
        over: Lanes that are over. They keep their state unless `restarts`.
        restarts: Whether lanes that are over begin again instead.
    """
    values, crossing = state.values, state.crossing
    run_segment(values, tables, phase, NEXT)
    num_crossing, num_changing = int(tables.num_crossing[phase]), int(tables.num_changing[phase])
    places, slots = tables.advance[phase], tables.advance_slots[phase]
    for i in range(num_crossing):
        store(crossing, i, load_literal(values, at(places, i)))
    if any_lane(over):
        for i in range(len(places) if restarts else num_changing):
            slot = at(slots, i)
            following = (
                load(crossing, i) if i < num_crossing else load_literal(values, at(places, i))
            )
            other = (
                load(state.starts, at(state.start_rows, slot - 1))
                if restarts
                else load(values, slot)
            )
            store(values, slot, (following & ~over) | (other & over))
    else:
        for i in range(num_crossing):
            store(values, at(slots, i), load(crossing, i))
        for i in range(num_crossing, num_changing):
            store(values, at(slots, i), load_literal(values, at(places, i)))


@lane_kernel
def begin_anew(state: LaneState, tables: Tables, phase: int) -> None:
    """Unmark the lanes that are over, and give their feedback nodes the values of the start."""
    values, blocks, over = state.values, tables.blocks, load(state.marks, OVER)
    store(state.marks, OVER, zero(values))
    slot = blocks.first_slot
    first, last = int(blocks.starts[phase]), int(blocks.starts[phase + 1])
    for node in range(at(blocks.nodes, last) - at(blocks.nodes, first)):
        value = (load(values, slot + node) & ~over) | (load(state.known, node) & over)
        store(values, slot + node, value)


@lane_kernel
def advance_all(state: LaneState, tables: Tables, phase: int) -> None:
    """Make the moves whose inputs are true, in all lanes."""
    advance(state, tables, phase, zero(state.values), False)


@lane_kernel
def count_goals(state: LaneState, tables: Tables, phase: int, ended: LaneVector) -> None:
    """For each goal, count the ended lanes in which it is its role's highest goal.

    Mark these lanes in `reached`.
    """
    run_segment(state.values, tables, phase, GOAL)
    role = NONE
    without = ended
    for goal in range(tables.goals.shape[1] - 1, -1, -1):
        if at(tables.goal_roles, goal) != role:
            role = at(tables.goal_roles, goal)
            without = ended
        reached = load_literal(state.values, at(tables.goals[phase], goal)) & without
        without = without & ~reached
        store(state.reached, goal, reached)
        state.goal_counts[goal] += count(reached)


@lane_kernel
def note_goals(
    state: LaneState, tables: Tables, phase: int, ended: LaneVector, were_waiting: bool
) -> bool:
    """Count the goals of playouts that have ended, or keep their final states for later.

    Args:
        phase: The phase of the states in the lanes.
        were_waiting: Whether the states in the lanes are final states that `keep_ends` has kept.
            If so, the states that they replaced are restored.

    Returns:
        Whether the states in the lanes were exchanged, so that all lanes must be settled again.
    """
    if tables.goals_wait[phase] and not were_waiting:
        return keep_ends(state, tables, phase, ended)
    count_goals(state, tables, phase, ended)
    if were_waiting:
        swap_ends(state, tables, phase)
        store(state.waiting, phase, zero(state.values))
    return were_waiting


@lane_kernel
def keep_ends(state: LaneState, tables: Tables, phase: int, ended: LaneVector) -> bool:
    """Keep the final states of ended lanes, to find their goals later for many lanes at once.

    Some playout ends in nearly every step. If goals cost more than all else, finding them for only
    a few lanes each time would be wasteful. If one of these lanes already has a kept state, keep
    nothing. Instead, exchange the kept states with the states in the lanes, and return True. The
    caller then has to count the goals of the kept states first.
    """
    waiting = load(state.waiting, phase)
    if any_lane(waiting & ended):
        swap_ends(state, tables, phase)
        return True
    first = phase * tables.num_bases
    for base in range(tables.num_bases):
        value = load(state.values, 1 + base)
        old = load(state.ends, first + base)
        store(state.ends, first + base, (value & ended) | (old & ~ended))
    store(state.waiting, phase, waiting | ended)
    return False


@lane_kernel
def bring_ends(state: LaneState, tables: Tables) -> int:
    """Exchange the states in the lanes with kept final states whose goals are not counted yet.

    Return the phase of the kept states, or NONE if no states are kept.
    """
    for phase in range(len(tables.terminal)):
        if any_lane(load(state.waiting, phase)):
            swap_ends(state, tables, phase)
            return phase
    return NONE


@lane_kernel
def swap_ends(state: LaneState, tables: Tables, phase: int) -> None:
    """Exchange the kept final states of a phase with the states in the lanes."""
    first = phase * tables.num_bases
    for base in range(tables.num_bases):
        value = load(state.values, 1 + base)
        store(state.values, 1 + base, load(state.ends, first + base))
        store(state.ends, first + base, value)


@lane_kernel
def grow_older(state: LaneState, ended: LaneVector) -> LaneVector:
    """Increase the age of all lanes except `ended` by one tick.

    Return the lanes whose playout has reached the age at which it is cut off.
    """
    marks = state.marks
    carry = ~ended
    for bit in range(AGE, AGE + AGE_BITS):
        old = load(marks, bit)
        store(marks, bit, old ^ carry)
        carry = old & carry
    return load(marks, AGE + AGE_BITS - 1) & ~load(marks, OVER)


@lane_kernel
def end_playouts(state: LaneState, ended: LaneVector) -> None:
    """Mark lanes as over, and set their age to 0."""
    marks = state.marks
    store(marks, OVER, load(marks, OVER) | ended)
    for bit in range(AGE, AGE + AGE_BITS):
        store(marks, bit, load(marks, bit) & ~ended)


@lane_kernel
def cut_playouts(state: LaneState, tick: int) -> int:
    """Count a step, and cut off playouts that have become too old. Return how many were cut off.

    The age of the playouts grows only once every `tick` steps.
    """
    counters = state.counters
    counters[CLOCK] += 1
    if counters[CLOCK] % tick != 0:
        return 0
    cut = grow_older(state, load(state.marks, OVER))
    num_cut = count(cut)
    counters[CUT] += num_cut
    end_playouts(state, cut)
    return num_cut


@lane_kernel
def play(state: LaneState, tables: Tables, steps: int, tick: int, restarts: bool) -> int:
    """Play up to `steps` random steps, or until all lanes are over. Return the number of steps.

    Args:
        steps: A step is one move of each role in each lane.
        tick: The number of steps per tick of the lanes' age. At age `LIMIT_TICKS` a playout is
            cut off.
        restarts: Whether a lane that is over begins again. Otherwise it stays over, and its values
            are meaningless.
    """
    values, marks, counters = state.values, state.marks, state.counters
    num_phases = len(tables.terminal)
    num_lanes = count(~zero(values))
    step = ZERO
    ends_of = NONE  # the phase whose final states have replaced the states in the lanes
    kept = zero(values)
    while True:
        if step == steps:
            ends_of = bring_ends(state, tables)
            if ends_of == NONE:
                return step
            kept = zero(values)
        phase = counters[PHASE] if ends_of == NONE else ends_of
        # Call `settle_from` only once in this kernel. For a second call, LLVM would not inline it,
        # but create a function that gets all tables as arguments.
        counters[ROUNDS] += settle_from(values, tables, phase, kept)
        ended = load_literal(values, at(tables.terminal, phase)) & ~load(marks, OVER)
        if ends_of != NONE:
            ended = load(state.waiting, phase)
        num_ended = count(ended)
        if num_ended:
            if note_goals(state, tables, phase, ended, ends_of != NONE):
                ends_of = phase if ends_of == NONE else NONE
                kept = zero(values)
                continue
            end_playouts(state, ended)
        counters[PLAYOUTS] += num_ended + cut_playouts(state, tick)
        playing = num_lanes - count(load(marks, OVER))
        counters[MOVES] += playing
        if not restarts and playing == 0:
            steps = step
            continue
        choose_moves(values, tables.choices, state.scratch, phase)
        next_phase = phase + 1 if phase + 1 < num_phases else 0
        begins = restarts and next_phase == counters[FIRST_PHASE]
        advance(state, tables, phase, load(marks, OVER) if begins else zero(values), True)
        kept = ~zero(values)
        if begins:
            begin_anew(state, tables, next_phase)
        counters[PHASE] = next_phase
        step += 1

"""The lane kernels that make up a step: settle, choose, advance, and all of it many times."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np
from llvmlite import ir
from numba import types
from numpy.typing import NDArray

from gdl.circuit.lanes.candidates import Scratch
from gdl.circuit.lanes.choose import choose_moves
from gdl.circuit.lanes.gates import run_gates
from gdl.circuit.lanes.tables import TABLE_GATES, Tables
from gdl.circuit.lanes.vectors import (
    LaneArray,
    LaneVector,
    any_lane,
    at,
    count,
    element_pointer,
    load,
    load_literal,
    operation,
    put,
    signature,
    store,
    zero,
)
from gdl.circuit.native.jit import lane_kernel
from gdl.circuit.netlist import IntArray
from gdl.circuit.schedule import Segment
from gdl.circuit.table import ZERO

# numba does not know enumerations of ours. numpy's integers are constants to it, but not types of
# their own, as Python's are: `run_segment` would be compiled once for each.
BEFORE, LOOP, TERMINAL, LEGAL, GOAL, NEXT = (cast("int", np.int64(number)) for number in Segment)

# Entries of `LaneState.counters`.
PLAYOUTS, MOVES, CUT, CLOCK, PHASE, FIRST_PHASE, ROUNDS = range(7)
NUM_COUNTERS = 7

NONE = -1

# Of a playout that was ended before its end: it says nothing about who wins.
CUT_GOAL = cast("int", np.int64(50))

# Rows of `LaneState.marks`.
OVER = 0  # lanes whose playout is over
AGE = 1  # bits of a lane's age in ticks, lowest first
AGE_BITS = 5
LIMIT_TICKS = 1 << (AGE_BITS - 1)  # a playout of this age is ended
NUM_MARKS = AGE + AGE_BITS


class LaneState(NamedTuple):
    """All that changes while lanes play."""

    values: LaneArray  # [slots]
    starts: LaneArray  # [B + 2] the state in which each lane begins its playouts; false, true
    start_rows: IntArray  # [B] where in `starts` to read: what all lanes share in the last two
    known: LaneArray  # [most F of a phase] the feedback nodes in those states
    crossing: LaneArray  # [A] next values on their way
    marks: LaneArray  # [NUM_MARKS]
    ends: LaneArray  # [P, B] flat: last states of playouts whose goals are not counted yet
    waiting: LaneArray  # [P] the lanes of which `ends` has such a state
    reached: LaneArray  # [K] the lanes that ended in which each goal is its role's highest
    counters: NDArray[np.int64]  # [NUM_COUNTERS]
    goal_counts: NDArray[np.int64]  # [K] in how many playouts each goal was reached
    scratch: Scratch


def _call_code_plain(address: int, values: LaneArray) -> None:
    raise AssertionError("compiled gates, but numba is switched off")


@operation(_call_code_plain)
def call_code(typing: object, address: types.Integer, values: types.Array) -> Any:
    """`call_code(address, values)`: runs compiled gates on the values."""

    def generate(*generator: Any) -> ir.Value:
        context, builder, _, args = generator
        pointer = builder.bitcast(element_pointer(generator, 1), ir.IntType(8).as_pointer())
        function = ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer()])
        builder.call(builder.inttoptr(args[0], function.as_pointer()), [pointer])
        return context.get_dummy_value()

    return signature(types.void, types.int64, values), generate


@lane_kernel
def run_segment(values: LaneArray, tables: Tables, phase: int, segment: int) -> None:
    """Evaluate the gates of one segment."""
    code = tables.code[phase, segment]
    if code != TABLE_GATES:
        call_code(code, values)
    else:
        bounds = tables.segments[phase, segment]
        run_gates(values, tables.runs, tables.targets, tables.sources, bounds)


@lane_kernel
def find_fixpoint(values: LaneArray, tables: Tables, phase: int, kept: LaneVector) -> int:
    """Set the feedback nodes to their least fixpoint; how many rounds that took.

    Blocks of them are evaluated forwards and backwards in turn, until none reads what has changed.

    Args:
        values: The lanes.
        tables: The game.
        phase: That of the states in the lanes.
        kept: Lanes where each node has its value of the state before.
    """
    blocks = tables.blocks
    first, last = int(blocks.starts[phase]), int(blocks.starts[phase + 1])
    if first == last:
        return 0
    run_segment(values, tables, phase, BEFORE)
    if any_lane(~kept) or not blocks.is_kept[phase]:
        for block in range(first, last):
            put(blocks.is_waiting, block, 1)
        for node in range(at(blocks.nodes, first), at(blocks.nodes, last)):
            slot = blocks.first_slot + node - at(blocks.nodes, first)
            old = kept if at(tables.is_kept, node) else zero(values)
            store(values, slot, load(values, slot) & old)
    else:
        for block in range(first, last):
            put(blocks.is_waiting, block, at(blocks.is_affected, block))
    rounds = 0
    changes = True
    while changes:
        changes = False
        for index in range(last - first):
            block = last - 1 - index if rounds & 1 else first + index
            if at(blocks.is_waiting, block):
                slot = blocks.first_slot + at(blocks.nodes, block) - at(blocks.nodes, first)
                changes = changes | evaluate_block(values, tables, block, slot)
        rounds += 1
    return rounds


@lane_kernel
def evaluate_block(values: LaneArray, tables: Tables, block: int, slot: int) -> bool:
    """Evaluate the nodes of a block; whether some have become true: then its readers wait.

    Args:
        values: The lanes.
        tables: The game.
        block: Which.
        slot: That of the first of its nodes; those of the others follow.
    """
    blocks = tables.blocks
    put(blocks.is_waiting, block, 0)
    code = at(blocks.code, block)
    if code != TABLE_GATES:
        call_code(code, values)
    else:
        run_gates(values, tables.runs, tables.targets, tables.sources, blocks.runs[block])
    changed = zero(values)
    for node in range(at(blocks.nodes, block), at(blocks.nodes, block + 1)):
        old, defined = load(values, slot), load_literal(values, at(tables.feedback, node))
        changed = changed | (defined & ~old)
        store(values, slot, old | defined)
        slot += 1
    if not any_lane(changed):
        return False
    for index in range(at(blocks.reader_starts, block), at(blocks.reader_starts, block + 1)):
        put(blocks.is_waiting, at(blocks.readers, index), 1)
    return True


@lane_kernel
def settle(values: LaneArray, tables: Tables, phase: int) -> int:
    """Evaluate terminal and legal for the states in the lanes; how many rounds feedback took."""
    return settle_from(values, tables, phase, zero(values))


@lane_kernel
def settle_from(values: LaneArray, tables: Tables, phase: int, kept: LaneVector) -> int:
    """As `settle`, for lanes some of which have their values of the state before, settled."""
    rounds = find_fixpoint(values, tables, phase, kept)
    run_segment(values, tables, phase, TERMINAL)
    run_segment(values, tables, phase, LEGAL)
    return rounds


@lane_kernel
def advance(state: LaneState, tables: Tables, phase: int, over: LaneVector, restarts: bool) -> None:
    """Make the moves of the inputs, in all lanes but those that are over.

    Args:
        state: The lanes, settled.
        tables: The game.
        phase: That of the states in the lanes.
        over: Lanes that keep their state,
        restarts: or begin anew.
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
def begin_known(state: LaneState, tables: Tables, phase: int, over: LaneVector) -> None:
    """Set the feedback nodes in lanes that begin anew to what they are in the first state."""
    values, blocks = state.values, tables.blocks
    slot = blocks.first_slot
    first, last = int(blocks.starts[phase]), int(blocks.starts[phase + 1])
    for node in range(at(blocks.nodes, last) - at(blocks.nodes, first)):
        value = (load(values, slot + node) & ~over) | (load(state.known, node) & over)
        store(values, slot + node, value)


@lane_kernel
def advance_all(state: LaneState, tables: Tables, phase: int) -> None:
    """Make the moves of the inputs in all lanes."""
    advance(state, tables, phase, zero(state.values), False)


@lane_kernel
def count_goals(state: LaneState, tables: Tables, phase: int, ended: LaneVector) -> None:
    """Count and mark the lanes that ended in which a goal is reached, for each role the highest."""
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
    state: LaneState, tables: Tables, phase: int, ended: LaneVector, are_brought: bool
) -> bool:
    """Count the goals of playouts that have ended, or keep their ends to do it later.

    Args:
        state: The lanes, settled.
        tables: The game.
        phase: That of the states in the lanes.
        ended: The lanes.
        are_brought: Whether ends that waited stand in the lanes' place; they are put away.

    Returns:
        Whether ends were put away or brought, and all must be settled again.
    """
    if tables.goals_wait[phase] and not are_brought:
        return keep_ends(state, tables, phase, ended)
    count_goals(state, tables, phase, ended)
    if are_brought:
        swap_ends(state, tables, phase)
        store(state.waiting, phase, zero(state.values))
    return are_brought


@lane_kernel
def keep_ends(state: LaneState, tables: Tables, phase: int, ended: LaneVector) -> bool:
    """Keep the states in some lanes, to find their goals later, with those of many other lanes.

    Some playout ends in nearly every step, and where goals cost more than all else, they would be
    found for a few lanes each time. Returns whether a lane has a state waiting already: then
    nothing is kept, those states stand in the lanes' place, and must be counted first.
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
    """Put waiting ends in the place of the lanes' states; of which phase, or NONE."""
    for phase in range(len(tables.terminal)):
        if any_lane(load(state.waiting, phase)):
            swap_ends(state, tables, phase)
            return phase
    return NONE


@lane_kernel
def swap_ends(state: LaneState, tables: Tables, phase: int) -> None:
    """Put the ends of a phase in the place of the states in the lanes, and those in theirs."""
    first = phase * tables.num_bases
    for base in range(tables.num_bases):
        value = load(state.values, 1 + base)
        store(state.values, 1 + base, load(state.ends, first + base))
        store(state.ends, first + base, value)


@lane_kernel
def grow_older(state: LaneState, ended: LaneVector) -> LaneVector:
    """A tick has passed: the lanes whose playout has reached the age at which it is cut."""
    marks = state.marks
    carry = ~ended
    for bit in range(AGE, AGE + AGE_BITS):
        old = load(marks, bit)
        store(marks, bit, old ^ carry)
        carry = old & carry
    return load(marks, AGE + AGE_BITS - 1) & ~load(marks, OVER)


@lane_kernel
def end_playouts(state: LaneState, ended: LaneVector) -> None:
    """Mark lanes as over, and their age as nothing."""
    marks = state.marks
    store(marks, OVER, load(marks, OVER) | ended)
    for bit in range(AGE, AGE + AGE_BITS):
        store(marks, bit, load(marks, bit) & ~ended)


@lane_kernel
def cut_playouts(state: LaneState, tick: int) -> int:
    """Count a step, and end the playouts that have become too old; how many those are."""
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
    """Play at random for so many steps; how many were made until all lanes were over.

    Args:
        state: The lanes.
        tables: The game.
        steps: A step is one move of each role in each lane.
        tick: Steps after which lanes grow older; at age `LIMIT_TICKS` a playout is ended.
        restarts: Whether a lane that is over begins anew. Otherwise it stays over, and what
            stands in it means nothing.
    """
    values, marks, counters = state.values, state.marks, state.counters
    num_phases = len(tables.terminal)
    num_lanes = count(~zero(values))
    step = ZERO
    ends_of = NONE  # the phase of which ends stand in the place of the lanes' states
    kept = zero(values)
    while True:
        if step == steps:
            ends_of = bring_ends(state, tables)
            if ends_of == NONE:
                return step
            kept = zero(values)
        phase = counters[PHASE] if ends_of == NONE else ends_of
        # The one call: of a second, LLVM would make a function, and hand it all tables each time.
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
            begin_known(state, tables, next_phase, load(marks, OVER))
            store(marks, OVER, zero(values))
        counters[PHASE] = next_phase
        step += 1

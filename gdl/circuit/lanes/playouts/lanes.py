"""Lanes: hundreds of states of a game that are evaluated, and play at random, at once.

lanes = Lanes([schedule(netlist)], width=8, seed=1)
result = lanes.playouts(seconds=1.0)
result.count, result.mean_length, result.mean_goals
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.assembler.code import GateCode
from gdl.circuit.lanes.candidates import make_scratch
from gdl.circuit.lanes.gates import GOAL, run_segment
from gdl.circuit.lanes.playouts.choose import choose_moves
from gdl.circuit.lanes.playouts.kernels import (
    CLOCK,
    CUT,
    CUT_GOAL,
    FIRST_PHASE,
    LIMIT_TICKS,
    MOVES,
    NUM_COUNTERS,
    NUM_MARKS,
    PHASE,
    PLAYOUTS,
    LaneState,
    advance_all,
    play,
    settle,
)
from gdl.circuit.lanes.tables import Tables, constant_slot, make_tables
from gdl.circuit.lanes.vectors import WORD_BITS, LaneArray, lane_array
from gdl.circuit.lanes.words import load_packed, read_packed
from gdl.circuit.netlist import NO, BoolArray, IntArray, Words
from gdl.circuit.playouts import Playouts
from gdl.circuit.schedule import Schedule

DEFAULT_WIDTH = 8  # words, 512 bits: one register of the widest vectors
DEFAULT_LIMIT = 4096  # steps

_SECONDS_PER_CALL = 0.02  # a kernel returns this often, so that Python can check the clock


class Lanes:
    """The lanes of one game: `64 * width` states. At first, each lane is in the first state.

    Several threads may play at once if each has its own lanes.
    """

    def __init__(
        self,
        schedules: Sequence[Schedule],
        width: int = DEFAULT_WIDTH,
        seed: int = 0,
        code: GateCode | None = None,
    ) -> None:
        """Create lanes for a game.

        Args:
            schedules: A single schedule, or one for each phase of the game.
            code: Machine code for the gates of the schedules. If None, gates are run from tables.
        """
        self.netlist = schedules[0].netlist
        self.num_lanes = WORD_BITS * width
        self.tables: Tables = make_tables(schedules, width)
        self._code = code  # keeps the memory of the code alive
        if code is not None:
            assert width == DEFAULT_WIDTH
            blocks = self.tables.blocks._replace(code=code.blocks)
            self.tables = self.tables._replace(code=code.addresses, blocks=blocks)
        self.state = self._make_state(schedules, width, seed)
        self._values = self.state.values
        self._values["words"][constant_slot(self.tables)] = ~np.uint64(0)
        self.restart(self.netlist.init)

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "lanes cannot be copied or pickled, because machine code writes to their memory; make "
            "new lanes of the same game"
        )

    def _make_state(self, schedules: Sequence[Schedule], width: int, seed: int) -> LaneState:
        tables = self.tables
        return LaneState(
            values=lane_array(tables.num_slots, width),
            starts=lane_array(tables.num_bases + 2, width),
            start_rows=np.arange(tables.num_bases, dtype=np.int32),
            known=lane_array(max(len(plan.feedback) for plan in schedules), width),
            crossing=lane_array(tables.advance.shape[1], width),
            marks=lane_array(NUM_MARKS, width),
            ends=lane_array(len(tables.terminal) * tables.num_bases, width),
            waiting=lane_array(len(tables.terminal), width),
            reached=lane_array(len(tables.goal_roles), width),
            counters=np.zeros(NUM_COUNTERS, np.int64),
            goal_counts=np.zeros(len(tables.goal_roles), np.int64),
            scratch=make_scratch(tables.choices, width, seed),
        )

    def restart(self, bases: BoolArray, phase: int = 0) -> None:
        """Start all lanes from one state, to which they return whenever a playout ends.

        Args:
            bases: `[B]` which bases are true.
            phase: The phase of the state.
        """
        words = np.where(bases, ~np.uint64(0), np.uint64(0))[:, np.newaxis]
        self.state.starts["words"][: self.tables.num_bases] = words
        self.state.counters[FIRST_PHASE] = phase
        self._begin()

    def load(self, states: Words, phase: int = 0) -> None:
        """Start each lane from its own state, to which it returns whenever a playout ends.

        Args:
            states: `[lanes, ceil(B / 64)]` a state for each lane: base b is bit `b % 64` of word
                `b // 64`.
            phase: The phase of the states.
        """
        starts, transpose_buffer = self.state.starts, self._transpose_buffer()
        load_packed(starts, 0, states, self.num_lanes, self.tables.num_bases, transpose_buffer)
        self.state.counters[FIRST_PHASE] = phase
        self._begin()

    def _begin(self) -> None:
        num_bases = self.tables.num_bases
        self._values[1 : 1 + num_bases] = self.state.starts[:num_bases]
        # Values that all lanes share are read from two rows, which stay in the first-level cache.
        starts = self.state.starts["words"][:num_bases]
        is_false, is_true = (starts == 0).all(axis=1), (starts == ~np.uint64(0)).all(axis=1)
        self.state.starts["words"][num_bases + 1] = ~np.uint64(0)
        own_rows = np.arange(num_bases)
        self.state.start_rows[:] = np.select(
            [is_false, is_true], [num_bases, num_bases + 1], own_rows
        )
        self.state.marks["words"][:] = 0
        self.state.counters[CLOCK] = 0
        self.state.counters[PHASE] = self.state.counters[FIRST_PHASE]
        self._begin_known()

    def _begin_known(self) -> None:
        if self.tables.is_kept.any():
            settle(self._values, self.tables, self.phase)
            first = self.tables.blocks.first_slot
            self.state.known[:] = self._values[first : first + len(self.state.known)]

    def read(self) -> Words:
        """Return the state in each lane, `[lanes, ceil(B / 64)]`, in the format of `load`."""
        num_bases = self.tables.num_bases
        num_columns = -(-num_bases // WORD_BITS)
        places = np.full(num_columns * WORD_BITS, NO, np.int32)
        places[:num_bases] = 2 * np.arange(1, 1 + num_bases)
        states = np.zeros((self.num_lanes, num_columns), np.uint64)
        read_packed(
            self._values, places, num_columns, states, self.num_lanes, self._transpose_buffer()
        )
        return states

    def _transpose_buffer(self) -> LaneArray:
        return lane_array(WORD_BITS, self.num_lanes // WORD_BITS)

    @property
    def phase(self) -> int:
        """Index of the schedule for the states that are in the lanes now."""
        return int(self.state.counters[PHASE])

    def settle(self) -> None:
        """Evaluate `terminal`, legal moves and goals of the states in the lanes."""
        settle(self._values, self.tables, self.phase)
        run_segment(self._values, self.tables, self.phase, GOAL)

    def choose(self) -> None:
        """Choose a random legal move for each role in each lane. Call `settle` first."""
        choose_moves(self._values, self.tables.choices, self.state.scratch, self.phase)

    def advance(self) -> None:
        """Make the chosen moves in all lanes."""
        advance_all(self.state, self.tables, self.phase)
        self.state.counters[PHASE] = (self.phase + 1) % len(self.tables.terminal)

    def places(self, places: IntArray | int) -> BoolArray:
        """Return the values at `places` (see `Schedule`) in all lanes, `[lanes, places]`.

        Call `settle` first, which computes `terminal`, legal moves and goals of the states.
        """
        array = np.atleast_1d(np.asarray(places, np.int32))
        return _bits(self._values, array >> 1) ^ (array & 1).astype(np.bool_)

    def inputs(self) -> BoolArray:
        """Return whether each of `I` inputs was chosen in each lane, `[lanes, I]`."""
        first = self.netlist.first_input
        return _bits(self._values, np.arange(first, first + self.netlist.num_inputs))

    def playouts(
        self,
        *,
        seconds: float | None = None,
        steps: int | None = None,
        limit: int = DEFAULT_LIMIT,
    ) -> Playouts:
        """Play at random from the current states. Lanes that are over begin again.

        Count playouts that began before the call and end in it. Do not count playouts that are
        still running at the end of the call. So means are right only if the call lasts several
        times as long as a playout. `finish` has no such restriction.

        Args:
            seconds: How long to play.
            steps: The number of steps to play, instead of `seconds`.
            limit: Steps after which a playout is cut off. It may be cut off after 15/16 of them.
        """
        assert (seconds is None) != (steps is None), "either seconds or steps"
        self._reset_counts()
        tick = max(1, limit // LIMIT_TICKS)
        start = time.perf_counter()
        if steps is not None:
            play(self.state, self.tables, steps, tick, True)
        elif seconds is not None:
            self._play_until(start + seconds, tick)
        return self._result(time.perf_counter() - start)

    def finish(self, limit: int = DEFAULT_LIMIT) -> Playouts:
        """Play one playout to its end in each lane. Count every playout, long or short."""
        self._reset_counts()
        tick = max(1, limit // LIMIT_TICKS)
        start = time.perf_counter()
        play(self.state, self.tables, LIMIT_TICKS * tick + 1, tick, False)
        result = self._result(time.perf_counter() - start)
        self._begin()
        return result

    def _play_until(self, end: float, tick: int) -> None:
        steps = 1
        before, after = time.perf_counter(), -math.inf
        while after < end:
            play(self.state, self.tables, steps, tick, True)
            after = time.perf_counter()
            per_step = max(1e-9, (after - before) / steps)
            steps = max(1, int(min(_SECONDS_PER_CALL, end - after) / per_step))
            before = after

    def _reset_counts(self) -> None:
        self.state.goal_counts[:] = 0
        self.state.counters[[PLAYOUTS, MOVES, CUT]] = 0

    def _result(self, seconds: float) -> Playouts:
        counters, tables = self.state.counters, self.tables
        num_playouts, num_cut = int(counters[PLAYOUTS]), int(counters[CUT])
        totals = np.full(len(self.netlist.roles), CUT_GOAL * num_cut, np.int64)
        np.add.at(totals, tables.goal_roles, tables.goal_values * self.state.goal_counts)
        return Playouts(
            count=num_playouts,
            cut=num_cut,
            moves=int(counters[MOVES]),
            goal_totals=tuple(totals.tolist()),
            seconds=seconds,
        )


def _bits(values: LaneArray, slots: NDArray[np.integer]) -> BoolArray:
    words = np.ascontiguousarray(values["words"][slots])
    bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")
    return bits.T.astype(np.bool_)

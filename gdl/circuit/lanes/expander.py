"""The expander: children of many states of a game at once, and random playouts from them.

expander = Expander(simulator, seed=1)
expander.parents[:num], expander.moves[:num] = states, inputs
expander.expand(num, phase)
expander.play(num, (phase + 1) % expander.num_phases, rounds=1, limit=1000)
expander.totals[:num] / expander.num_playouts_per_leaf

expander.prefer(levels, shares=(0.75, 0.25))      # playouts that are not uniformly random
expander.play(num, phase, rounds=1, limit=1000, is_recorded=True)
expander.made, expander.lane_goals                # which moves each lane made, and its goals
expander.tally()
expander.tally_goals / expander.tally_counts      # what a playout brought in which a move was made
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.lanes.batch import make_batch, set_legal_places
from gdl.circuit.lanes.expanding import expand, play_out
from gdl.circuit.lanes.frame import make_frame
from gdl.circuit.lanes.lanes import Lanes
from gdl.circuit.lanes.preference import NUM_LEVELS, Order
from gdl.circuit.lanes.record import fitted
from gdl.circuit.lanes.recording import tally, tell_record
from gdl.circuit.lanes.simulator import Simulator
from gdl.circuit.lanes.transpose import Words
from gdl.circuit.lanes.vectors import WORD_BITS
from gdl.circuit.netlist import NO, YES, Netlist
from gdl.circuit.schedule import Schedule
from gdl.machine import RANDOM
from gdl.terms import Term


class Expander:
    """The children of many states at once, and random playouts from them.

    States are packed: base b is bit `b % 64` of word `b // 64`. Moves are numbers of inputs. Facts
    that make no difference to play are in no state. An expander belongs to one thread.

    Attributes:
        num_leaves_max: How many states at once, at most.
        num_roles: R.
        num_inputs: Of all roles.
        num_words: W, of a packed state.
        num_phases: P: who moves depends on the number of moves made, modulo P.
        initial: `[W]` the first state.
        inputs: Role index and move of each input.
        num_playouts_per_leaf: Of the last `play`.
        parents: `[L, W]` states, and
        moves: `[L, R]` the inputs of a joint move in each; the caller fills both.
        children: `[L, W]` states.
        is_terminal: `[L]` whether they end the game.
        goals: `[L, R]` of those that do, the highest of each role; 0 for the others.
        legal_starts: `[L * R + 1]` the inputs that are legal for role r in child i are
            `legal[legal_starts[i * R + r] : legal_starts[i * R + r + 1]]`.
        legal: Inputs, ascending for each role.
        totals: `[L, R]` sums of the goals of playouts; one that was cut counts 50.
        num_lanes: How many playouts a round has at most. Lane l plays from leaf `l % num`; those
            that are left over when all leaves have as many play from none.
        made: `[num_lanes, ceil(num_inputs / 64)]` of the recorded round, which inputs were made:
            input i is bit `i % 64` of word `i // 64`. Nothing in lanes that played from no leaf.
        lane_goals: `[num_lanes, R]` its goals; 50 if it was cut, 0 if there was none.
        tally_counts: `[num_inputs]` in how many tallied playouts an input was made, and
        tally_goals: `[num_inputs]` the sum of the goals of its role there. The caller clears both.
    """

    def __init__(self, simulator: Simulator, seed: int = 0) -> None:
        """An expander for a game; the seed is that of its random playouts."""
        self._simulator = simulator
        self._lanes: Lanes = simulator.lanes(seed)
        phases = simulator.circuit.phases
        netlist = phases[0].netlist
        self.inputs = netlist.inputs
        self.num_roles = len(netlist.roles)
        self.num_inputs = netlist.num_inputs
        self.num_phases = len(phases)
        self.num_leaves_max = self._lanes.num_lanes
        self.num_words = max(1, -(-netlist.num_bases // WORD_BITS))
        self.num_playouts_per_leaf = 0
        self._number = {fact: base for base, fact in enumerate(netlist.bases)}
        chance = [str(role) == RANDOM for role in netlist.roles]
        self._is_chance = np.array([chance[role] for role, _ in netlist.inputs], np.bool_)
        self._known = _known_bases([phase.netlist for phase in phases])
        self._batch = batch = make_batch(phases, self.num_leaves_max, simulator.width)
        self._gear = gear = self._lanes.gear
        self._preferred: tuple[NDArray[np.uint8], Sequence[float]] | None = None
        self._enter(phases if gear is None else gear.schedules)
        self.initial: Words = self.pack(
            fact for fact, is_true in zip(netlist.bases, netlist.init, strict=True) if is_true
        )
        self.parents, self.moves, self.children = batch.parents, batch.moves, batch.children
        self.is_terminal, self.goals, self.totals = batch.is_terminal, batch.goals, batch.totals
        self.legal_starts, self.legal = batch.legal_starts, batch.legal
        self.num_lanes, record = self._lanes.num_lanes, batch.record
        self.made, self.lane_goals = record.made, record.lane_goals
        self.tally_counts, self.tally_goals = record.tally_counts, record.tally_goals

    def pack(self, facts: Iterable[Term]) -> Words:
        """`[W]` the state in which these facts are true; those without a base are left out."""
        words = [0] * self.num_words
        for fact in facts:
            base = self._number.get(fact)
            if base is not None:
                words[base // WORD_BITS] |= 1 << base % WORD_BITS
        return np.array(words, np.uint64)

    def phases_of(self, state: Words) -> list[int]:
        """The phases to which a state may belong: what is known of their states is true of it."""
        return [
            phase
            for phase, (which, values) in enumerate(self._known)
            if ((state & which) == values).all()
        ]

    def expand(self, num: int, phase: int) -> None:
        """Make `moves[:num]` in `parents[:num]`, and tell all about the children.

        Args:
            num: At least 1.
            phase: That of the parents; the children are in the next one.
        """
        self._shift()
        expand(self._frame, num, phase, False)

    def look(self, num: int, phase: int) -> None:
        """Tell all about `children[:num]`, which the caller has filled.

        Args:
            num: At least 1.
            phase: Theirs.
        """
        self._shift()
        expand(self._frame, num, phase, True)

    def legal_of(self, leaf: int) -> list[list[int]]:
        """The inputs of each role that are legal in a child."""
        first = leaf * self.num_roles
        starts = self.legal_starts[first : first + self.num_roles + 1].tolist()
        return [self.legal[start:end].tolist() for start, end in pairwise(starts)]

    def prefer(self, levels: NDArray[np.uint8] | None, shares: Sequence[float] = (1.0,)) -> None:
        """Let playouts choose better moves first, until this is called again.

        In each step a role looks down to level k with probability `shares[k]`, in each lane anew,
        and chooses uniformly among its legal moves of levels 0 to k. If there is none, it looks
        down to the first level that has one. The `random` role has no preferences.

        Args:
            levels: `[num_inputs]` of each input, 0 the best and 3 the last. None: choose uniformly.
            shares: One for each level, four at most; those that are left out are 0. They add up to
                1, and are rounded to 64ths.
        """
        self._shift()
        if levels is None:
            self._preferred = None
            self._batch.preference.is_narrowed[:] = False
        else:
            assert len(levels) == self.num_inputs, "expected a level for each input"
            assert int(levels.max(initial=0)) < NUM_LEVELS, "too many levels"
            assert len(shares) <= NUM_LEVELS, "too many shares"
            assert abs(sum(shares) - 1) < 1e-6, "expected shares that add up to 1"
            levels = np.where(self._is_chance, np.uint8(0), levels)
            self._preferred = levels, tuple(shares)
            self._arrange()

    def play(
        self, num: int, phase: int, rounds: int, limit: int, *, is_recorded: bool = False
    ) -> None:
        """Play at random from `children[:num]`, as often from each; `totals` tells how it went.

        Args:
            num: At least 1.
            phase: That of the children.
            rounds: How often to play in all lanes, at least once.
            limit: Moves after which a playout is ended.
            is_recorded: Fill `made` and `lane_goals` with the last round. Its moves count until a
                lane's end, those that led to the leaf do not.
        """
        self._shift()
        self.num_playouts_per_leaf = rounds * (self.num_leaves_max // num)
        frame = self._frame if self._preferred is None else self._preferring_frame
        play_out(frame, num, phase, rounds, limit, is_recorded)
        if is_recorded:
            tell_record(frame)

    def tally(self) -> None:
        """Add the round that was recorded last to `tally_counts` and `tally_goals`."""
        tally(self._frame)

    def _shift(self) -> None:
        """Take the second gear as soon as it is ready."""
        self._simulator.shift(self._lanes)
        gear = self._lanes.gear
        if gear is not self._gear and gear is not None:
            self._enter(gear.schedules)
            self._gear = gear

    def _enter(self, schedules: Sequence[Schedule]) -> None:
        """Tell the kernels where everything stands, by the schedules that the lanes follow."""
        set_legal_places(self._batch, schedules)
        tables, width = self._lanes.tables, self._simulator.width
        record = fitted(self._batch.record, tables.num_slots, width)
        self._batch = self._batch._replace(record=record)
        self._frame = make_frame((self._lanes.state, tables, self._batch))
        first_input = schedules[0].netlist.first_input
        self._order = Order(tables, first_input, self._batch.preference, width)
        preferring = tables._replace(choices=self._order.choices)
        self._preferring_frame = make_frame((self._lanes.state, preferring, self._batch))
        self._arrange()

    def _arrange(self) -> None:
        """Put the candidates in the order of what is preferred, if something is."""
        if self._preferred is not None:
            self._order.arrange(*self._preferred)


def _known_bases(phases: Sequence[Netlist]) -> list[tuple[Words, Words]]:
    """For each phase, which bases are known in all its states, and those of them that are true.

    What follows the phase before is a constant for such a base.
    """
    found = []
    for number, netlist in enumerate(phases):
        following = phases[number - 1].next
        is_known = (following == NO) | (following == YES)
        if number == 0:
            is_known &= netlist.init == (following == YES)
        found.append((_pack_bits(is_known), _pack_bits(is_known & (following == YES))))
    return found


def _pack_bits(bits: NDArray[np.bool_]) -> Words:
    padded = np.zeros(max(1, -(-len(bits) // WORD_BITS)) * WORD_BITS, np.bool_)
    padded[: len(bits)] = bits
    return np.packbits(padded, bitorder="little").view(np.uint64)

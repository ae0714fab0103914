"""Goals that can still be reached from a state, as far as latches and similar facts show.

In the states that follow a given state, a base may be true, may be false, or both. At first it may
only have its value in the given state. Then every possible next value, after a move that may be
legal, is added until no value is new. Each base is examined separately, so combinations of values
that cannot occur are included. Bases that run on their own may have any value. 64 states are
processed together, with one bit for each.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.circuit import Circuit
from gdl.circuit.netlist import NO, YES, IntArray, Words
from gdl.circuit.passes.growth import spread_values
from gdl.circuit.passes.rewrite import renamed
from gdl.native.jit import kernel_elsewhere as kernel
from gdl.structure.cofactors import Cofactors, cofactors, cone_of
from gdl.structure.dependence import cones, dependence

WORD_BITS = 64
PATIENCE = 6  # rounds after which a base that still changes may have any value
MAX_LITERALS = 10_000  # literals visited per round; more takes too long to be worth it
MAX_CELLS = 10_000_000  # cells of a table that pairs bases with bases
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)

FALSE, TRUE = 0, 1  # rows of `may_be`


class Reach(NamedTuple):
    """Data of the kernels, with `B` bases, `I` inputs, `C` cases, `K` goals and `R` roles.

    A case is one of the possible functions for the next value of a base, with the moves that select
    it.
    """

    offsets: IntArray  # [gates + 1]
    literals: IntArray
    legal: IntArray  # [I]
    places: IntArray  # [B] where each base stands in a packed state, or NO_PLACE
    bases: IntArray  # the base of each group; only bases that change
    groups: IntArray  # [groups + 1] where the cases of each pair of a base and a role begin
    cases: IntArray  # [C] literals
    moves: IntArray  # [C + 1] where the inputs of each case begin
    inputs: IntArray  # the inputs of all cases; a case without inputs is always possible
    terminal: int
    goals: IntArray  # [K] literals
    roles: IntArray  # [K]
    values: IntArray  # [K] ascending for each role
    first_input: int
    may_be: Words  # [2, nodes] whether each node may be false or true, one bit for each state
    reached: Words  # [2, groups] scratch buffer


NO_PLACE = -1


class ReachableGoals:
    """Finder of the goals that can still be reached. Each thread needs its own; see `twin`."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    def twin(self) -> ReachableGoals:
        """Return another finder for the same game, with its own buffers."""
        room = {name: np.zeros_like(getattr(self._reach, name)) for name in ("may_be", "reached")}
        return ReachableGoals(self._reach._replace(**room))

    def limit(
        self, states: Words, num: int, lower: NDArray[np.float32], upper: NDArray[np.float32]
    ) -> None:
        """Write bounds `[N, R]` of the goals that each role can reach from `num` packed states.

        `lower` is the highest goal that a role is certain to get, or 0. `upper` is the highest goal
        that it can still reach.
        """
        limit_all(self._reach, states, num, lower, upper)


def make_reachable_goals(circuit: Circuit) -> ReachableGoals | None:
    """Return a finder of reachable goals for a game, or None if the game is too large."""
    netlist = circuit.netlist
    if netlist.num_bases**2 > MAX_CELLS or len(netlist.literals) > MAX_LITERALS:
        return None
    functions = cofactors(netlist)
    if functions is None:
        return None
    runs_alone = dependence(functions, cones(functions)).is_autonomous
    changes = (netlist.next != NO) & (netlist.next != YES) & ~runs_alone
    bases = np.flatnonzero(changes)
    if len(bases) == 0:
        return None
    cases = _Cases(functions, bases)
    wanted = [functions.terminal, *functions.goals.tolist(), *functions.legal.tolist()]
    table, first_gate = functions.table, netlist.first_gate
    num_gates = int(table.sizes[0])
    # Feedback nodes may have any value, so the gates that define them are not needed.
    needed, offsets, literals = cone_of(
        (table.offsets[: num_gates + 1], table.literals),
        functions.feedback[:0],
        first_gate,
        np.array([*cases.literals, *wanted], np.int32),
    )
    if len(literals) + len(cases.inputs) > MAX_LITERALS:
        return None
    gates = np.flatnonzero(needed[first_gate:])
    mapping = 2 * np.arange(first_gate + num_gates, dtype=np.int32)
    mapping[first_gate + gates] = 2 * (first_gate + np.arange(len(gates)))
    place_of = {fact: place for place, fact in enumerate(circuit.phases[0].netlist.bases)}
    places = np.array([place_of.get(fact, NO_PLACE) for fact in netlist.bases], np.int32)
    places[runs_alone] = NO_PLACE
    return ReachableGoals(
        Reach(
            offsets=offsets,
            literals=renamed(mapping, literals),
            legal=renamed(mapping, functions.legal),
            places=places,
            bases=np.array(cases.bases, np.int32),
            groups=np.array(cases.groups, np.int32),
            cases=renamed(mapping, cases.literals),
            moves=np.array(cases.moves, np.int32),
            inputs=np.array(cases.inputs, np.int32),
            terminal=int(renamed(mapping, [functions.terminal])[0]),
            goals=renamed(mapping, functions.goals),
            roles=np.array([role for role, _, _ in netlist.goals], np.int32),
            values=np.array([value for _, value, _ in netlist.goals], np.int32),
            first_input=netlist.first_input,
            may_be=np.zeros((2, netlist.first_gate + len(gates)), np.uint64),
            reached=np.zeros((2, len(cases.bases)), np.uint64),
        )
    )


class _Cases:
    def __init__(self, functions: Cofactors, bases: NDArray[np.int64]) -> None:
        self.bases: list[int] = []
        self.groups = [0]
        self.literals: list[int] = []
        self.moves = [0]
        self.inputs: list[int] = []
        starts = functions.netlist.role_starts.tolist()
        for base in bases.tolist():
            for first, last in pairwise(starts):
                if first < last:
                    self._add(base, first, functions.following[first:last, base])

    def _add(self, base: int, first: int, following: IntArray) -> None:
        kinds, counts = np.unique(following, return_counts=True)
        usual = kinds[counts.argmax()] if counts.max() > 1 else NO_PLACE
        for literal in kinds.tolist():
            self.literals.append(literal)
            if literal != usual:
                self.inputs += (first + np.flatnonzero(following == literal)).tolist()
            self.moves.append(len(self.inputs))
        self.bases.append(base)
        self.groups.append(len(self.literals))


@kernel
def limit_all(
    reach: Reach, states: Words, num: int, lower: NDArray[np.float32], upper: NDArray[np.float32]
) -> None:
    """Write the bounds for `num` states; see `ReachableGoals.limit`."""
    first_gate = reach.may_be.shape[1] - (len(reach.offsets) - 1)
    for first in range(0, num, WORD_BITS):
        last = min(num, first + WORD_BITS)
        _begin(reach, states, first, last)
        rounds = 0
        spread_values(reach.offsets, reach.literals, first_gate, reach.may_be)
        while _spread(reach, rounds >= PATIENCE):
            rounds += 1
            spread_values(reach.offsets, reach.literals, first_gate, reach.may_be)
        _write_limits(reach, first, last, lower, upper)


@kernel
def _begin(reach: Reach, states: Words, first: int, last: int) -> None:
    """Begin with `states[first:last]`, one bit for each state. No move is possible yet.

    A base may only have its value in the state. If it has no place in a packed state, it may have
    either value.
    """
    may_be, places = reach.may_be, reach.places
    may_be[TRUE, 0], may_be[FALSE, 0] = np.uint64(0), ALL
    for node in range(1, may_be.shape[1]):
        may_be[TRUE, node] = may_be[FALSE, node] = ALL
    for node in range(reach.first_input, reach.first_input + len(reach.legal)):
        may_be[TRUE, node] = np.uint64(0)
    for base in range(len(places)):
        if places[base] == NO_PLACE:
            continue
        word, shift = places[base] >> 6, np.uint64(places[base] & 63)
        bits = np.uint64(0)
        for row in range(first, last):
            bits |= (states[row, word] >> shift & np.uint64(1)) << np.uint64(row - first)
        may_be[TRUE, 1 + base] = bits
        may_be[FALSE, 1 + base] = ~bits


@kernel
def _spread(reach: Reach, gives_up: bool) -> bool:
    """Add the values that inputs and bases may have after another move.

    Return whether any value is new. If `gives_up`, a base that gets a new value may have any value
    from now on.
    """
    may_be, bases, reached = reach.may_be, reach.bases, reach.reached
    news = np.uint64(0)
    for index in range(len(reach.legal)):
        literal = reach.legal[index]
        following = may_be[1 - (literal & 1), literal >> 1]
        news |= following & ~may_be[TRUE, reach.first_input + index]
        may_be[TRUE, reach.first_input + index] |= following
    for group in range(len(bases)):
        _reach(reach, group)
    group = 0
    while group < len(bases):
        node = 1 + bases[group]
        holds, fails = ALL, ALL
        # Keep the values that the moves of every role allow.
        while group < len(bases) and 1 + bases[group] == node:
            holds &= reached[TRUE, group]
            fails &= reached[FALSE, group]
            group += 1
        new = (holds & ~may_be[TRUE, node]) | (fails & ~may_be[FALSE, node])
        if gives_up:
            holds, fails = holds | new, fails | new
        news |= new
        may_be[TRUE, node] |= holds
        may_be[FALSE, node] |= fails
    return bool(news != np.uint64(0))


@kernel
def _reach(reach: Reach, group: int) -> None:
    may_be, moves = reach.may_be, reach.moves
    holds, fails = np.uint64(0), np.uint64(0)
    for case in range(reach.groups[group], reach.groups[group + 1]):
        possible = np.uint64(0) if moves[case] < moves[case + 1] else ALL
        for k in range(moves[case], moves[case + 1]):
            possible |= may_be[TRUE, reach.first_input + reach.inputs[k]]
        sign, node = reach.cases[case] & 1, reach.cases[case] >> 1
        holds |= possible & may_be[1 - sign, node]
        fails |= possible & may_be[sign, node]
    reach.reached[TRUE, group] = holds
    reach.reached[FALSE, group] = fails


@kernel
def _write_limits(
    reach: Reach, first: int, last: int, lower: NDArray[np.float32], upper: NDArray[np.float32]
) -> None:
    may_be = reach.may_be
    for row in range(first, last):
        for role in range(lower.shape[1]):
            lower[row, role] = upper[row, role] = 0
    for index in range(len(reach.goals)):
        role, value = reach.roles[index], reach.values[index]
        sign, node = reach.goals[index] & 1, reach.goals[index] >> 1
        holds, fails = may_be[1 - sign, node], may_be[sign, node]
        for row in range(first, last):
            shift = np.uint64(row - first)
            if holds >> shift & np.uint64(1):
                upper[row, role] = max(upper[row, role], np.float32(value))
            if fails >> shift & np.uint64(1) == np.uint64(0):
                lower[row, role] = max(lower[row, role], np.float32(value))

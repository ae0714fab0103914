"""Phases: what is known of every state after 0, P, 2P ... moves, after 1, P + 1 ..., and so on.

Where roles take turns, half of the circuit asks for the moves of the role that has none. If the
number of moves made says whose turn it is, the circuit of each phase is its own, smaller netlist.

    [netlist for even states, netlist for odd states] = split_phases(netlist)

What is known is found by playing in three values, false, true and open: the first state is known,
what moves can change is open, and what two states of a phase disagree on is open from then on.
When nothing opens any more, what is left holds in all states that can be reached, by induction.

A long step counter takes a round of that for each step. Where the circuit is too large for so many
rounds, only the *clocks* are played, and all else is open from the beginning: bases that no move
has a part in, such as step counters and whose turn it is. Their circuit is small.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.native.jit import kernel
from gdl.circuit.netlist import NO, YES, IntArray, Netlist
from gdl.circuit.passes.cone import drop_unused
from gdl.circuit.passes.factor import factor
from gdl.circuit.passes.rewrite import flatten, rewrite
from gdl.circuit.passes.split import mark_moved

ByteArray = NDArray[np.uint8]
BoolArray = NDArray[np.bool_]

OPEN = 2  # neither false, 0, nor true, 1

NUMBERS = (2, 3, 4)  # of phases that are tried
WORTHWHILE = 0.75  # more phases must leave at most this share of the candidates

# Each phase has code of its own, and all of it must pass through the caches: the cost of a step,
# in gates, must shrink at least so far. (reversi's would not: its end asks for all legal moves.)
COST_WORTHWHILE = 0.85
CANDIDATE_COST = 2
CHOICE_COST = 50

_MOST_VISITS = 200_000_000  # literals looked at before giving up: less than a second
_MOST_SWEEPS = 20  # over all gates to find the clocks: each finds what the last one touched


@dataclass(frozen=True, eq=False)
class Phases:
    """Values known in each of `P` phases: 0, 1 or OPEN."""

    bases: ByteArray  # [P, B]
    inputs: ByteArray  # [P, I]

    @property
    def num_candidates(self) -> float:
        """Mean number of inputs that are open in a phase."""
        return float((self.inputs == OPEN).sum(axis=1).mean())


def split_phases(netlist: Netlist) -> list[Netlist]:
    """A netlist for each phase, with the same bases and inputs; only one if more are no gain.

    Each says what moves are legal, what follows and so on for the states of its phase only. Gates
    may have any number of literals; what they have in common is factored out, which is easier to
    find where half of the circuit is gone.
    """
    return [flatten(drop_unused(factor(part))) for part in _parts(netlist)]


def _parts(netlist: Netlist) -> list[Netlist]:
    played, first = netlist, netlist.init.astype(np.uint8)
    best = _known(netlist, 1, played, first)
    if best is None:
        played, first = _clockwork(netlist)
        best = _known(netlist, 1, played, first)
    if best is None:
        return [netlist]
    for number in NUMBERS:
        phases = _known(netlist, number, played, first)
        if phases is not None and phases.num_candidates <= WORTHWHILE * best.num_candidates:
            best = phases
    if len(best.bases) == 1:
        return [netlist]
    parts = [_restricted(netlist, best, phase) for phase in range(len(best.bases))]
    cost = sum(_cost(part) for part in parts) / len(parts)
    return parts if cost <= COST_WORTHWHILE * _cost(netlist) else [netlist]


def _cost(netlist: Netlist) -> int:
    """About how long a step takes, in gates."""
    roles = [role for role, _ in netlist.inputs]
    candidates = np.bincount(roles, weights=netlist.legal != NO)
    choices = int((candidates > 1).sum())
    return netlist.num_gates + CANDIDATE_COST * int(candidates.sum()) + CHOICE_COST * choices


def _known(netlist: Netlist, number: int, played: Netlist, first: ByteArray) -> Phases | None:
    """Values known in so many phases; None if it takes too long to find them out.

    Args:
        netlist: The game.
        number: P.
        played: The game, or what is played of it.
        first: `[B]` what is known of the first state.
    """
    bases = np.full((number, netlist.num_bases), OPEN, np.uint8)
    is_seen = [True] + [False] * (number - 1)
    bases[0] = first
    most_rounds = number + _MOST_VISITS // (2 * len(played.literals) + 1)
    phase = quiet = 0
    for _ in range(most_rounds):
        following, _ = _follow(played, bases[phase])
        phase = (phase + 1) % number
        joined = following
        if is_seen[phase]:
            joined = np.where(bases[phase] == following, following, np.uint8(OPEN))
        quiet = quiet + 1 if is_seen[phase] and (joined == bases[phase]).all() else 0
        is_seen[phase] = True
        bases[phase] = joined
        if quiet == number:
            return Phases(bases, np.stack([_follow(netlist, known)[1] for known in bases]))
    return None


def _clockwork(netlist: Netlist) -> tuple[Netlist, ByteArray]:
    """The netlist in which only the clocks move, and what is known of its first state."""
    is_clock = _clocks(netlist)
    own = 2 * np.arange(1, netlist.first_input, dtype=np.int32)
    clockwork = replace(
        netlist,
        next=np.where(is_clock, netlist.next, own).astype(np.int32),
        legal=np.full(netlist.num_inputs, NO, np.int32),
        terminal=NO,
        goals=(),
        sees=(),
    )
    return drop_unused(clockwork), np.where(is_clock, netlist.init, OPEN).astype(np.uint8)


def _clocks(netlist: Netlist) -> BoolArray:
    """`[B]` which bases depend on nothing but such bases, neither now nor later; none if unsure."""
    moved = np.zeros(netlist.first_gate + netlist.num_gates, np.uint8)
    moved[netlist.first_input : netlist.first_gate] = 1
    bases = slice(1, netlist.first_input)
    for _ in range(_MOST_SWEEPS):
        mark_moved(netlist.offsets, netlist.literals, moved)
        touched = moved[bases] | moved[netlist.next >> 1]
        if (touched == moved[bases]).all():
            is_clock: BoolArray = touched == 0
            return is_clock
        moved[bases] = touched
    return np.zeros(netlist.num_bases, np.bool_)


def _follow(netlist: Netlist, bases: ByteArray) -> tuple[ByteArray, ByteArray]:
    """Values known of the next state and of the moves, from those known of a state."""
    values = np.full(netlist.first_gate + netlist.num_gates, OPEN, np.uint8)
    values[0] = 0
    values[1 : netlist.first_input] = bases
    _evaluate(netlist.offsets, netlist.literals, values)
    legal = _values_of(values, netlist.legal)
    inputs = np.where(legal == 0, np.uint8(0), np.uint8(OPEN))
    for first, last in zip(netlist.role_starts, netlist.role_starts[1:], strict=False):
        candidates = first + np.flatnonzero(legal[first:last])
        # Who has one candidate, and always, has no choice.
        if len(candidates) == 1 and legal[candidates[0]] == 1:
            inputs[candidates[0]] = 1
    values[netlist.first_input : netlist.first_feedback] = inputs
    _evaluate(netlist.offsets, netlist.literals, values)
    return _values_of(values, netlist.next), inputs


def _values_of(values: ByteArray, literals: IntArray) -> ByteArray:
    found = values[literals >> 1]
    flipped = (found ^ (literals & 1)).astype(np.uint8)
    return np.where(found == OPEN, np.uint8(OPEN), flipped)


@kernel
def _evaluate(offsets: IntArray, literals: IntArray, values: ByteArray) -> None:
    """Set the gates in three values: known if one literal is false or all are true."""
    num_gates = len(offsets) - 1
    first = len(values) - num_gates
    for gate in range(num_gates):
        result = 1
        for k in range(offsets[gate], offsets[gate + 1]):
            value = values[literals[k] >> 1]
            if value == OPEN:
                result = OPEN
            elif value == literals[k] & 1:
                result = 0
                break
        values[first + gate] = result


def _restricted(netlist: Netlist, phases: Phases, phase: int) -> Netlist:
    """The netlist in which what is known in a phase is a constant."""
    sources = 2 * np.arange(netlist.first_gate, dtype=np.int32)
    known = np.concatenate([phases.bases[phase], phases.inputs[phase]])
    sources[1 : netlist.first_feedback] = _constants(known, sources[1 : netlist.first_feedback])
    following = phases.bases[(phase + 1) % len(phases.bases)]
    restricted = rewrite(netlist, sources=sources)
    restricted = replace(restricted, next=_constants(following, restricted.next))
    return flatten(drop_unused(restricted))


def _constants(known: ByteArray, literals: IntArray) -> IntArray:
    """The literals, but YES or NO where it is known that they are."""
    result = literals.copy()
    result[known == 0] = NO
    result[known == 1] = YES
    return result

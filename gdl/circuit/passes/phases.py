"""Phases: values known in all states after 0, P, 2P ... moves, after 1, P + 1 ..., and so on.

If roles take turns, half of the circuit computes the moves of the role that has no choice. If the
number of moves made so far says whose turn it is, each phase gets a netlist of its own, which is
smaller.

    [netlist for even states, netlist for odd states] = split_phases(netlist)

The known values are found by playing with three values: false, true and open. The first state is
known, and whatever moves can change is open. If two states of a phase have different values for a
node, the node is open from then on. Once no further node becomes open, the remaining values hold in
all reachable states, by induction.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from gdl.circuit.and_gates import ZERO
from gdl.circuit.netlist import NO, YES, ByteArray, IntArray, Netlist
from gdl.circuit.passes.cone import drop_unused
from gdl.circuit.passes.factor import factor
from gdl.circuit.passes.rewrite import flatten, rewrite
from gdl.native.jit import lane_kernel

OPEN = 2  # neither false (0) nor true (1)

NUMBERS = (2, 3, 4)  # numbers of phases to try
WORTHWHILE = 0.75  # more phases must reduce the candidates to at most this share

# Each phase has code of its own, and all of it must pass through the processor's caches. So the
# cost of a step, in gates, must be reduced to at most this share. (In reversi it is not, because
# its terminal condition needs all legal moves.)
COST_WORTHWHILE = 0.85
CANDIDATE_COST = 2
CHOICE_COST = 50

_MAX_VISITS = 200_000_000  # bases and inputs visited before giving up, after less than a second


@dataclass(frozen=True, eq=False)
class Phases:
    """The values that are known in each of `P` phases: 0, 1 or OPEN."""

    bases: ByteArray  # [P, B]
    inputs: ByteArray  # [P, I]

    @property
    def num_candidates(self) -> float:
        """Mean number of open inputs per phase."""
        return float((self.inputs == OPEN).sum(axis=1).mean())


def split_phases(netlist: Netlist) -> list[Netlist]:
    """Return a netlist for each phase, or a single one if more do not pay off.

    All have the same bases and inputs. Each netlist says which moves are legal, what the next state
    is, and so on, only for the states of its phase. Gates may have any number of literals. Common
    factors are taken out, because more of them are found when half of the circuit is gone.
    """
    return [factor(part) for part in _parts(netlist)]


def _parts(netlist: Netlist) -> list[Netlist]:
    wires = _wires(netlist)
    best = _known(netlist, wires, 1, netlist.num_inputs)
    if best is None:
        return [netlist]
    for number in NUMBERS:
        phases = _known(netlist, wires, number, WORTHWHILE * best.num_candidates)
        if phases is not None:
            best = phases
    if len(best.bases) == 1:
        return [netlist]
    parts = [_restricted(netlist, best, phase) for phase in range(len(best.bases))]
    cost = sum(_cost(part) for part in parts) / len(parts)
    return parts if cost <= COST_WORTHWHILE * _cost(netlist) else [netlist]


def _cost(netlist: Netlist) -> int:
    roles = [role for role, _ in netlist.inputs]
    candidates = np.bincount(roles, weights=netlist.legal != NO)
    choices = int((candidates > 1).sum())
    return netlist.num_gates + CANDIDATE_COST * int(candidates.sum()) + CHOICE_COST * choices


class _Wires(NamedTuple):
    """Gates, and the gates that read each node."""

    offsets: IntArray  # [G + 1]
    literals: IntArray
    starts: IntArray  # [nodes + 1] where the readers of each node begin
    readers: IntArray  # gates


def _wires(netlist: Netlist) -> _Wires:
    num_nodes = netlist.first_gate + netlist.num_gates
    counts = np.bincount(netlist.literals >> 1, minlength=num_nodes)
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]).astype(np.int32)
    readers = np.empty(len(netlist.literals), np.int32)
    _find_readers(netlist.offsets, netlist.literals, starts[:-1].copy(), readers)
    return _Wires(netlist.offsets, netlist.literals, starts, readers)


def _known(netlist: Netlist, wires: _Wires, number: int, most_candidates: float) -> Phases | None:
    """Return the values known in `number` phases.

    Return None if that takes too long, or if there are more than `most_candidates`.
    """
    num_nodes = netlist.first_gate + netlist.num_gates
    values = np.full((number, num_nodes), OPEN, np.uint8)
    values[:, 0] = 0
    values[0, 1 : netlist.first_input] = netlist.init
    play = _Play(
        values,
        watched=np.zeros((number, netlist.num_gates), np.int32),
        opened=np.empty(num_nodes, np.int32),
        next=netlist.next,
        legal=netlist.legal,
        role_starts=netlist.role_starts,
        candidates=np.zeros(number, np.int32),
    )
    most_rounds = number + _MAX_VISITS // (netlist.num_bases + netlist.num_inputs + 1)
    if not _play(wires, play, most_rounds, int(most_candidates * number)):
        return None
    sources = slice(1, netlist.first_input), slice(netlist.first_input, netlist.first_feedback)
    return Phases(values[:, sources[0]].copy(), values[:, sources[1]].copy())


class _Play(NamedTuple):
    """The known values of nodes in `P` phases. A value that is OPEN stays open."""

    values: ByteArray  # [P, nodes]
    watched: IntArray  # [P, G] for each false gate, the index of one of its false literals
    opened: IntArray  # [nodes] stack of nodes whose readers have to be visited
    next: IntArray  # [B] literals
    legal: IntArray  # [I] literals
    role_starts: IntArray  # [R + 1]
    candidates: IntArray  # [P] number of open inputs


# When a node opens, the gates that read it are visited. Each node opens only once in a phase, so
# each literal is visited once or twice, however many turns that takes.


@lane_kernel
def _play(wires: _Wires, play: _Play, rounds: int, most_candidates: int) -> bool:
    num_phases = len(play.values)
    phase, quiet, num_opened = ZERO, ZERO, ZERO
    for turn in range(rounds):
        values, watched = play.values[phase], play.watched[phase]
        if turn < num_phases:
            _evaluate(wires, values, watched)
            _open_moves(wires, play, phase, num_opened)
            _evaluate(wires, values, watched)
        else:
            _open_readers(wires, values, watched, play.opened, num_opened)
            num_opened = _open_moves(wires, play, phase, ZERO)
            _open_readers(wires, values, watched, play.opened, num_opened)
        if play.candidates.sum() > most_candidates:
            return False
        phase = (phase + 1) % num_phases
        is_seen = turn + 1 >= num_phases
        num_opened = _follow(play, values, play.values[phase], is_seen)
        quiet = quiet + 1 if is_seen and num_opened == 0 else ZERO
        if quiet == num_phases:
            return True
    return False


@lane_kernel
def _follow(play: _Play, values: ByteArray, following: ByteArray, is_seen: bool) -> int:
    num_opened = ZERO
    for base in range(len(play.next)):
        value = _value_of(values, play.next[base])
        if not is_seen:
            following[1 + base] = value
        elif following[1 + base] != OPEN and following[1 + base] != value:
            following[1 + base] = OPEN
            play.opened[num_opened] = 1 + base
            num_opened += 1
    return num_opened


@lane_kernel
def _open_moves(wires: _Wires, play: _Play, phase: int, num_opened: int) -> int:
    """Set the inputs according to which moves are legal.

    Return `num_opened` plus the number of nodes that changed. A role whose only candidate is always
    legal has no choice.
    """
    first, values = 1 + len(play.next), play.values[phase]
    play.candidates[phase] = 0
    for role in range(len(play.role_starts) - 1):
        start, end = play.role_starts[role], play.role_starts[role + 1]
        candidates = ZERO
        for i in range(start, end):
            candidates += _value_of(values, play.legal[i]) != 0
        for i in range(start, end):
            value = _value_of(values, play.legal[i])
            if value == 1 and candidates > 1:
                value = OPEN
            play.candidates[phase] += value == OPEN
            if values[first + i] != value:
                values[first + i] = value
                play.opened[num_opened] = first + i
                num_opened += 1
    return num_opened


@lane_kernel
def _value_of(values: ByteArray, literal: int) -> int:
    value = int(values[literal >> 1])
    return value if value == OPEN else value ^ (literal & 1)


@lane_kernel
def _evaluate(wires: _Wires, values: ByteArray, watched: IntArray) -> None:
    """Compute the gates: false if one literal is false, true if all literals are, else open."""
    num_gates = len(wires.offsets) - 1
    for gate in range(num_gates):
        watched[gate] = wires.offsets[gate]
        values[len(values) - num_gates + gate] = 0
        _reset(wires, values, watched, gate)


@lane_kernel
def _reset(wires: _Wires, values: ByteArray, watched: IntArray, gate: int) -> bool:
    result = 1
    for k in range(watched[gate], wires.offsets[gate + 1]):
        value = values[wires.literals[k] >> 1]
        if value == OPEN:
            result = OPEN
        elif value == wires.literals[k] & 1:
            watched[gate] = k
            return False
    values[len(values) - (len(wires.offsets) - 1) + gate] = result
    return True


@lane_kernel
def _open_readers(
    wires: _Wires, values: ByteArray, watched: IntArray, opened: IntArray, size: int
) -> None:
    """Open the gates that become open because of the first `size` nodes in `opened`."""
    first = len(values) - (len(wires.offsets) - 1)
    while size > 0:
        size -= 1
        node = opened[size]
        for k in range(wires.starts[node], wires.starts[node + 1]):
            gate = wires.readers[k]
            value = values[first + gate]
            if value == OPEN or (value == 0 and wires.literals[watched[gate]] >> 1 != node):
                continue
            if value == 1:
                values[first + gate] = OPEN
            elif not _reset(wires, values, watched, gate):
                continue
            opened[size] = first + gate
            size += 1


@lane_kernel
def _find_readers(
    offsets: IntArray, literals: IntArray, places: IntArray, readers: IntArray
) -> None:
    for gate in range(len(offsets) - 1):
        for k in range(offsets[gate], offsets[gate + 1]):
            node = literals[k] >> 1
            readers[places[node]] = gate
            places[node] += 1


def _restricted(netlist: Netlist, phases: Phases, phase: int) -> Netlist:
    sources = 2 * np.arange(netlist.first_gate, dtype=np.int32)
    known = np.concatenate([phases.bases[phase], phases.inputs[phase]])
    sources[1 : netlist.first_feedback] = _constants(known, sources[1 : netlist.first_feedback])
    following = phases.bases[(phase + 1) % len(phases.bases)]
    restricted = rewrite(netlist, sources=sources)
    restricted = replace(restricted, next=_constants(following, restricted.next))
    return flatten(drop_unused(restricted))


def _constants(known: ByteArray, literals: IntArray) -> IntArray:
    result = literals.copy()
    result[known == 0] = NO
    result[known == 1] = YES
    return result

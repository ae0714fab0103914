"""Kinds of moves: does a move take a piece, and can the moved piece be taken next?

A search learns from what a move achieved in other states. In games with pieces, the same step may
take a piece in one state and lose one in another. So this module divides each move by kind: whether
it *takes* something, and whether it is *exposed*. Both are functions of the state before the move.

A fact belongs to a role if in random play hardly any move of another role makes it true. Facts that
most moves leave as they are may be pieces. A move takes a piece if it makes such a fact of the next
role false. It is exposed if it makes such a fact of its own role true, and the next role then has a
move that takes this fact.

The result is the same game with more inputs. A move has one input for each of its kinds, and at
most one of them is legal in a state.

Move features in playouts: Cazenave, Playout Policy Adaptation with Move Features, 2016.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gdl.circuit.and_gates import contents
from gdl.circuit.circuit import Circuit, derived, unpack
from gdl.circuit.lanes.expander.expander import Simulator
from gdl.circuit.netlist import NO, BoolArray, IntArray, Netlist
from gdl.circuit.schedule import schedule
from gdl.rulesheet import Rulesheet
from gdl.structure.decisive import Decisive
from gdl.structure.divided_moves import (
    ALL_KINDS,
    EXPOSED,
    TAKES,
    DividedMove,
    KindGates,
    divide_moves,
)
from gdl.structure.phase_moves import PhaseMoves, TooLargeError, mover_of, moves_of_phase
from gdl.structure.random_play import random_play

MIN_CHANGES = 3  # how often a fact must become true in random play to belong to a role
MIN_SHARE = 0.95  # share of these changes that the role's moves must make
RARE = 0.02  # share of a move's occurrences; rarer kinds are not told apart
MAX_GROWTH = 3  # largest number of gates with kinds, as a multiple of those without
SEED = 1
NOBODY = -1

# Packages of `gdl` that determine the result.
_SHAPED_BY = ("circuit", "ground", "rulesheet", "structure")


@dataclass(frozen=True, eq=False)
class MoveKinds:
    """A game whose moves are divided by kind. Both simulators have the same inputs and bases."""

    simulator: Simulator  # the game
    decisive: Simulator | None  # its decisive variant, if it has one


def move_kinds(
    circuit: Circuit, decisive: Decisive | None, rulesheet: Rulesheet | None = None
) -> MoveKinds | None:
    """Return the game with moves divided by kind.

    Return None if no move has more than one kind, if several roles move at once, or if that needs
    too many gates.
    """
    data = packed_move_kinds(circuit, decisive, rulesheet)
    return None if data is None else move_kinds_in(data, circuit)


def packed_move_kinds(
    circuit: Circuit, decisive: Decisive | None, rulesheet: Rulesheet | None = None
) -> bytes | None:
    """Return the game with kinds as bytes for `move_kinds_in`, or None in the same cases."""
    return derived("move kinds", _SHAPED_BY, rulesheet, lambda: make_move_kinds(circuit, decisive))


def move_kinds_in(data: bytes, circuit: Circuit) -> MoveKinds:
    """Unpack the divided game of a circuit from bytes made by `packed_move_kinds`."""
    made = unpack(data)
    plain, decisive = made.phases[: len(circuit.phases)], made.phases[len(circuit.phases) :]
    return MoveKinds(
        Simulator(Circuit(made.netlist, plain)),
        Simulator(Circuit(made.netlist, decisive)) if decisive else None,
    )


def make_move_kinds(circuit: Circuit, decisive: Decisive | None) -> Circuit | None:
    """Return a circuit with the phases of the divided game and then of its decisive variant.

    Return None if `move_kinds` returns None.
    """
    if any(mover_of(phase.netlist) is None for phase in circuit.phases):
        return None
    netlists = [phase.netlist for phase in circuit.phases]
    if decisive is not None:
        netlists += [phase.netlist for phase in decisive.simulator.circuit.phases]
    try:
        gates = _kind_gates(circuit)
    except TooLargeError:
        return None
    every = _all_divided(gates, netlists[0].num_inputs)
    if len(every) == netlists[0].num_inputs:
        return None
    whole = [divide_moves(*each, every) for each in zip(netlists, gates, strict=False)]
    moves = _without_rare(every, Circuit(circuit.netlist, tuple(map(schedule, whole))))
    if len(moves) == netlists[0].num_inputs:
        return None
    divided = [
        divide_moves(netlist, gates[number % len(gates)], moves)
        for number, netlist in enumerate(netlists)
    ]
    if _num_gates(divided) > MAX_GROWTH * _num_gates(netlists):
        return None
    return Circuit(circuit.netlist, tuple(map(schedule, divided)))


def _num_gates(netlists: Sequence[Netlist]) -> int:
    return sum(netlist.num_gates for netlist in netlists)


def _kind_gates(circuit: Circuit) -> list[KindGates]:
    """Return the kinds of the moves of each phase.

    Raises:
        TooLargeError: They need too many gates or too much time.
    """
    phases = [moves_of_phase(phase.netlist) for phase in circuit.phases]
    owners = _owners(circuit)
    return [
        _of_phase(phase, after, owners)
        for phase, after in zip(phases, [*phases[1:], phases[0]], strict=True)
    ]


def _owners(circuit: Circuit) -> IntArray:
    """Return the index of the role that owns each base, or NOBODY if none does, `[B]`."""
    netlist = circuit.phases[0].netlist
    movers = [mover_of(phase.netlist) for phase in circuit.phases]
    changes = np.zeros((len(netlist.roles), netlist.num_bases), np.int64)
    for step in random_play(circuit, SEED):
        becomes_true = (step.after & ~step.before)[:, : netlist.num_bases]
        changes[movers[step.phase]] += becomes_true.sum(axis=0)
    total = changes.sum(axis=0)
    is_owned = (total >= MIN_CHANGES) & (changes.max(axis=0) >= MIN_SHARE * total)
    return np.where(is_owned, changes.argmax(axis=0), NOBODY).astype(np.int32)


def _of_phase(phase: PhaseMoves, after: PhaseMoves, owners: IntArray) -> KindGates:
    takes, exposed = np.full((2, phase.netlist.num_inputs), NO, np.int32)
    if phase.mover != after.mover and not phase.is_chance:
        for move, taken in _taken(phase, owners == after.mover).items():
            takes[move] = phase.any_of(list(taken.values()))
        for move, literal in _exposed(phase, after, owners == phase.mover).items():
            exposed[move] = literal
    return KindGates(*contents(phase.table), takes, exposed)


def _taken(phase: PhaseMoves, is_owned: BoolArray) -> dict[int, dict[int, int]]:
    """Return for each move a literal for each owned base: is it true, and false after the move?

    Bases that the move never makes false are missing, and so are those that most moves change.
    """
    own = 2 * np.arange(1, 1 + len(is_owned))
    pieces = np.flatnonzero(is_owned & (phase.usual == own))
    found: dict[int, dict[int, int]] = defaultdict(dict)
    for move in phase.inputs:
        following = phase.following[move]
        for base in pieces[following[pieces] != own[pieces]].tolist():
            literal = phase.all_of([2 * (1 + base), int(following[base]) ^ 1])
            if literal != NO:
                found[move][base] = literal
    return found


def _exposed(phase: PhaseMoves, after: PhaseMoves, is_owned: BoolArray) -> dict[int, int]:
    """Return for each move: can the next role take what the move made true?"""
    threats: dict[int, list[int]] = defaultdict(list)  # by base
    legal = dict(zip(after.inputs, after.legal, strict=True))
    for move, taken in _taken(after, is_owned).items():
        for base, literal in taken.items():
            threats[base].append(after.all_of([legal[move], literal]))
    if not threats:
        return {}
    bases = np.array(sorted(threats))
    wanted = np.array([after.any_of(threats[base]) for base in bases.tolist()], np.int32)
    each = phase.after_each(*contents(after.table), wanted)
    own = 2 * (1 + bases)
    found = {}
    for move, literals in zip(phase.inputs, each, strict=True):
        following = phase.following[move][bases]
        is_made = (following != own) & (following != NO)
        if is_made.any():
            found[move] = phase.any_of(literals[is_made].tolist())
    return found


def _all_divided(gates: Sequence[KindGates], num_inputs: int) -> list[DividedMove]:
    """Return each move once for every kind that it may have in some phase."""
    found = []
    for move in range(num_inputs):
        kinds = [0]
        if any(each.takes[move] != NO for each in gates):
            kinds += [kind + TAKES for kind in kinds]
        if any(each.exposed[move] != NO for each in gates):
            kinds += [kind + EXPOSED for kind in kinds]
        parts = [1 << kind for kind in kinds] if len(kinds) > 1 else [ALL_KINDS]
        parts[0] |= ALL_KINDS & ~sum(parts)  # kinds that never occur
        found += [DividedMove(move, part) for part in sorted(parts)]
    return found


def _without_rare(moves: Sequence[DividedMove], circuit: Circuit) -> list[DividedMove]:
    """Add the kinds that a move rarely has in random play to its most frequent kind.

    Args:
        circuit: The game with these moves as inputs.
    """
    counts = np.zeros(len(moves), np.int64)
    for step in random_play(circuit, SEED):
        counts += np.bincount(step.legal, minlength=len(moves))
    parts: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for part, count in zip(moves, counts.tolist(), strict=True):
        parts[part.move].append((count, part.kinds))
    found = []
    for move, of_move in parts.items():
        total, (_, most) = sum(count for count, _ in of_move), max(of_move)
        kept = [kinds for count, kinds in of_move if count > RARE * total and kinds != most]
        kept.append(ALL_KINDS & ~sum(kept))
        found += [DividedMove(move, kinds) for kinds in sorted(kept)]
    return found

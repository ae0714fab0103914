"""Decisive moves: a variant of a game for roles that see who can win at once.

If one role moves at a time, "this move wins" is a function of the state: `terminal` and the goals
of the next state after the move. A move is *decisive* if it ends the game with 100 for the role
that makes it and 0 for all others. Any other move is *safe* if the next role to move has no
decisive move after it. For the `random` role no move is decisive, and all are safe.

The result is a circuit of the same game that ends as soon as the result is foreseen: when the role
to move has a decisive move, or has no safe move. In all other states only the safe moves are legal.

Teytaud and Teytaud, On the Huge Benefit of Decisive Moves in Monte-Carlo Tree Search Algorithms,
2010.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from gdl.circuit.and_gates import contents
from gdl.circuit.circuit import Circuit, derived, unpack
from gdl.circuit.lanes.expander.expander import Simulator
from gdl.circuit.netlist import NO, IntArray, Netlist
from gdl.circuit.passes.cone import drop_unused
from gdl.circuit.passes.factor import factor
from gdl.circuit.passes.rewrite import flatten
from gdl.circuit.passes.split import split
from gdl.circuit.schedule import schedule
from gdl.rulesheet import Rulesheet
from gdl.structure.phase_moves import PhaseMoves, TooLargeError, mover_of, moves_of_phase

WIN = 100
MAX_GATES = 40_000  # gates of the variant, in all phases together

# Packages of `gdl` that determine the result.
_SHAPED_BY = ("circuit", "ground", "rulesheet", "structure")


@dataclass(frozen=True, eq=False)
class Decisive:
    """Variant of a game for roles that see who can win at once."""

    simulator: Simulator  # plays the variant; it has the bases and inputs of the original circuit
    movers: tuple[int, ...]  # [P] the role that moves in each phase


@dataclass(eq=False)
class _Phase(PhaseMoves):
    """A phase of the game, with the literals computed for it so far."""

    wins: list[int] = field(default_factory=list)  # for each of `inputs`: is it legal and decisive?
    safe: list[int] = field(default_factory=list)  # for each of `inputs`: is it legal and safe?


def decisive(circuit: Circuit, rulesheet: Rulesheet | None = None) -> Decisive | None:
    """Return the variant of the game for roles that see who can win at once.

    Return None if no role can ever win with its next move, if several roles move at once, or if the
    variant needs too many gates.
    """
    data = packed_decisive(circuit, rulesheet)
    return None if data is None else decisive_in(data, circuit)


def packed_decisive(circuit: Circuit, rulesheet: Rulesheet | None = None) -> bytes | None:
    """Return the decisive variant as bytes for `decisive_in`, or None in the same cases."""
    if None in _movers(circuit):
        return None
    return derived("decisive", _SHAPED_BY, rulesheet, lambda: make_decisive(circuit))


def decisive_in(data: bytes, circuit: Circuit) -> Decisive:
    """Unpack the decisive variant of a game from bytes made by `packed_decisive`."""
    movers = tuple(mover for mover in _movers(circuit) if mover is not None)
    return Decisive(Simulator(unpack(data)), movers)


def make_decisive(circuit: Circuit) -> Circuit | None:
    """Return the circuit of the decisive variant, or None if `decisive` returns None."""
    try:
        phases = [_Phase(**vars(moves_of_phase(phase.netlist))) for phase in circuit.phases]
        following = [*phases[1:], phases[0]]
        for phase, after in zip(phases, following, strict=True):
            _find_wins(phase, after)
        if all(literal == NO for phase in phases for literal in phase.wins):
            return None
        wins = [phase.any_of(phase.wins) for phase in phases]
        gates = [contents(phase.table) for phase in phases]
        for number, (phase, after) in enumerate(zip(phases, following, strict=True)):
            next_number = (number + 1) % len(phases)
            _find_safe(phase, after, wins[next_number], gates[next_number])
        netlists = [
            _decided(phase, after.mover) for phase, after in zip(phases, following, strict=True)
        ]
    except TooLargeError:
        return None
    if sum(netlist.num_gates for netlist in netlists) > MAX_GATES:
        return None
    return Circuit(circuit.netlist, tuple(schedule(netlist) for netlist in netlists))


def _movers(circuit: Circuit) -> list[int | None]:
    return [mover_of(phase.netlist) for phase in circuit.phases]


def _find_wins(phase: _Phase, after: _Phase) -> None:
    netlist = after.netlist
    if phase.is_chance:
        phase.wins = [NO] * len(phase.inputs)
        return
    wanted = [netlist.terminal]
    for role in range(len(netlist.roles)):
        value = WIN if role == phase.mover else 0
        goals = [lit for who, what, lit in netlist.goals if (who, what) == (role, value)]
        wanted += goals or [NO]
    each = phase.after_each(netlist.offsets, netlist.literals, np.array(wanted, np.int32))
    phase.wins = [
        phase.all_of([allowed, *found.tolist()])
        for allowed, found in zip(phase.legal, each, strict=True)
    ]


def _find_safe(
    phase: _Phase, after: _Phase, any_wins: int, gates: tuple[IntArray, IntArray]
) -> None:
    if after.mover == phase.mover or phase.is_chance:
        phase.safe = phase.legal
        return
    wanted = np.array([any_wins, after.one(after.netlist.terminal)], np.int32)
    each = phase.after_each(*gates, wanted)
    phase.safe = [
        phase.all_of([allowed, phase.all_of([int(wins), int(ends) ^ 1]) ^ 1])
        for allowed, (wins, ends) in zip(phase.legal, each, strict=True)
    ]


def _decided(phase: _Phase, follower: int) -> Netlist:
    netlist = phase.netlist
    wins = phase.any_of(phase.wins)
    loses = phase.all_of([phase.any_of(phase.legal), phase.any_of(phase.safe) ^ 1, wins ^ 1])
    terminal = phase.one(netlist.terminal)
    foreseen = phase.all_of([terminal ^ 1, phase.any_of([wins, loses])])
    who_wins = {phase.mover: phase.all_of([foreseen, wins])}
    if follower != phase.mover:  # if a role moves twice in a row, all its moves are safe
        who_wins[follower] = phase.all_of([foreseen, loses])

    def goal(role: int, value: int, literal: int) -> int:
        at_end = phase.all_of([phase.one(literal), foreseen ^ 1])
        return phase.any_of([at_end, who_wins.get(role, NO)]) if value == WIN else at_end

    legal = phase.renamed(netlist.legal)
    legal[phase.inputs] = phase.safe
    decided = replace(
        netlist,
        next=phase.renamed(netlist.next),
        legal=legal,
        terminal=phase.any_of([terminal, foreseen]),
        goals=tuple((role, value, goal(role, value, lit)) for role, value, lit in netlist.goals),
        sees=(),
    )
    offsets, literals = contents(phase.table)
    small = flatten(drop_unused(replace(decided, offsets=offsets, literals=literals)))
    if small.num_gates > MAX_GATES:
        raise TooLargeError
    return split(factor(small))

"""Gates on what no move of many does, expressed by the few other moves.

Most of what holds goes on holding unless it is touched, and rules say so move by move:

    stays(cell, piece) = stands(cell, piece) & or over all moves to other cells: does(move)

A role makes at most one move, so one of many moves is made if a move is made and it is none of the
others. In skirmish and breakthrough this is most of what follows a move.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

import numpy as np

from gdl.circuit.netlist import NO, Netlist
from gdl.circuit.passes.cone import drop_unused
from gdl.circuit.passes.rewrite import rename_outputs, replaced, rewrite

FEWEST = 8  # literals that a gate must lose


def complement_moves(netlist: Netlist) -> Netlist:
    """The netlist whose gates name no more than half of a role's moves, where that is smaller.

    It means the same wherever each role makes at most one move, which is legal in some state.
    """
    rewriting = _Rewriting(netlist)
    is_move = (netlist.literals & 1 == 1) & (netlist.literals >> 1 >= netlist.first_input)
    is_move &= netlist.literals >> 1 < netlist.first_feedback
    num_moves = np.diff(np.concatenate([[0], np.cumsum(is_move)])[netlist.offsets])
    least = min((len(moves) for moves in rewriting.moves if len(moves) > 1), default=0) // 2
    wide = np.flatnonzero(num_moves > max(FEWEST, least))
    gates = {gate: rewriting.shorter(gate) for gate in wide.tolist()}
    if not rewriting.gates:
        return netlist
    return drop_unused(rewrite(_rewritten(netlist, gates, rewriting.gates)))


class _Rewriting:
    """The gates that say that a move was made, and that it was none of some."""

    def __init__(self, netlist: Netlist) -> None:
        self.gates: list[list[int]] = []  # they stand before those of the netlist
        self._netlist = netlist
        self._known: dict[tuple[int, ...], int] = {}
        self.moves = [
            {2 * (netlist.first_input + i) for i in range(first, last) if netlist.legal[i] != NO}
            for first, last in pairwise(netlist.role_starts.tolist())
        ]

    def shorter(self, gate: int) -> tuple[set[int], list[int]]:
        start, stop = self._netlist.offsets[gate : gate + 2]
        literals = set(self._netlist.literals[start:stop].tolist())
        added = []
        for moves in self.moves:
            named = {move for move in moves if move + 1 in literals}
            others = moves - named
            if len(named) >= len(others) + FEWEST:
                literals -= {move + 1 for move in named}
                made = self._all_of(move + 1 for move in moves) ^ 1
                added.append(self._all_of([made, *(move + 1 for move in others)]) ^ 1)
        return literals, added

    def _all_of(self, literals: Iterable[int]) -> int:
        key = tuple(sorted(literals))
        if len(key) == 1:
            return key[0]
        if key not in self._known:
            self._known[key] = 2 * (self._netlist.first_gate + len(self.gates))
            self.gates.append(list(key))
        return self._known[key]


def _rewritten(
    netlist: Netlist,
    changed: dict[int, tuple[set[int], list[int]]],
    new_gates: list[list[int]],
) -> Netlist:
    mapping = 2 * np.arange(netlist.first_gate + netlist.num_gates, dtype=np.int32)
    mapping[netlist.first_gate :] += 2 * len(new_gates)
    literals = mapping[netlist.literals >> 1] ^ (netlist.literals & 1)
    named = {
        gate: [*(int(mapping[literal >> 1]) ^ (literal & 1) for literal in old), *new]
        for gate, (old, new) in changed.items()
    }
    offsets, literals = replaced(netlist.offsets, literals, named)
    ends = np.cumsum([0, *map(len, new_gates)])
    added = np.array([literal for gate in new_gates for literal in gate], np.int32)
    return replace(
        rename_outputs(netlist, mapping),
        offsets=np.concatenate([ends[:-1], ends[-1] + offsets]).astype(np.int32),
        literals=np.concatenate([added, literals]).astype(np.int32),
    )

"""The legal moves of a match's states, also where there are too many to list."""

from __future__ import annotations

from typing import Final

import gdl

MOST_LISTED: Final = 50_000
"""The interpreter finds so many in about a second; a search could not look at all of them."""


class LegalMoves:
    """The legal moves by one machine; once there were too many, one of them is enough.

    Attributes:
        are_listed: Whether all of them are told.
    """

    def __init__(self, machine: gdl.StateMachine) -> None:
        self.are_listed = True
        self._machine = machine

    def first(self, state: gdl.State, role: gdl.Role) -> tuple[gdl.Move, ...]:
        """One of a role's, in little time; none if it has none, or all are listed as fast."""
        if not isinstance(self._machine, gdl.Interpreter):
            return ()
        return self._machine.some_legal_moves(state, role, 1)

    def of(self, state: gdl.State, role: gdl.Role) -> tuple[gdl.Move, ...]:
        """Those of a role; the first that is found, if there are too many."""
        machine = self._machine
        if not isinstance(machine, gdl.Interpreter):
            return machine.legal_moves(state, role)
        if self.are_listed:
            moves = machine.some_legal_moves(state, role, MOST_LISTED + 1)
            if len(moves) <= MOST_LISTED:
                return moves
            self.are_listed = False
        return self.first(state, role)

    def allows(self, state: gdl.State, role: gdl.Role, move: gdl.Move) -> bool:
        """Whether a move is legal."""
        moves, machine = self.of(state, role), self._machine
        if self.are_listed or not isinstance(machine, gdl.Interpreter):
            return move in moves
        return machine.is_legal(state, role, move)

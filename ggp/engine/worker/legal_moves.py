"""The legal moves in the states of a match, even if there are too many to list."""

from __future__ import annotations

from typing import Final

import gdl

MAX_LISTED: Final = 50_000
"""Maximum number of legal moves to list. The interpreter finds this many in about a second, and no
search could try them all.
"""


class LegalMoves:
    """A finder of legal moves. After a state with too many, it finds only one move per role.

    Attributes:
        are_listed: Whether all legal moves are listed. False after a state with too many.
    """

    def __init__(self, machine: gdl.StateMachine) -> None:
        self.are_listed = True
        self._machine = machine

    def first(self, state: gdl.State, role: gdl.Role) -> tuple[gdl.Move, ...]:
        """Return one legal move quickly.

        Return an empty tuple if the role has none, or if listing all its moves is as fast.
        """
        if not isinstance(self._machine, gdl.Interpreter):
            return ()
        return self._machine.some_legal_moves(state, role, 1)

    def of(self, state: gdl.State, role: gdl.Role) -> tuple[gdl.Move, ...]:
        """Return a role's legal moves, or only the first one found if there are too many."""
        machine = self._machine
        if not isinstance(machine, gdl.Interpreter):
            return machine.legal_moves(state, role)
        if self.are_listed:
            moves = machine.some_legal_moves(state, role, MAX_LISTED + 1)
            if len(moves) <= MAX_LISTED:
                return moves
            self.are_listed = False
        return self.first(state, role)

    def allows(self, state: gdl.State, role: gdl.Role, move: gdl.Move) -> bool:
        """Return whether a move is legal."""
        moves, machine = self.of(state, role), self._machine
        if self.are_listed or not isinstance(machine, gdl.Interpreter):
            return move in moves
        return machine.is_legal(state, role, move)

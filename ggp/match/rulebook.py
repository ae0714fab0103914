"""The rules as a referee needs them: a position, and the one after a joint move.

The rules may be read in this process (`MachineRulebook`) or, if nobody vouches for them, in another
one that can be killed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import gdl
from ggp.match.errors import PositionSizeError


@dataclass(frozen=True, slots=True)
class Position:
    """A state as people at the table see it. Terms are single-spaced KIF, rows in role order."""

    facts: tuple[str, ...]
    is_terminal: bool
    legal: tuple[tuple[str, ...], ...] = ()
    """The legal moves of each role; empty where the game is over."""
    goals: tuple[int | None, ...] = ()
    """Of each role, None where the rules give none; empty where the game goes on."""
    percepts: tuple[tuple[str, ...], ...] = ()
    """Each role's percepts of the move that led here; empty in games of complete information."""


class Rulebook(Protocol):
    """The rules of one match.

    Methods raise `GdlError` or `GgpError` if the rules cannot be evaluated.
    """

    @property
    def roles(self) -> tuple[str, ...]:
        """All roles, in the order of the rules."""
        ...

    @property
    def has_percepts(self) -> bool:
        """Whether roles see only what the rules let them see (GDL-II)."""
        ...

    async def first(self) -> Position:
        """The initial position."""
        ...

    async def after(self, facts: Sequence[str], moves: Sequence[str]) -> Position:
        """The position after a joint move, one legal move a role, in the state of these facts."""
        ...

    async def at(self, facts: Sequence[str]) -> Position:
        """The position of a state, without percepts."""
        ...


class MachineRulebook:
    """The rules as a machine in this process knows them."""

    def __init__(
        self,
        machine: gdl.StateMachine,
        *,
        has_percepts: bool = False,
        max_bytes: int | None = None,
    ) -> None:
        """Take a machine.

        Args:
            machine: It knows the rules.
            has_percepts: Whether roles see only what the rules let them see (GDL-II).
            max_bytes: Of the facts of a state, of all legal moves in it, and of what is seen of a
                move; None for no limit.
        """
        self._machine = machine
        self._max_bytes = max_bytes
        self.has_percepts = has_percepts
        self.roles = tuple(role.name for role in machine.roles)
        self._last: tuple[tuple[str, ...], gdl.State] | None = None

    async def first(self) -> Position:
        """The initial position."""
        return self._position(self._machine.initial_state())

    async def after(self, facts: Sequence[str], moves: Sequence[str]) -> Position:
        """The position after a joint move."""
        state = self._state_of(facts)
        joint = [self._move(state, index, move) for index, move in enumerate(moves)]
        percepts = tuple(
            tuple(str(seen) for seen in self._machine.percepts(state, joint, role))
            for role in self._machine.roles
            if self.has_percepts
        )
        return self._position(self._machine.next_state(state, joint), percepts)

    async def at(self, facts: Sequence[str]) -> Position:
        """The position of a state."""
        return self._position(self._state_of(facts))

    def _state_of(self, facts: Sequence[str]) -> gdl.State:
        # Nearly always the state that was asked for last.
        if self._last is not None and self._last[0] == tuple(facts):
            return self._last[1]
        return self._machine.state_of(gdl.read_term(fact) for fact in facts)

    def _move(self, state: gdl.State, index: int, text: str) -> gdl.Move:
        for move in self._machine.legal_moves(state, self._machine.roles[index]):
            if str(move) == text:
                return move
        raise gdl.IllegalMoveError(f"{text} is not legal for {self.roles[index]}")

    def _position(self, state: gdl.State, percepts: tuple[tuple[str, ...], ...] = ()) -> Position:
        machine = self._machine
        facts = tuple(str(fact) for fact in machine.facts(state))
        self._check_size("state", facts)
        self._check_size("percepts", (seen for row in percepts for seen in row))
        self._last = facts, state
        if not machine.is_terminal(state):
            legal = tuple(
                tuple(str(move) for move in machine.legal_moves(state, role))
                for role in machine.roles
            )
            self._check_size("legal moves", (move for moves in legal for move in moves))
            return Position(facts, False, legal=legal, percepts=percepts)
        goals = tuple(
            machine.goal(state, role) if machine.goals(state, role) else None
            for role in machine.roles
        )
        return Position(facts, True, goals=goals, percepts=percepts)

    def _check_size(self, what: str, terms: Iterable[str]) -> None:
        if self._max_bytes is not None:
            num_bytes = sum(map(len, terms))
            if num_bytes > self._max_bytes:
                raise PositionSizeError(what, num_bytes, self._max_bytes)

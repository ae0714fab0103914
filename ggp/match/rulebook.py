"""The rules as a referee uses them: positions, and their successors after a joint move.

The rules may be read in this process (`MachineRulebook`) or, if they are untrusted, in a process
that can be killed. `sample_positions` plays random games to find facts that the initial position
lacks. For example, discs appear later in `connectFour`, and some games list empty cells only after
a piece has moved there.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import gdl
from ggp.clock import Deadline
from ggp.match.errors import PositionSizeError


@dataclass(frozen=True, slots=True)
class Position:
    """A state as the players see it. Terms are KIF with single spaces, rows are in role order."""

    facts: tuple[str, ...]
    is_terminal: bool
    legal: tuple[tuple[str, ...], ...] = ()
    """The legal moves of each role. Empty if the game is over."""
    goals: tuple[int | None, ...] = ()
    """The goal of each role, or None if the rules give none. Empty if the game is not over."""
    percepts: tuple[tuple[str, ...], ...] = ()
    """Each role's percepts of the move that led here. Empty in games of complete information."""


class Rulebook(Protocol):
    """The rules of one match.

    Methods raise `GdlError` or `GgpError` if the rules cannot be evaluated.
    """

    @property
    def roles(self) -> tuple[str, ...]:
        """All roles, in the order of the rules."""

    @property
    def has_percepts(self) -> bool:
        """Whether roles see only what the rules show them, as in GDL-II."""

    async def first(self) -> Position:
        """Return the initial position."""

    async def after(self, facts: Sequence[str], moves: Sequence[str]) -> Position:
        """Return the position after legal `moves` in the state that has these `facts`."""

    async def at(self, facts: Sequence[str]) -> Position:
        """Return the position of the state with the given facts, without percepts."""


class MachineRulebook:
    """A rulebook that asks a state machine in this process."""

    def __init__(
        self,
        machine: gdl.StateMachine,
        *,
        has_percepts: bool = False,
        max_bytes: int | None = None,
    ) -> None:
        """Use `machine` as the rules.

        Args:
            has_percepts: Whether roles see only what the rules show them, as in GDL-II.
            max_bytes: Size limit for each of these: the facts of a state, all its legal moves, the
                percepts of a move. If None, there is no limit.
        """
        self._machine = machine
        self._max_bytes = max_bytes
        self.has_percepts = has_percepts
        self.roles = tuple(role.name for role in machine.roles)
        self._last: tuple[tuple[str, ...], gdl.State] | None = None

    async def first(self) -> Position:
        """Return the initial position."""
        return self._position(self._machine.initial_state())

    async def after(self, facts: Sequence[str], moves: Sequence[str]) -> Position:
        """Return the position after a joint move."""
        state = self._state_of(facts)
        joint = [self._move(state, index, move) for index, move in enumerate(moves)]
        percepts = tuple(
            tuple(str(seen) for seen in self._machine.percepts(state, joint, role))
            for role in self._machine.roles
            if self.has_percepts
        )
        return self._position(self._machine.next_state(state, joint), percepts)

    async def at(self, facts: Sequence[str]) -> Position:
        """Return the position of the state with the given facts."""
        return self._position(self._state_of(facts))

    def _state_of(self, facts: Sequence[str]) -> gdl.State:
        # This is nearly always the last state returned.
        if self._last is not None and self._last[0] == tuple(facts):
            return self._last[1]
        return self._machine.state_of(map(_term, facts))

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


MAX_KNOWN = 100
"""Maximum length of a fact in the cache, in characters."""


def _term(fact: str) -> gdl.Term:
    # Parsing a term takes a hundred times as long as a cache lookup, and states share their facts.
    return _short_term(fact) if len(fact) <= MAX_KNOWN else gdl.read_term(fact)


@lru_cache(maxsize=1 << 14)
def _short_term(fact: str) -> gdl.Term:
    return gdl.read_term(fact)


class FollowedRulebook:
    """A rulebook that stores the position that the referee requested last.

    Attributes:
        position: The last requested position. Before the first request, a position without facts.
    """

    def __init__(self, book: Rulebook) -> None:
        self._book = book
        self.roles = book.roles
        self.has_percepts = book.has_percepts
        self.position = Position((), is_terminal=False)

    async def first(self) -> Position:
        """Return the initial position."""
        self.position = await self._book.first()
        return self.position

    async def after(self, facts: Sequence[str], moves: Sequence[str]) -> Position:
        """Return the position after a joint move."""
        self.position = await self._book.after(facts, moves)
        return self.position

    async def at(self, facts: Sequence[str]) -> Position:
        """Return the position of the state with the given facts."""
        self.position = await self._book.at(facts)
        return self.position

    def legal(self, role: str) -> tuple[str, ...]:
        """Return the legal moves of a role in the current position. Empty if the match is over."""
        legal = self.position.legal
        return legal[self.roles.index(role)] if legal else ()


MAX_POSITIONS = 160
SECONDS = 2.0


async def sample_positions(
    book: Rulebook, max_positions: int = MAX_POSITIONS, seconds: float = SECONDS
) -> list[Sequence[str]]:
    """Return the facts of positions in random games, the initial position first.

    Equal arguments give the same positions, unless time runs out.

    Args:
        seconds: Time after which to return the positions found so far.

    Raises:
        GdlError: The rules cannot be evaluated.
        GgpError: The rules cannot be evaluated in their separate process.
    """
    rng, deadline = random.Random(0), Deadline.after(seconds)
    first = position = await book.first()
    seen: list[Sequence[str]] = [first.facts]
    while len(seen) < max_positions and not deadline.is_over():
        if position.is_terminal or not all(position.legal):
            if position is first:
                break
            position = first
            continue
        position = await _after(book, position, rng)
        seen.append(position.facts)
    return seen


async def played(book: Rulebook, turns: int) -> tuple[Sequence[str], Sequence[str] | None]:
    """Play a random game. Return the facts of its last position, and of the position before that.

    If there is no position before it, return None in its place.

    Args:
        turns: Number of turns to play. If the game is shorter, stop before its final position.

    Raises:
        GdlError: The rules cannot be evaluated.
    """
    rng = random.Random(0)
    position = await book.first()
    before = None
    for _ in range(turns):
        if position.is_terminal or not all(position.legal):
            break
        following = await _after(book, position, rng)
        if following.is_terminal:
            break
        before, position = position.facts, following
    return position.facts, before


async def _after(book: Rulebook, position: Position, rng: random.Random) -> Position:
    moves = [rng.choice(legal) for legal in position.legal]
    await asyncio.sleep(0)  # rules read in this process would otherwise block all other tasks
    return await book.after(position.facts, moves)

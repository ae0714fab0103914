"""The rules as a referee needs them: a position, and the one after a joint move.

The rules may be read in this process (`MachineRulebook`) or, if they are untrusted, in another one
that can be killed. Samples of positions show what a first position does not: discs come later in
`connectFour`, and rows whose cells hold nothing are seen when somebody goes there.
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

    @property
    def has_percepts(self) -> bool:
        """Whether roles see only what the rules let them see (GDL-II)."""

    async def first(self) -> Position:
        """The initial position."""

    async def after(self, facts: Sequence[str], moves: Sequence[str]) -> Position:
        """The position after a joint move, one legal move a role, in the state of these facts."""

    async def at(self, facts: Sequence[str]) -> Position:
        """The position of a state, without percepts."""


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
"""Letters of a fact that is worth remembering."""


def _term(fact: str) -> gdl.Term:
    # To read a term takes a hundred times as long as to know it, and states share their facts.
    return _short_term(fact) if len(fact) <= MAX_KNOWN else gdl.read_term(fact)


@lru_cache(maxsize=1 << 14)
def _short_term(fact: str) -> gdl.Term:
    return gdl.read_term(fact)


class FollowedRulebook:
    """The rulebook of one match; whatever position the referee asks for is where the match stands.

    Attributes:
        position: The one that was asked for last; an empty one before the match begins.
    """

    def __init__(self, book: Rulebook) -> None:
        self._book = book
        self.roles = book.roles
        self.has_percepts = book.has_percepts
        self.position = Position((), is_terminal=False)

    async def first(self) -> Position:
        """The initial position."""
        self.position = await self._book.first()
        return self.position

    async def after(self, facts: Sequence[str], moves: Sequence[str]) -> Position:
        """The position after a joint move."""
        self.position = await self._book.after(facts, moves)
        return self.position

    async def at(self, facts: Sequence[str]) -> Position:
        """The position of a state."""
        self.position = await self._book.at(facts)
        return self.position

    def legal(self, role: str) -> tuple[str, ...]:
        """The moves that a role has where the match stands; none where it is over."""
        legal = self.position.legal
        return legal[self.roles.index(role)] if legal else ()


MAX_POSITIONS = 160
SECONDS = 2.0


async def sample_positions(
    book: Rulebook, max_positions: int = MAX_POSITIONS, seconds: float = SECONDS
) -> list[Sequence[str]]:
    """Facts of positions in random games, the initial one first; the same each time it is asked.

    Args:
        seconds: After which those seen must do.

    Raises:
        GdlError: The rules cannot be evaluated.
        GgpError: Likewise, in a process of their own.
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
    """Facts of a position in a random game, and those of the one before it, if there is one.

    Args:
        turns: After how many; of a shorter game it is the last position before the end.

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
    await asyncio.sleep(0)  # rules in this process would not let anybody else have a turn
    return await book.after(position.facts, moves)

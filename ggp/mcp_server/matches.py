"""Matches that clients play: positions, moves, and what each role has been told."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Mapping

from ggp.clock import milliseconds_since_1970
from ggp.match.rulebook import Position
from ggp.mcp_server.bounds import MAX_TURNS, ServerBounds
from ggp.mcp_server.known_rules import KnownRules
from ggp.mcp_server.refusals import Code, RefusalError, refusing
from ggp.records.record import MatchRecord
from ggp.sandbox.match_questions import SeenTurn


class HeldMatch:
    """A match. A caller that changes it must hold its `turn_lock`.

    Attributes:
        positions: The initial position, and the position after each joint move.
        moves: The joint moves, in role order.
        chosen: Moves chosen for this turn, by role index, until the other roles have chosen.
        num_told: Number of turns that each role has been told about, if the game hides information.
            A role learns of past turns when it is to move, and of all turns when the game is over.
            So no role learns whether another role has a choice.
    """

    def __init__(self, rules: KnownRules, name: str, seed: int | None) -> None:
        self.rules = rules
        self.name = name
        self.positions: list[Position] = [rules.first]
        self.moves: list[tuple[str, ...]] = []
        self.chosen: dict[int, str] = {}
        self.num_told = dict.fromkeys(rules.played, 0)
        self.used = time.monotonic()
        self.turn_lock = asyncio.Lock()
        self._rng = random.Random(seed)
        self._began = milliseconds_since_1970()
        self._num_bytes = _size(rules.first)

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    @property
    def turn(self) -> int:
        """Number of the turn to be played, from 1."""
        return len(self.moves) + 1

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.position.is_terminal

    @property
    def to_move(self) -> tuple[str, ...]:
        """The roles that have a choice, except `random`."""
        rules, legal = self.rules, self.position.legal
        return tuple(
            role for role in rules.played if legal and len(legal[rules.roles.index(role)]) > 1
        )

    @property
    def waiting_for(self) -> tuple[str, ...]:
        """The roles that must still choose a move in this turn."""
        return tuple(
            role for role in self.to_move if self.rules.roles.index(role) not in self.chosen
        )

    @property
    def goals(self) -> dict[str, int | None]:
        """Goals of the roles except `random`. Empty before the end."""
        rows = zip(self.rules.roles, self.position.goals, strict=False)
        return {role: goal for role, goal in rows if role in self.rules.played}

    def legal(self, role: str) -> tuple[str, ...]:
        """Return the legal moves of a role. Return none if the game is over."""
        legal = self.position.legal
        return legal[self.rules.roles.index(role)] if legal else ()

    async def play(self, choices: Mapping[str, str], bounds: ServerBounds) -> bool:
        """Accept moves of some roles. When all roles have chosen, make the joint move.

        Return whether the joint move was made.

        Raises:
            RefusalError: The match has become too long, or the rules leave a role without a move.
        """
        roles = self.rules.roles
        chosen = {**self.chosen, **{roles.index(role): move for role, move in choices.items()}}
        if any(roles.index(role) not in chosen for role in self.to_move):
            self.chosen = chosen
            return False
        await self._move(chosen, bounds)
        if self.rules.has_percepts:
            await self.play_forced(bounds)
        return True

    async def play_forced(self, bounds: ServerBounds) -> None:
        """Play turns until some role except `random` has a choice or the game is over.

        Raises:
            RefusalError: For the same reasons as in `play`.
        """
        while not self.is_over and not self.to_move:
            await self._move({}, bounds)

    async def _move(self, chosen: Mapping[int, str], bounds: ServerBounds) -> None:
        roles, legal = self.rules.roles, self.position.legal
        stuck = [role for role, moves in zip(roles, legal, strict=True) if not moves]
        if stuck:
            raise RefusalError(
                Code.RULES,
                f"the rules give {stuck[0]} no legal move in turn {self.turn}",
                "Correct the rules: each role needs a legal move in each state that is not "
                "terminal. Call undo to go back.",
            )
        joint = tuple(
            chosen.get(index) or (moves[0] if len(moves) == 1 else self._rng.choice(moves))
            for index, moves in enumerate(legal)
        )
        with refusing(Code.RULES, "Correct the rules or make them smaller. Call undo to go back."):
            after = await self.rules.book.after(self.position.facts, joint)
        num_bytes = self._num_bytes + _size(after)
        if len(self.moves) >= MAX_TURNS or num_bytes > bounds.max_match_bytes:
            raise RefusalError(
                Code.LIMIT,
                f"the match has become too long after {len(self.moves)} turns",
                "Call undo, or start another match. Rules should end a game after some turns.",
            )
        self._num_bytes = num_bytes
        self.chosen = {}
        self.positions.append(after)
        self.moves.append(joint)
        told = self.rules.played if self.is_over else self.to_move
        self.num_told |= dict.fromkeys(told, len(self.moves))

    def joint(self, choices: Mapping[str, str]) -> tuple[str, ...]:
        """Return the joint move with the given choices. Other roles make their only legal move.

        Raises:
            RefusalError: A role without a given choice has several legal moves.
        """
        missing = [role for role in self.rules.roles if len(self.legal(role)) > 1]
        missing = [role for role in missing if role not in choices]
        if missing:
            raise RefusalError(
                Code.ARGUMENT,
                f"moves: expected a move for {', '.join(missing)}, got none",
                "Give a move for each role that has several legal moves.",
            )
        return tuple(choices.get(role) or self.legal(role)[0] for role in self.rules.roles)

    def undo(self, turns: int) -> None:
        """Take back joint moves, and discard moves chosen since the last of them."""
        kept = len(self.moves) - turns
        self._num_bytes -= sum(map(_size, self.positions[kept + 1 :]))
        del self.positions[kept + 1 :]
        del self.moves[kept:]
        self.chosen = {}

    def seen_by(self, role: str) -> list[SeenTurn]:
        """Return a role's moves and percepts in each turn that it has been told about."""
        own, num = self.rules.roles.index(role), self.num_told[role]
        return [
            (joint[own], after.percepts[own])
            for joint, after in zip(self.moves[:num], self.positions[1 : num + 1], strict=True)
        ]

    def record(self) -> MatchRecord:
        """Return the match as a record in the form of GGP-Base."""
        none = [""] * len(self.rules.roles)
        record = MatchRecord(
            match_id=f"mcp.{self.rules.name}.{self._began}",
            start_time=self._began,
            startclock=0,
            playclock=0,
        ).after_start(self.positions[0].facts, none, self._began)
        for joint, after in zip(self.moves, self.positions[1:], strict=True):
            record = record.after_turn(joint, after.facts, none, self._began)
        goals = [goal for goal in self.position.goals if goal is not None]
        is_whole = self.is_over and len(goals) == len(self.rules.roles)
        return record.completed(goals) if is_whole else record


def _size(position: Position) -> int:
    rows = (position.facts, *position.legal, *position.percepts)
    return sum(map(len, (term for row in rows for term in row)))

"""Matches that clients play: where each stands, what was chosen, and who may see what of it."""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ggp.clock import milliseconds_since_1970
from ggp.match.rulebook import Position
from ggp.mcp_server.bounds import MAX_TURNS, ServerBounds
from ggp.mcp_server.known_rules import KnownRules
from ggp.mcp_server.refusals import Code, RefusalError, refusing
from ggp.records.record import MatchRecord
from ggp.sandbox.match_questions import SeenTurn

GivenMoves = Mapping[str, str] | Sequence[str] | str | None
"""Texts by role, one for each role in their order, one of the role to move, or none."""


class Match:
    """A match. Whoever changes it holds its `turn_lock`.

    Attributes:
        positions: From the initial one on; one more than joint moves.
        moves: The joint moves, in role order.
        chosen: Moves of the roles, by index, that wait for those of others in this turn.
    """

    def __init__(self, rules: KnownRules, name: str, seed: int | None) -> None:
        self.rules = rules
        self.name = name
        self.positions: list[Position] = [rules.first]
        self.moves: list[tuple[str, ...]] = []
        self.chosen: dict[int, str] = {}
        self.used = time.monotonic()
        self.turn_lock = asyncio.Lock()
        self._rng = random.Random(seed)
        self._began = milliseconds_since_1970()
        self._num_bytes = _size(rules.first)

    @property
    def position(self) -> Position:
        """The present position."""
        return self.positions[-1]

    @property
    def turn(self) -> int:
        """The number of the turn that is to be played, from 1."""
        return len(self.moves) + 1

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.position.is_terminal

    @property
    def to_move(self) -> tuple[str, ...]:
        """The roles that have a choice, but for `random`."""
        rules, legal = self.rules, self.position.legal
        return tuple(
            role for role in rules.played if legal and len(legal[rules.roles.index(role)]) > 1
        )

    @property
    def waiting_for(self) -> tuple[str, ...]:
        """The roles whose choice is missing in this turn."""
        return tuple(
            role for role in self.to_move if self.rules.roles.index(role) not in self.chosen
        )

    @property
    def goals(self) -> dict[str, int | None]:
        """The goal of each role that is played; none before the end."""
        rows = zip(self.rules.roles, self.position.goals, strict=False)
        return {role: goal for role, goal in rows if role in self.rules.played}

    def legal(self, role: str) -> tuple[str, ...]:
        """The legal moves of a role; none where the game is over."""
        legal = self.position.legal
        return legal[self.rules.roles.index(role)] if legal else ()

    async def play(self, choices: Mapping[str, str], bounds: ServerBounds) -> bool:
        """Take legal moves of roles; whether a joint move was made, since all have chosen.

        Raises:
            RefusalError: The match has become too long, or the rules leave a role without a move.
        """
        roles, legal = self.rules.roles, self.position.legal
        stuck = [role for role, moves in zip(roles, legal, strict=True) if not moves]
        if stuck:
            raise RefusalError(
                Code.RULES,
                f"the rules give {stuck[0]} no legal move in turn {self.turn}",
                "Correct the rules: each role needs a legal move in each state that is not "
                "terminal. undo goes back.",
            )
        chosen = {**self.chosen, **{roles.index(role): move for role, move in choices.items()}}
        if any(roles.index(role) not in chosen for role in self.to_move):
            self.chosen = chosen
            return False
        joint = tuple(
            chosen.get(index) or (moves[0] if len(moves) == 1 else self._rng.choice(moves))
            for index, moves in enumerate(legal)
        )
        with refusing(Code.RULES, "Correct the rules, or make them smaller; undo goes back."):
            after = await self.rules.book.after(self.position.facts, joint)
        num_bytes = self._num_bytes + _size(after)
        if len(self.moves) >= MAX_TURNS or num_bytes > bounds.max_match_bytes:
            raise RefusalError(
                Code.LIMIT,
                f"the match has become too long after {len(self.moves)} turns",
                "Undo, or begin another match; rules should end a game after some turns.",
            )
        self._num_bytes = num_bytes
        self.chosen = {}
        self.positions.append(after)
        self.moves.append(joint)
        return True

    def joint(self, choices: Mapping[str, str]) -> tuple[str, ...]:
        """The joint move of these choices; who has none makes the only legal move.

        Raises:
            RefusalError: Somebody has several.
        """
        missing = [role for role in self.rules.roles if len(self.legal(role)) > 1]
        missing = [role for role in missing if role not in choices]
        if missing:
            raise RefusalError(
                Code.ARGUMENT,
                f"moves: there is none of {', '.join(missing)}",
                "Give a move of each role that has several.",
            )
        return tuple(choices.get(role) or self.legal(role)[0] for role in self.rules.roles)

    def undo(self, turns: int) -> None:
        """Take joint moves back, and what was chosen since."""
        kept = len(self.moves) - turns
        self._num_bytes -= sum(map(_size, self.positions[kept + 1 :]))
        del self.positions[kept + 1 :]
        del self.moves[kept:]
        self.chosen = {}

    def seen_by(self, role: str) -> list[SeenTurn]:
        """The moves and percepts of a role in each turn."""
        own = self.rules.roles.index(role)
        return [
            (joint[own], after.percepts[own])
            for joint, after in zip(self.moves, self.positions[1:], strict=True)
        ]

    def record(self) -> MatchRecord:
        """The match as GGP-Base records it."""
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


@dataclass(frozen=True, slots=True)
class Seat:
    """A match as a handle gives it: whole or as one of its roles knows it."""

    match: Match
    role: str | None = None

    def acting_role(self, role: str | None) -> str:
        """The role that somebody means who has this handle; the one to move where none is named.

        Raises:
            RefusalError: The match has no such role, the handle is not for it, or several may be
                meant.
        """
        if role is None:
            return self.role or self._only_role()
        roles = self.match.rules.roles
        found = next((one for one in roles if one.casefold() == role.casefold()), None)
        if found is None:
            names = ", ".join(roles)
            raise RefusalError(
                Code.ARGUMENT, f"role: there is no role {role:.100}", f"The roles are {names}."
            )
        if self.role is not None and found != self.role:
            raise RefusalError(
                Code.HIDDEN,
                f"this handle is {self.role}'s; it says nothing of {found}",
                "Roles of this game do not see all of it: each has a handle of its own.",
            )
        return found

    def moves_by_role(self, moves: GivenMoves) -> dict[str, str]:
        """Texts of moves by the role that they are of.

        Raises:
            RefusalError: It is not told by their number.
        """
        if moves is None:
            return {}
        if isinstance(moves, str):
            return {self.acting_role(None): moves}
        if isinstance(moves, Mapping):
            return dict(moves)
        roles = self.match.rules.roles
        if len(moves) != len(roles):
            raise RefusalError(
                Code.ARGUMENT,
                f"moves: expected {len(roles)}, one of each role, got {len(moves)}",
                f"Give them in the order {', '.join(roles)}, or name the roles: "
                f'{{"{roles[0]}": "..."}}.',
            )
        return dict(zip(roles, moves, strict=True))

    def _only_role(self) -> str:
        match = self.match
        waiting = match.waiting_for or match.to_move or match.rules.played[:1]
        if len(waiting) > 1:
            names = ", ".join(waiting)
            cure = "Name one by `role`, or give all by `moves`."
            raise RefusalError(Code.ARGUMENT, f"several roles choose at once: {names}", cure)
        return waiting[0]

    def require_whole(self, what: str) -> None:
        """Refuse who knows the match as one role only, as long as it goes on."""
        if self.role is not None and not self.match.is_over:
            raise RefusalError(
                Code.HIDDEN,
                f"{what} would tell {self.role} what that role does not see",
                "It is there when the game is over.",
            )


class MatchShelf:
    """All matches, by the handles that clients were given."""

    def __init__(self, bounds: ServerBounds) -> None:
        self._bounds = bounds
        self._seats: dict[str, Seat] = {}

    @property
    def rules(self) -> set[KnownRules]:
        """Those of all matches."""
        return {seat.match.rules for seat in self._seats.values()}

    @property
    def all(self) -> set[Match]:
        """All matches."""
        return {seat.match for seat in self._seats.values()}

    def begin(self, rules: KnownRules, seed: int | None) -> dict[str | None, str]:
        """Begin a match: its handles by role, or one for all where everything is seen.

        Raises:
            RefusalError: There are too many.
        """
        matches = self.all
        if len(matches) >= self._bounds.max_matches:
            oldest = min(matches, key=lambda match: match.used)
            if time.monotonic() - oldest.used < self._bounds.spare_seconds:
                raise RefusalError(
                    Code.LIMIT,
                    f"{len(matches)} matches go on, and all are played",
                    "Try again in a minute; what nobody plays gives way.",
                )
            self._forget(oldest)
        match = Match(rules, secrets.token_urlsafe(9), seed)
        if not rules.has_percepts:
            handle = f"m-{match.name}"
            self._seats[handle] = Seat(match)
            return {None: handle}
        handles: dict[str | None, str] = {
            role: f"s-{secrets.token_urlsafe(9)}" for role in rules.played
        }
        self._seats |= {handle: Seat(match, role) for role, handle in handles.items()}
        return handles

    def find(self, handle: str) -> Seat:
        """The seat that a handle gives.

        Raises:
            RefusalError: Nothing.
        """
        seat = self._seats.get(handle)
        if seat is None:
            minutes = self._bounds.idle_seconds / 60
            raise RefusalError(
                Code.UNKNOWN,
                f"match: nothing is known of {handle!r:.60}",
                f"new_match gives a handle; a match is forgotten when it was not used for "
                f"{minutes:.0f} minutes.",
            )
        seat.match.used = seat.match.rules.used = time.monotonic()
        return seat

    def forget_idle(self) -> None:
        """Forget the matches that nobody has used for long."""
        late = time.monotonic() - self._bounds.idle_seconds
        for match in self.all:
            if match.used < late:
                self._forget(match)

    def _forget(self, match: Match) -> None:
        for handle in [one for one, seat in self._seats.items() if seat.match is match]:
            del self._seats[handle]

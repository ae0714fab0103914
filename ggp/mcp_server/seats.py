"""Handles of matches. A handle reveals a whole match, or only what one of its roles knows."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ggp.mcp_server.bounds import ServerBounds
from ggp.mcp_server.known_rules import KnownRules
from ggp.mcp_server.matches import HeldMatch
from ggp.mcp_server.refusals import Code, RefusalError

GivenMoves = Mapping[str, str] | Sequence[str] | str | None
"""Move texts by role, one for each role in order, one for the role to move, or none."""
CALL_STATE: Final = "Call state again until `to_move` names it, or the game is over."


@dataclass(frozen=True, slots=True)
class MatchHandle:
    """A match as seen through a handle: the whole match, or what one of its roles knows."""

    match: HeldMatch
    role: str | None = None

    @property
    def turn(self) -> int:
        """Number of the turn to be played, from 1, as far as the handle reveals it."""
        return self.match.turn if self.role is None else self.match.num_told[self.role] + 1

    @property
    def to_move(self) -> tuple[str, ...]:
        """The roles of this handle that have yet to choose a move in this turn."""
        return tuple(role for role in self.match.waiting_for if self.role in {None, role})

    def legal(self, role: str) -> tuple[str, ...]:
        """Return the legal moves of a role. Return none if the handle's role is not to move."""
        return self.match.legal(role) if self.role is None or self.to_move else ()

    def require_choice(self) -> None:
        """Refuse the request if the handle belongs to a role that is not to move."""
        if self.role is not None and not self.to_move:
            raise RefusalError(Code.NOT_NOW, f"{self.role} is not to move now", CALL_STATE)

    def acting_role(self, role: str | None) -> str:
        """Return the role that a request is for: `role`, or the role to move if `role` is None.

        Raises:
            RefusalError: The match has no such role, the handle is not for this role, or several
                roles are to move.
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
                f"this handle belongs to {self.role} and does not show {found}",
                "Roles of this game do not see everything: each has a handle of its own.",
            )
        return found

    def moves_by_role(self, moves: GivenMoves) -> dict[str, str]:
        """Return the move texts by role.

        Raises:
            RefusalError: The number of texts differs from the number of roles.
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
                f"moves: expected {len(roles)}, one for each role, got {len(moves)}",
                f"Give them in the order {', '.join(roles)}, or name the roles: "
                f'{{"{roles[0]}": "..."}}.',
            )
        return dict(zip(roles, moves, strict=True))

    def _only_role(self) -> str:
        match = self.match
        waiting = match.waiting_for or match.to_move or match.rules.played[:1]
        if len(waiting) > 1:
            names = ", ".join(waiting)
            cure = "Name one in `role`, or give all moves in `moves`."
            raise RefusalError(Code.ARGUMENT, f"several roles choose at once: {names}", cure)
        return waiting[0]

    def require_whole(self, what: str) -> None:
        """Refuse the request if the handle belongs to a single role and the game is not over."""
        if self.role is not None and not self.match.is_over:
            raise RefusalError(
                Code.HIDDEN,
                f"{what} would show {self.role} what that role does not see",
                "Ask again when the game is over.",
            )


class MatchStore:
    """All matches, by the handles that clients have been given."""

    def __init__(self, bounds: ServerBounds) -> None:
        self._bounds = bounds
        self._seats: dict[str, MatchHandle] = {}

    @property
    def rules(self) -> set[KnownRules]:
        """The rules of all matches."""
        return {seat.match.rules for seat in self._seats.values()}

    @property
    def all(self) -> set[HeldMatch]:
        """The set of all matches."""
        return {seat.match for seat in self._seats.values()}

    def begin(self, rules: KnownRules, seed: int | None) -> dict[str | None, str]:
        """Start a match. Return a handle for each role, or a single handle if nothing is hidden.

        Raises:
            RefusalError: There are too many matches.
        """
        matches = self.all
        if len(matches) >= self._bounds.max_matches:
            oldest = min(matches, key=lambda match: match.used)
            if time.monotonic() - oldest.used < self._bounds.spare_seconds:
                raise RefusalError(
                    Code.LIMIT,
                    f"{len(matches)} matches are running, and all are in use",
                    "Try again in a minute: a match that is not used makes room.",
                )
            self._forget(oldest)
        match = HeldMatch(rules, secrets.token_urlsafe(9), seed)
        if not rules.has_percepts:
            handle = f"m-{match.name}"
            self._seats[handle] = MatchHandle(match)
            return {None: handle}
        handles: dict[str | None, str] = {
            role: f"s-{secrets.token_urlsafe(9)}" for role in rules.played
        }
        self._seats |= {handle: MatchHandle(match, role) for role, handle in handles.items()}
        return handles

    def find(self, handle: str) -> MatchHandle:
        """Return the match with the given handle, as far as the handle reveals it.

        Raises:
            RefusalError: The handle is unknown.
        """
        seat = self._seats.get(handle)
        if seat is None:
            minutes = self._bounds.idle_seconds / 60
            raise RefusalError(
                Code.UNKNOWN,
                f"match: unknown handle {handle!r:.60}",
                f"Call new_match for a handle. A match is forgotten after {minutes:.0f} minutes "
                "without use.",
            )
        seat.match.used = seat.match.rules.used = time.monotonic()
        return seat

    def forget_idle(self) -> None:
        """Discard matches that have been idle for too long."""
        late = time.monotonic() - self._bounds.idle_seconds
        for match in self.all:
            if match.used < late:
                self._forget(match)

    def _forget(self, match: HeldMatch) -> None:
        for handle in [one for one, seat in self._seats.items() if seat.match is match]:
            del self._seats[handle]

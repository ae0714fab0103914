"""People in matches: who they are, their clocks, and how a match ends that they end themselves.

The rules of a game know nothing of clocks, of giving up or of agreements, so such an end has goals
of its own: whoever resigns or runs out of time has 0 and all others have 100; in a draw that was
agreed all have 50, and so they have when the time of all runs out in the same moment.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from ggp.manager.domain import names
from ggp.manager.domain.names import MAX_NAME
from ggp.manager.domain.players import PERSON
from ggp.manager.domain.rights import Caller
from ggp.manager.errors import ConflictError, WrongRequestError
from ggp.manager.store import matches
from ggp.manager.store.database import Session
from ggp.manager.store.tables import OPEN, Ending, MatchRow
from ggp.manager.store.turns import movers_of
from ggp.match.referee import is_played
from ggp.players import registry

KEY_BYTES: Final = 18
MOST_LOOKED_AT: Final = 200
"""Matches that an account plays by hand."""
FIRST_SECONDS: Final = 60
"""Shortest time for a first move: whoever has been found may have to open the page yet."""
WON, DRAWN, LOST = 100, 50, 0


def new_key() -> str:
    """A secret by which a person is known."""
    return secrets.token_urlsafe(KEY_BYTES)


@dataclass(frozen=True, slots=True)
class Sitter:
    """A person who is to sit in a match, or whoever has the key."""

    name: str = PERSON
    account: int | None = None
    key: str = ""
    """Empty for a new one."""


ANYBODY: Final = Sitter()


def sitter_of(caller: Caller, name: str | None, players: Collection[str], key: str = "") -> Sitter:
    """The person who asks, under the name of the account, or the one that was given.

    Args:
        players: The names of registered players, of which none is to be taken for a person.
        key: The key of the seat; empty for a new one.
    """
    taken = {*players, *registry.names()}
    if caller.account is not None:
        if name is not None:
            raise WrongRequestError(f"name: expected none, for your account is {caller.name:.60}")
        own = caller.name
        if names.like(own, {*taken, PERSON}):
            own = f"{own[: MAX_NAME - 9]} ({PERSON})"
        return Sitter(own, caller.account, key)
    if name is None:
        return Sitter(key=key)
    name = names.shown(name)
    if names.like(name.partition(":")[0], taken) or names.like(name, taken):
        raise WrongRequestError(f"name: {name} is a player; expected another name")
    return Sitter(name, None, key)


@dataclass(frozen=True, slots=True)
class PersonClock:
    """The time that each person has: for each move, or for the whole game and more with each move.

    A person's first move has a limit of its own, and takes nothing from the clock of a game.
    """

    kind: Literal["move", "game"]
    seconds: int
    increment: int = 0
    """Seconds that a move adds to the clock of a game."""

    @classmethod
    def of(cls, match: MatchRow) -> PersonClock | None:
        """The clock of a match; None if it has none."""
        return cls(**match.clock) if match.clock else None

    def to_json(self) -> dict[str, Any]:
        """As the database keeps it."""
        return asdict(self)

    @property
    def first_seconds(self) -> int:
        """The time for the first move."""
        return max(FIRST_SECONDS, self.seconds)

    def limit(self, left: int | None) -> float:
        """Seconds for a move, with so many milliseconds left (None: it is the first)."""
        if left is None:
            return self.first_seconds
        return float(self.seconds) if self.kind == "move" else left / 1000

    def after(self, left: int | None, used: float) -> int:
        """Milliseconds that are left when a move has been made in so many seconds."""
        whole = self.seconds * 1000
        if left is None or self.kind == "move":
            return whole
        return max(0, left - round(used * 1000)) + self.increment * 1000


@dataclass(frozen=True, slots=True)
class Settlement:
    """The end of a match that its rules do not know."""

    ending: Ending
    goals: tuple[int, ...]
    """In role order."""
    reason: str


def is_staked(match: MatchRow) -> bool:
    """Whether the result is to count for several of a match's people, or for programs alone."""
    accounts = {seat.account_id for seat in match.people if seat.account_id is not None}
    is_met = len(accounts) > 1 or not match.people
    return is_met and not match.unrated and match.origin is None


async def check_plays_nothing_rated(session: Session, caller: Caller) -> None:
    """See that an account plays no rated match by hand in which an analysis could help it."""
    if caller.account is None:
        return
    for match in await matches.unfinished(session, caller.account, (), MOST_LOOKED_AT):
        if match.status in OPEN and not match.unrated and match.origin is None:
            raise ConflictError(
                f"you play match {match.id}, which is rated; expected that it is over, or that it "
                "was set up as one that is not rated"
            )


async def is_at_stake(session: Session, match: MatchRow) -> bool:
    """Whether nobody gets out of a match without a result: each of its people has chosen a move.

    That stays so when moves are taken back. Where programs play alone, a turn is over.
    """
    if not is_staked(match):
        return False
    if not match.people:
        return match.num_turns > 0
    chosen = await matches.choices_of(session, match)
    movers = await movers_of(session, match.id)
    return all(chosen[one] or one in movers for one in (seat.role_index for seat in match.people))


def resigned(match: MatchRow, role: str) -> Settlement:
    """A person gives up."""
    goals = settled_goals(match.roles, {role})
    return Settlement(Ending.RESIGNED, goals, f"{called(match, {role})} resigned")


def out_of_time(match: MatchRow, roles: Collection[str]) -> Settlement:
    """The time of these people has run out."""
    goals = settled_goals(match.roles, roles)
    return Settlement(Ending.TIME, goals, f"{called(match, roles)} ran out of time")


def drawn(match: MatchRow) -> Settlement:
    """All agree on a draw."""
    goals = tuple(DRAWN if is_played(role) else LOST for role in match.roles)
    return Settlement(Ending.AGREED, goals, "a draw was agreed")


def settled_goals(roles: Sequence[str], losers: Collection[str]) -> tuple[int, ...]:
    """The goals of all roles where some have lost without the rules saying so."""
    played = [role for role in roles if is_played(role)]
    if len(played) > 1 and set(played) <= set(losers):
        return tuple(DRAWN if is_played(role) else LOST for role in roles)
    return tuple(WON if is_played(role) and role not in losers else LOST for role in roles)


def called(match: MatchRow, roles: Collection[str]) -> str:
    """Roles with the names of those who play them.

    >>> seats = [SeatRow(role="red", player_name="Ann"), SeatRow(role="blue", player_name="Bob")]
    >>> called(MatchRow(seats=seats), {"blue"}), called(MatchRow(seats=seats), {"red", "blue"})
    ('blue (Bob)', 'red (Ann) and blue (Bob)')
    """
    return " and ".join(
        f"{seat.role} ({seat.player_name})" for seat in match.seats if seat.role in roles
    )

"""People in matches: their identity, their clocks, and the endings that they decide themselves.

The rules of a game do not cover clocks, resignations or agreements, so such endings have their own
goals. A person who resigns or runs out of time gets 0, and all others get 100. In an agreed draw,
everybody gets 50. The same holds if everybody runs out of time at the same moment.
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
MAX_LOOKED_AT: Final = 200
"""Largest number of matches to search for rated ones that an account plays by hand."""
FIRST_SECONDS: Final = 60
"""Shortest limit for a first move, because a new opponent may still have to open the page."""
WON, DRAWN, LOST = 100, 50, 0


def new_key() -> str:
    """Return a new secret that identifies a person."""
    return secrets.token_urlsafe(KEY_BYTES)


@dataclass(frozen=True, slots=True)
class Sitter:
    """A person who takes a seat in a match. `ANYBODY` stands for anyone who has the key."""

    name: str = PERSON
    account: int | None = None
    key: str = ""
    """The key of the seat. Empty to create a new one."""


ANYBODY: Final = Sitter()


def sitter_of(caller: Caller, name: str | None, players: Collection[str], key: str = "") -> Sitter:
    """Return the caller as a sitter, with the name of the account or, without an account, `name`.

    Args:
        name: The name of a caller without an account.
        players: The names of registered players, which people must not resemble.
        key: The key of the seat. Empty to create a new one.
    """
    taken = {*players, *registry.names()}
    if caller.account is not None:
        if name is not None:
            raise WrongRequestError(
                f"name: expected none, because you are logged in as {caller.name:.60}"
            )
        own = caller.name
        if names.like(own, {*taken, PERSON}):
            own = f"{own[: MAX_NAME - 9]} ({PERSON})"
        return Sitter(own, caller.account, key)
    if name is None:
        return Sitter(key=key)
    name = names.shown(name)
    if names.like(name.partition(":")[0], taken) or names.like(name, taken):
        raise WrongRequestError(f"name: {name} is a player; choose another name")
    return Sitter(name, None, key)


@dataclass(frozen=True, slots=True)
class PersonClock:
    """The clock of each person: a time per move, or one for the whole game with an increment.

    A person's first move has its own time limit, and it takes no time from a clock for the whole
    game.
    """

    kind: Literal["move", "game"]
    seconds: int
    increment: int = 0
    """Seconds that each move adds to a clock for the whole game."""

    @classmethod
    def of(cls, match: MatchRow) -> PersonClock | None:
        """Return the clock of the people in a match, or None if they have none."""
        return cls(**match.clock) if match.clock else None

    def to_json(self) -> dict[str, Any]:
        """Return the fields for the database."""
        return asdict(self)

    @property
    def first_seconds(self) -> int:
        """The time limit for the first move, in seconds."""
        return max(FIRST_SECONDS, self.seconds)

    def limit(self, left: int | None) -> float:
        """Return the seconds for a move. `left` is in milliseconds, or None at the first move."""
        if left is None:
            return self.first_seconds
        return float(self.seconds) if self.kind == "move" else left / 1000

    def after(self, left: int | None, used: float) -> int:
        """Return the milliseconds left after a move that took `used` seconds."""
        whole = self.seconds * 1000
        if left is None or self.kind == "move":
            return whole
        return max(0, left - round(used * 1000)) + self.increment * 1000


@dataclass(frozen=True, slots=True)
class Settlement:
    """An ending of a match that people decided, instead of the rules."""

    ending: Ending
    goals: tuple[int, ...]
    """In role order."""
    reason: str


def is_staked(match: MatchRow) -> bool:
    """Return whether the result of a match counts for ratings.

    It counts if people of several accounts play, or only programs. It does not count if the match
    is unrated or began in a position of another match.
    """
    accounts = {seat.account_id for seat in match.people if seat.account_id is not None}
    is_met = len(accounts) > 1 or not match.people
    return is_met and not match.unrated and match.origin is None


async def check_plays_nothing_rated(session: Session, caller: Caller) -> None:
    """Check that the caller is not playing a rated match, in which an analysis could help.

    Raises:
        ConflictError: The caller plays a rated match by hand.
    """
    if caller.account is None:
        return
    for match in await matches.unfinished(session, caller.account, (), MAX_LOOKED_AT):
        if match.status in OPEN and not match.unrated and match.origin is None:
            raise ConflictError(
                f"you are playing match {match.id}, which is rated; wait until it is over, or play "
                "matches that are not rated"
            )


async def is_at_stake(session: Session, match: MatchRow) -> bool:
    """Return whether aborting a match now would cost a player a result that counts for ratings.

    This is so once each person has chosen a move, even if moves are taken back later. If only
    programs play, it is so after the first turn.
    """
    if not is_staked(match):
        return False
    if not match.people:
        return match.num_turns > 0
    chosen = await matches.choices_of(session, match)
    movers = await movers_of(session, match.id)
    return all(chosen[one] or one in movers for one in (seat.role_index for seat in match.people))


def resigned(match: MatchRow, role: str) -> Settlement:
    """Return the settlement of a match in which a person resigns."""
    goals = settled_goals(match.roles, {role})
    return Settlement(Ending.RESIGNED, goals, f"{called(match, {role})} resigned")


def out_of_time(match: MatchRow, roles: Collection[str]) -> Settlement:
    """Return the settlement of a match in which people ran out of time."""
    goals = settled_goals(match.roles, roles)
    return Settlement(Ending.TIME, goals, f"{called(match, roles)} ran out of time")


def drawn(match: MatchRow) -> Settlement:
    """Return the settlement of a match that ends in an agreed draw."""
    goals = tuple(DRAWN if is_played(role) else LOST for role in match.roles)
    return Settlement(Ending.AGREED, goals, "a draw was agreed")


def settled_goals(roles: Sequence[str], losers: Collection[str]) -> tuple[int, ...]:
    """Return the goals of all roles if the losers resigned or ran out of time."""
    played = [role for role in roles if is_played(role)]
    if len(played) > 1 and set(played) <= set(losers):
        return tuple(DRAWN if is_played(role) else LOST for role in roles)
    return tuple(WON if is_played(role) and role not in losers else LOST for role in roles)


def called(match: MatchRow, roles: Collection[str]) -> str:
    """Return the given roles and their players' names as text.

    >>> seats = [SeatRow(role="red", player_name="Ann"), SeatRow(role="blue", player_name="Bob")]
    >>> called(MatchRow(seats=seats), {"blue"}), called(MatchRow(seats=seats), {"red", "blue"})
    ('blue (Bob)', 'red (Ann) and blue (Bob)')
    """
    return " and ".join(
        f"{seat.role} ({seat.player_name})" for seat in match.seats if seat.role in roles
    )

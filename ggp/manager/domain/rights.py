"""Rights: what each role of an account may do, and what a caller may see of a match.

Each operation of the API and each page names the right that it needs. If it names none, it needs
`Right.ADMINISTER`.

The key of a seat or the account in the seat identifies a person. Only callers with that key or that
account can move for the person. In a game with hidden information (GDL-II), a person sees only what
the rules show to the role, until the match is over. If the match is broken off, the rest stays
hidden unless its people agree to show it. Spectators see the players, the number of turns and the
clock, or everything if the match was set up that way.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations
from typing import Any, Final, TypeVar

from ggp.manager.errors import NotAllowedError
from ggp.manager.store.matches import PlayedTurn
from ggp.manager.store.tables import OVER, MatchRow, SeatRow, Status, Visibility
from ggp.manager.store.turns import TurnText


class Role(StrEnum):
    """The role of an account, from the highest to the lowest."""

    HOST = "host"
    """Runs the manager."""
    LECTURER = "lecturer"
    STUDENT = "student"
    SPECTATOR = "spectator"

    def is_above(self, other: Role) -> bool:
        """Return whether accounts of this role may create and manage those of the other."""
        order = list(Role)
        return order.index(self) < order.index(other)


class Right(StrEnum):
    """A right: something that a caller may do."""

    ENTER = "come in"
    """See the login page and its files, even without an account."""
    ACCOUNT = "have an account"
    """Change one's own password, create tokens and log out."""
    LOOK = "look"
    """See games, matches, reports, tournaments and ratings."""
    PLAY = "play"
    """Set up one's own matches, play by hand, request hints and reports, and try rules."""
    REGISTER = "register players"
    """Register one's own players, by address or file. Lecturers can also see and retire them."""
    HOLD = "hold matches and tournaments"
    """Set up matches and tournaments with all players, manage those of everybody, and add games."""
    TEACH = "look after students"
    """Invite students, see their results, and help with forgotten passwords."""
    ADMINISTER = "administer accounts"
    """Lock accounts and change their roles."""


SPECTATOR_RIGHTS: Final = frozenset({Right.ENTER, Right.ACCOUNT, Right.LOOK})
STUDENT_RIGHTS: Final = SPECTATOR_RIGHTS | {Right.PLAY, Right.REGISTER}
LECTURER_RIGHTS: Final = STUDENT_RIGHTS | {Right.HOLD, Right.TEACH}
RIGHTS: Final = {
    Role.HOST: frozenset(Right),
    Role.LECTURER: LECTURER_RIGHTS,
    Role.STUDENT: STUDENT_RIGHTS,
    Role.SPECTATOR: SPECTATOR_RIGHTS,
}


def rights_of(role: str) -> frozenset[Right]:
    """Return the rights of an account, given the role in its row. Teams have none."""
    return RIGHTS[Role(role)] if role in set(Role) else frozenset()


@dataclass(frozen=True, slots=True)
class Caller:
    """The sender of a request.

    Attributes:
        role: The role of the account. None if the caller is not logged in.
        account: The number of the account. None without accounts or if the caller is not logged in.
        name: The name of the account.
        team: The number of the account's team. None if it has none.
    """

    role: Role | None
    account: int | None = None
    name: str = ""
    team: int | None = None

    def may(self, right: Right) -> bool:
        """Return whether the caller has a right."""
        return right in (RIGHTS[self.role] if self.role else {Right.ENTER})

    def owns(self, owner: int | None) -> bool:
        """Return whether the caller may change what `owner` owns. Shared things have owner None."""
        return self.may(Right.HOLD) or owner in self.owners

    @property
    def owners(self) -> frozenset[int]:
        """The caller's account, and its team if it has one."""
        return frozenset(one for one in (self.account, self.team) if one is not None)

    def sees(self, owner: int | None) -> bool:
        """Return whether the caller may see a player of `owner`. Shared players have owner None."""
        return owner is None or self.owns(owner)

    @property
    def owner(self) -> int | None:
        """The owner of players that the caller registers: the caller's team, or else the account.

        None for lecturers, who share theirs.
        """
        if self.may(Right.HOLD):
            return None
        return self.account if self.team is None else self.team

    @property
    def is_host(self) -> bool:
        """Whether the caller is logged in as a host. Always False on a manager without accounts."""
        return self.role is Role.HOST and self.account is not None

    def check_owns(self, owner: int | None, what: str) -> None:
        """Check that the caller may change something.

        Raises:
            NotAllowedError: The caller may not change what `owner` owns.
        """
        if not self.owns(owner):
            raise NotAllowedError(f"{what} is not yours; choose one of your own")


EVERYBODY: Final = Caller(Role.HOST)
"""Every caller of a manager without accounts."""
ANONYMOUS: Final = Caller(None)
"""A caller who is not logged in."""


_caller: Final[ContextVar[Caller]] = ContextVar("caller", default=ANONYMOUS)


def current_caller() -> Caller:
    """Return the caller of the current request."""
    return _caller.get()


@contextmanager
def acting(caller: Caller) -> Iterator[None]:
    """Make `caller` the current caller inside the `with` block."""
    before = _caller.set(caller)
    try:
        yield
    finally:
        _caller.reset(before)


T = TypeVar("T")
HIDES_ALL: Final = "nothing"
FAILURES: Final = {"TO": "it was late", "CE": "it failed", "IL": "it made no legal move"}
"""Descriptions of failures for people who do not own the player, by the error's first letters."""
ALL: Final = "all"
"""The setting that lets spectators see hidden information before the match is over."""


@dataclass(frozen=True, slots=True)
class VisibleMatch:
    """The part of a match that a caller sees.

    Attributes:
        is_whole: Whether the caller sees the states and all moves.
        role: The role whose percepts the caller sees if not `is_whole`. Empty if there is none.
        role_index: The index of that role, or -1.
        unexplained: Indices of the roles whose search details and exact failure reasons are
            hidden.
        has_thoughts: Whether the caller sees the players' search details.
    """

    is_whole: bool
    role: str = ""
    role_index: int = -1
    unexplained: frozenset[int] = frozenset()
    has_thoughts: bool = True

    def turn(self, turn: PlayedTurn) -> dict[str, Any]:
        """Return the visible part of a turn as JSON fields."""
        fields = turn.fields()
        if self.is_whole:
            replies = [
                _outwardly(one, error) if place in self.unexplained else one
                for place, (one, error) in enumerate(
                    zip(fields["replies"], fields["errors"], strict=False)
                )
            ]
            if not self.has_thoughts:
                replies = [one | {"thoughts": {}} for one in replies]
            return fields | {"replies": replies}
        return fields | {
            "moves": self._own(fields["moves"], None),
            "facts": [],
            "errors": self._own(fields["errors"], ""),
            "replies": self._own(fields["replies"], {}),
            "percepts": self._own(fields["percepts"], None),
        }

    def text(self, turn: TurnText) -> str:
        """Return the visible part of a turn as JSON text."""
        if self.is_whole and self.has_thoughts and not self.unexplained:
            return turn.json()
        names = ("moves", "facts", "errors", "replies", "percepts")
        read = {name: json.loads(getattr(turn, name)) for name in names}
        seen = self.turn(PlayedTurn(turn.number, time=turn.time, **read))
        texts: dict[str, Any] = {name: json.dumps(seen[name]) for name in names}
        return replace(turn, **texts).json()

    def _own(self, row: Sequence[T], unseen: T | None) -> list[T | None]:
        return [one if index == self.role_index else unseen for index, one in enumerate(row)]


def _outwardly(reply: dict[str, Any], error: str) -> dict[str, Any]:
    """Return a reply as shown to people who do not own the player."""
    fallback = {"fallback": FAILURES[error[:2]]} if error else {}
    return reply | fallback | {"thoughts": {}}


WHOLE: Final = VisibleMatch(is_whole=True)
"""The view of a match without hidden information, or of a match that is over."""
COMMON: Final = VisibleMatch(is_whole=False)
"""The view that everybody may have of a match."""
MAX_COMBINED: Final = 3


def sees_results(visibility: Visibility, taking_part: Collection[int]) -> bool:
    """Return whether the caller may see a tournament's results that are held back.

    Args:
        taking_part: The accounts of the people whose players take part.
    """
    caller = current_caller()
    is_shown = visibility == Visibility.EVERYONE or caller.may(Right.HOLD)
    takes_part = not caller.owners.isdisjoint(taking_part)
    return is_shown or (visibility == Visibility.PARTICIPANTS and takes_part)


def is_closed(match: MatchRow) -> bool:
    """Return whether there are callers who may not see the whole match."""
    if not match.hides:
        return False
    is_kept_back = match.status == Status.ABORTED and bool(match.people) and not match.is_revealed
    return match.status not in OVER or is_kept_back


def keeps_thoughts(match: MatchRow) -> bool:
    """Return whether to hide the programs' search details, because people play a rated match."""
    is_rated = not match.unrated and match.origin is None and match.status not in OVER
    has_programs = len(match.people) < len(match.seats)
    return is_rated and has_programs and any(seat.account_id for seat in match.people)


def sight_of(match: MatchRow, key: str) -> VisibleMatch:
    """Return the part of a match that the caller sees. `key` is the key of a seat, or empty."""
    unexplained = frozenset(
        seat.role_index
        for seat in match.seats
        if seat.is_uploaded and not current_caller().owns(seat.player_owner)
    )
    whole = VisibleMatch(
        is_whole=True, unexplained=unexplained, has_thoughts=not keeps_thoughts(match)
    )
    if not is_closed(match):
        return whole
    for seat in sorted(held_seats(match, key), key=lambda one: not is_same(key, one.key)):
        return VisibleMatch(False, seat.role, seat.role_index)
    return whole if match.spectators == ALL else COMMON


def held_seats(match: MatchRow, key: str) -> list[SeatRow]:
    """Return the seats that the caller holds, by `key` or by account."""
    return [seat for seat in match.people if is_held(key, seat.key, seat.account_id)]


def is_held(key: str, of_seat: str, account: int | None) -> bool:
    """Return whether the caller holds the seat that has key `of_seat` and account `account`."""
    return is_same(key, of_seat) or (account is not None and account == current_caller().account)


def is_seat_of(match: MatchRow, role: str, key: str) -> bool:
    """Return whether the caller may act for a role. `key` is the key of a seat, or empty.

    In old matches, whose people have no keys, the owner of the match may act.
    """
    seat = next((one for one in match.seats if one.role == role), None)
    if seat is None or seat.is_person:
        return seat is not None and seat in held_seats(match, key)
    return not match.hides and current_caller().owns(match.owner_id)


def has_seat(match: MatchRow, key: str) -> bool:
    """Return whether the caller holds a seat of a match. `key` is the key of a seat, or empty."""
    return bool(held_seats(match, key))


def check_people(match: MatchRow, key: str) -> None:
    """Check that the caller may abort or resume a match. `key` is the key of a seat, or empty.

    The match's people may, and so may hosts. If no people play, the owner of the match may.
    """
    caller = current_caller()
    if not match.people:
        caller.check_owns(match.owner_id, f"match {match.id}")
    elif not (caller.is_host or has_seat(match, key)):
        raise NotAllowedError(
            f"only people who play in match {match.id} may do this; send the key of "
            "one of their seats, or log in as one of them"
        )


def sights_of(match: MatchRow) -> list[VisibleMatch]:
    """Return all partial views that people and spectators may have of an unfinished match."""
    uploaded = [seat.role_index for seat in match.seats if seat.is_uploaded]
    # Owners see the details of their own players, so each set of players with hidden details is a
    # view. If there are many uploaded players, return only the view that hides all their details.
    sizes = range(len(uploaded), 0, -1) if len(uploaded) <= MAX_COMBINED else [len(uploaded)]
    unexplained = [frozenset(some) for size in sizes for some in combinations(uploaded, size)]
    has_thoughts = not keeps_thoughts(match)
    if not has_thoughts:
        unexplained.append(frozenset())
    wholes = [
        VisibleMatch(True, unexplained=places, has_thoughts=has_thoughts) for places in unexplained
    ]
    if not match.hides:
        return wholes
    people = [VisibleMatch(False, one.role, one.role_index) for one in match.people]
    return [COMMON, *people, *wholes]


def is_same(given: str, known: str) -> bool:
    """Compare a key with the known one in constant time. Return False for an empty key."""
    bytes_given, bytes_known = (one.encode("utf-8", "surrogatepass") for one in (given, known))
    return bool(known) and hmac.compare_digest(bytes_given, bytes_known)

"""Rights: what each role of an account may do, and what somebody may see of a match.

Each operation of the API and each page names the right that it needs, or needs `Right.ADMINISTER`.

A person is known to a seat by its key or by the account that sits there, and only whoever has one
of them moves it. In a game of hidden information (GDL-II) a person sees what the rules let its role
see, as long as the match is not over, or was broken off and its people did not agree to show it.
Spectators see who plays, how many turns there have been and the clock; or all, if the match was set
up so.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations
from typing import Any, Final, TypeVar

from ggp.manager.errors import NotAllowedError
from ggp.manager.store.matches import PlayedTurn
from ggp.manager.store.tables import OVER, MatchRow, SeatRow, Status
from ggp.manager.store.turns import TurnText


class Role(StrEnum):
    """The role of an account; one that stands before another is higher."""

    HOST = "host"
    """Runs the manager."""
    LECTURER = "lecturer"
    STUDENT = "student"
    SPECTATOR = "spectator"

    def is_above(self, other: Role) -> bool:
        """Whether accounts of this role may make and look after those of the other."""
        order = list(Role)
        return order.index(self) < order.index(other)


class Right(StrEnum):
    """A thing that somebody may do."""

    ENTER = "come in"
    """See the page to log in, and what it is made of; without an account too."""
    ACCOUNT = "have an account"
    """Change the own password, make tokens, log out."""
    LOOK = "look"
    """See games, matches, reports, tournaments, ratings."""
    PLAY = "play"
    """Set up matches of one's own, play by hand, ask for hints and reports, try rules."""
    REGISTER = "register players"
    """One's own: at an address or uploaded, seen and retired by nobody else but lecturers."""
    HOLD = "hold matches and tournaments"
    """With all players and of everybody; add games."""
    TEACH = "look after students"
    """Invite, see how they do, help those who forgot their password."""
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


@dataclass(frozen=True, slots=True)
class Caller:
    """The sender of a request.

    Attributes:
        role: None for somebody who has not logged in.
        account: Its number; None where there are no accounts, or nobody has logged in.
    """

    role: Role | None
    account: int | None = None
    name: str = ""

    def may(self, right: Right) -> bool:
        """Whether it has a right."""
        return right in (RIGHTS[self.role] if self.role else {Right.ENTER})

    def owns(self, owner: int | None) -> bool:
        """Whether it may change what belongs to an account, or to everybody (None)."""
        return self.may(Right.HOLD) or (owner is not None and owner == self.account)

    def sees(self, owner: int | None) -> bool:
        """Whether it may see a player of an account, or of everybody (None)."""
        return owner is None or self.owns(owner)

    @property
    def owner(self) -> int | None:
        """Whose the players are that it registers: a lecturer's are everybody's."""
        return None if self.may(Right.HOLD) else self.account

    @property
    def is_host(self) -> bool:
        """Whether it has logged in to an account of a host; without accounts nobody has."""
        return self.role is Role.HOST and self.account is not None

    def check_owns(self, owner: int | None, what: str) -> None:
        """See that it may change something."""
        if not self.owns(owner):
            raise NotAllowedError(f"{what} is not yours; expected one of your own")


EVERYBODY: Final = Caller(Role.HOST)
"""Whoever reaches a manager without accounts."""
NOBODY: Final = Caller(None)
"""Somebody who has not logged in."""


_caller: Final[ContextVar[Caller]] = ContextVar("caller", default=NOBODY)


def current_caller() -> Caller:
    """Whoever asks for what is answered now."""
    return _caller.get()


@contextmanager
def acting(caller: Caller) -> Iterator[None]:
    """Answer somebody inside the `with`."""
    before = _caller.set(caller)
    try:
        yield
    finally:
        _caller.reset(before)


T = TypeVar("T")
NOTHING: Final = "nothing"
FAILURES: Final = {"TO": "it was late", "CE": "it failed", "IL": "it made no legal move"}
"""All that is told of somebody else's player, by the word with which an error begins."""
ALL: Final = "all"
"""What spectators of a match of hidden information may see before it is over."""


@dataclass(frozen=True, slots=True)
class Sight:
    """The part of a match that somebody sees.

    Attributes:
        role: Whose percepts are seen, where it is not; empty if nobody's.
        role_index: Its place among the roles; -1 if it is nobody's.
        unexplained: Places of the roles of whose players neither thoughts nor exact reasons of
            failures are shown.
        has_thoughts: Whether it is told what players thought.
    """

    is_whole: bool
    role: str = ""
    role_index: int = -1
    unexplained: frozenset[int] = frozenset()
    has_thoughts: bool = True

    def turn(self, turn: PlayedTurn) -> dict[str, Any]:
        """A turn, as far as it is seen, as JSON has it."""
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
        """A turn, as far as it is seen, as the text of JSON."""
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
    """A reply without what only concerns those whose player gave it."""
    fallback = {"fallback": FAILURES[error[:2]]} if error else {}
    return reply | fallback | {"thoughts": {}}


WHOLE: Final = Sight(is_whole=True)
"""Of a match in which nothing is hidden, or that is over."""
COMMON: Final = Sight(is_whole=False)
"""What everybody knows."""
MOST_COMBINED: Final = 3


def is_closed(match: MatchRow) -> bool:
    """Whether a match may not be shown as it is, to some at least."""
    if not match.hides:
        return False
    is_kept_back = match.status == Status.ABORTED and bool(match.people) and not match.is_revealed
    return match.status not in OVER or is_kept_back


def keeps_thoughts(match: MatchRow) -> bool:
    """Whether nobody is told yet what programs think: their opponents are rated people."""
    is_rated = not match.unrated and match.origin is None and match.status not in OVER
    has_programs = len(match.people) < len(match.seats)
    return is_rated and has_programs and any(seat.account_id for seat in match.people)


def sight_of(match: MatchRow, key: str) -> Sight:
    """The part of a match that the caller sees, with this key or none."""
    unexplained = frozenset(
        seat.role_index
        for seat in match.seats
        if seat.is_uploaded and not current_caller().owns(seat.player_owner)
    )
    whole = Sight(is_whole=True, unexplained=unexplained, has_thoughts=not keeps_thoughts(match))
    if not is_closed(match):
        return whole
    for seat in sorted(held_seats(match, key), key=lambda one: not is_same(key, one.key)):
        return Sight(False, seat.role, seat.role_index)
    return whole if match.spectators == ALL else COMMON


def held_seats(match: MatchRow, key: str) -> list[SeatRow]:
    """The seats of people that the caller moves, by this key or by its account."""
    return [seat for seat in match.people if is_held(key, seat.key, seat.account_id)]


def is_held(key: str, of_seat: str, account: int | None) -> bool:
    """Whether the caller holds a seat with this key and account."""
    return is_same(key, of_seat) or (account is not None and account == current_caller().account)


def is_seat_of(match: MatchRow, role: str, key: str) -> bool:
    """Whether the caller may act for a role, with this key or none.

    In matches of before, where people had no keys, whoever owns the match may.
    """
    seat = next((one for one in match.seats if one.role == role), None)
    if seat is None or seat.is_person:
        return seat is not None and seat in held_seats(match, key)
    return not match.hides and current_caller().owns(match.owner_id)


def has_seat(match: MatchRow, key: str) -> bool:
    """Whether the caller holds a seat of a match, with this key or none."""
    return bool(held_seats(match, key))


def check_people(match: MatchRow, key: str) -> None:
    """See that the caller may break a match off, or let it go on, with this key or none.

    Its people may and the host; where there are none, whoever owns the match.
    """
    caller = current_caller()
    if not match.people:
        caller.check_owns(match.owner_id, f"match {match.id}")
    elif not (caller.is_host or has_seat(match, key)):
        raise NotAllowedError(
            f"match {match.id} is its people's; expected the key or the account of one of them"
        )


def sights_of(match: MatchRow) -> list[Sight]:
    """All that people and spectators may see of a match that is not over, beside the whole."""
    uploaded = [seat.role_index for seat in match.seats if seat.is_uploaded]
    # Each owner is told of its own; where there are many, only those who are told of none or all.
    sizes = range(len(uploaded), 0, -1) if len(uploaded) <= MOST_COMBINED else [len(uploaded)]
    unexplained = [frozenset(some) for size in sizes for some in combinations(uploaded, size)]
    has_thoughts = not keeps_thoughts(match)
    if not has_thoughts:
        unexplained.append(frozenset())
    wholes = [Sight(True, unexplained=places, has_thoughts=has_thoughts) for places in unexplained]
    if not match.hides:
        return wholes
    people = [Sight(False, one.role, one.role_index) for one in match.people]
    return [COMMON, *people, *wholes]


def is_same(given: str, known: str) -> bool:
    """Whether a key is the known one; an empty one is none."""
    bytes_given, bytes_known = (one.encode("utf-8", "surrogatepass") for one in (given, known))
    return bool(known) and hmac.compare_digest(bytes_given, bytes_known)

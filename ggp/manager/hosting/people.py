"""The people in matches: who is to move and until when, who is connected, and their offers.

Whenever something changes, all of this is published as one event, `people`. It is not stored. After
a restart, all people count as away, and there are no offers.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from ggp.clock import milliseconds_since_1970
from ggp.manager.domain.people import PersonClock
from ggp.manager.domain.rights import WHOLE, VisibleMatch, is_held, sights_of
from ggp.manager.errors import ConflictError
from ggp.manager.hosting.live import Hub
from ggp.manager.store.tables import MatchRow

GRACE_SECONDS: Final = 2.0
"""Time that a page may be disconnected, for example to reload, before the person counts as away."""
MAX_KNOWN: Final = 2000
"""Number of matches whose people are kept. If there are more, the oldest ended ones are removed."""


class Offer(StrEnum):
    """A kind of offer, which takes effect when the people of a match agree."""

    DRAW = "draw"
    TAKE_BACK = "take-back"
    REMATCH = "rematch"
    REVEAL = "reveal"
    """Show an aborted match with hidden information to everyone."""


IN_PLAY: Final = frozenset({Offer.DRAW, Offer.TAKE_BACK})


@dataclass(frozen=True, slots=True)
class Wait:
    """When a move is awaited, in milliseconds since 1970. No limit if `until` is None."""

    since: int
    until: int | None


@dataclass(slots=True)
class ShownClock:
    """A person's clock, as it was when it last started or stopped."""

    left: int
    runs: bool = False


class MatchPeople:
    """The people of one match.

    Attributes:
        turn: The current turn, counted from 1. 0 between turns.
        out_of_time: The roles whose clocks have run out.
    """

    def __init__(self, match: MatchRow, hub: Hub) -> None:
        self.number = match.id
        self.turn = 0
        self.out_of_time: set[str] = set()
        self.names = {seat.role: seat.player_name for seat in match.seats}
        self._hub = hub
        self._hides = match.hides
        self._sights = sights_of(match)
        self._order = list(match.roles)
        self._keys = {seat.role: seat.key for seat in match.people}
        self._accounts = {seat.role: seat.account_id for seat in match.people}
        self._waiting: dict[str, Wait] = {}
        self._clocks: dict[str, ShownClock] = {}
        clock = PersonClock.of(match)
        if clock is not None and clock.kind == "game":
            whole = clock.seconds * 1000
            for seat in match.people:
                self._clocks[seat.role] = ShownClock(
                    whole if seat.clock_left is None else seat.clock_left
                )
        self._there: Counter[str] = Counter()
        self._presence = dict.fromkeys(self._keys, (False, match.created))
        self._offers: dict[Offer, dict[str, int | None]] = {}
        self._declined: dict[Offer, list[str]] = {}
        self._said: dict[tuple[Offer, str], int] = {}
        self._is_to_publish = False

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles that people play."""
        return tuple(self._keys)

    def is_program(self, role: str) -> bool:
        """Return whether a program plays a role."""
        return role in self.names and role not in self._keys

    def roles_of(self, key: str) -> list[str]:
        """Return the roles that the caller plays, as shown by `key` or by the account."""
        return [role for role, own in self._keys.items() if is_held(key, own, self._accounts[role])]

    def others(self, role: str) -> list[str]:
        """Return the roles of the other people. One person may hold several seats."""
        own = self._keys.get(role)
        return [other for other, key in self._keys.items() if key != own]

    def give_key(self, role: str, key: str) -> None:
        """Replace the key of a role's seat."""
        self._keys[role] = key

    def state(self, sight: VisibleMatch = WHOLE) -> dict[str, Any]:
        """Return the state as JSON, as far as `sight` allows."""

        def seen(roles: Collection[str]) -> list[str]:
            own = self._order if sight.is_whole else [sight.role]
            return [role for role in own if role in roles]

        return {
            "turn": self.turn,
            "waiting": [
                {
                    "role": role,
                    "player": self.names.get(role, role),
                    "since": self._waiting[role].since,
                    "until": self._waiting[role].until,
                }
                for role in seen(self._waiting)
            ],
            "clocks": {
                role: {"left": self._clocks[role].left, "runs": self._clocks[role].runs}
                for role in seen(self._clocks)
            },
            "time": milliseconds_since_1970(),
            "presence": {
                role: {"status": "connected" if is_there else "away", "since": since}
                for role, (is_there, since) in self._presence.items()
            },
            "offers": [
                {"kind": kind, "role": role, "turns": turns}
                for kind, offers in self._offers.items()
                for role, turns in offers.items()
            ],
            "declined": [
                {"kind": kind, "role": role}
                for kind, roles in self._declined.items()
                for role in roles
            ],
        }

    def begin_turn(self, turn: int, programs: Collection[str], seconds: float) -> None:
        """Begin a turn in which `programs` have to choose their moves within `seconds`."""
        self.turn = turn
        now = milliseconds_since_1970()
        for role in programs:
            self._waiting.setdefault(role, Wait(now, now + round(seconds * 1000)))
        self._changed()

    def end_turn(self) -> None:
        """End a turn because it is over, because it was taken back, or because the match stops."""
        self.turn = 0
        self._waiting.clear()
        self._offers.pop(Offer.TAKE_BACK, None)
        self._declined.clear()
        self._changed()

    def wait(self, role: str, seconds: float, left: int | None = None) -> None:
        """Record that a person has `seconds` to move. `left` is the milliseconds on the clock."""
        now = milliseconds_since_1970()
        self._waiting[role] = Wait(now, now + round(seconds * 1000))
        if role in self._clocks and left is not None:
            self._clocks[role] = ShownClock(left, runs=True)
        self._changed()

    def answered(self, role: str, left: int | None = None) -> None:
        """Stop waiting for a role's move. `left` is the milliseconds on its clock."""
        self._waiting.pop(role, None)
        if role in self._clocks:
            self._clocks[role] = ShownClock(self._clocks[role].left if left is None else left)
        self._changed()

    def chose(self, role: str) -> None:
        """Cancel the draw offers of other people, because this person has chosen a move instead."""
        offers = self._offers.get(Offer.DRAW, {})
        self._offers[Offer.DRAW] = {one: turns for one, turns in offers.items() if one == role}

    def who_is_waited_for(self) -> str:
        """Return in words who is to move. Return "" if that is secret or no player is to move."""
        if self._hides or not self._waiting:
            return ""
        roles = [role for role in self._order if role in self._waiting]
        named = [f"{role} ({self.names.get(role, role)})" for role in roles]
        return f"{' and '.join(named)} {'is' if len(named) == 1 else 'are'} to move"

    def accounts_waited_for(self, latest: int) -> list[int]:
        """Return the accounts of people who are to move and are not connected.

        Args:
            latest: The latest time at which the match may have begun to wait for them.
        """
        roles = [
            role
            for role, wait in self._waiting.items()
            if wait.since <= latest and not self._presence.get(role, (True, 0))[0]
        ]
        accounts = (self._accounts.get(role) for role in roles)
        return [account for account in accounts if account is not None]

    @contextmanager
    def watching(self, key: str) -> Iterator[bool]:
        """Mark the caller as connected inside the `with`. Yield whether the caller plays here."""
        roles = self.roles_of(key)
        self._there.update(roles)
        for role in roles:
            self._see(role)
        try:
            yield bool(roles)
        finally:
            self._there.subtract(roles)
            for role in roles:
                asyncio.get_running_loop().call_later(GRACE_SECONDS, self._see, role)

    def offer(self, kind: Offer, role: str, turns: int | None = None) -> bool:
        """Make or accept an offer. Return whether all people now agree."""
        offers = self._offers.get(kind, {})
        is_answer = any(other in offers for other in self.others(role))
        if kind in IN_PLAY and not is_answer and self._said.get((kind, role)) == self.turn:
            raise ConflictError(f"kind: {role} has already offered this in turn {self.turn}")
        if any(one != turns for one in offers.values()):
            turns = next(iter(offers.values())) if turns is None else turns
            offers = {one: said for one, said in offers.items() if said == turns}
        offers[role] = turns
        self._offers[kind] = offers
        self._declined.pop(kind, None)
        is_agreed = all(other in offers for other in self.others(role))
        if is_agreed:
            del self._offers[kind]
        elif kind in IN_PLAY:
            self._said[kind, role] = self.turn
        self._changed()
        return is_agreed

    def decline(self, kind: Offer, role: str) -> None:
        """Remove all offers of a kind. Show the other people that their offers were declined."""
        others = self.others(role)
        offers = self._offers.pop(kind, {})
        if declined := [one for one in offers if one in others]:
            self._declined[kind] = declined
        self._changed()

    def offered(self, kind: Offer) -> dict[str, int | None]:
        """Map each role that made an offer of this kind to the number of turns that would remain.

        The number is None unless the offer is to take moves back.
        """
        return dict(self._offers.get(kind, {}))

    def _see(self, role: str) -> None:
        is_there = self._there[role] > 0
        if self._presence[role][0] != is_there:
            self._presence[role] = is_there, milliseconds_since_1970()
            self._changed()

    def _changed(self) -> None:
        if not self._is_to_publish:
            self._is_to_publish = True
            asyncio.get_running_loop().call_soon(self._publish)

    def _publish(self) -> None:
        self._is_to_publish = False
        channel = self._hub.find(self.number)
        if channel is not None:
            parts = {sight: self.state(sight) for sight in self._sights}
            channel.renew("people", self.state(), parts)


class People:
    """The people of all matches that are running or ended recently.

    Attributes:
        person_seconds: Seconds that a person has for a move in a match without a clock.
    """

    def __init__(self, hub: Hub, person_seconds: float) -> None:
        self.person_seconds = person_seconds
        self._hub = hub
        self._known: OrderedDict[int, MatchPeople] = OrderedDict()

    def of(self, match: MatchRow) -> MatchPeople | None:
        """Return the people in a match, or None if only programs play."""
        if match.id not in self._known:
            if not match.people:
                return None
            self._known[match.id] = MatchPeople(match, self._hub)
            self._forget_old()
        return self._known[match.id]

    def find(self, number: int) -> MatchPeople | None:
        """Return the people in a match that runs or ended recently, or None if there are none."""
        return self._known.get(number)

    def waiting(self) -> list[MatchPeople]:
        """Return the people of all matches in which a turn is being played."""
        return [people for people in self._known.values() if people.turn]

    def _forget_old(self) -> None:
        over = (number for number in self._known if self._hub.find(number) is None)
        for number in list(over)[: max(0, len(self._known) - MAX_KNOWN)]:
            del self._known[number]

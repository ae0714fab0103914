"""Challenges: who is wanted in the seats of a match that begins when somebody sits in each.

A seat is for `person` (who makes the challenge), `person:anybody` (whoever looks into the lobby),
`person:link` (whoever has been given the link), `person:@NAME` (an account), or for a program.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any, Final

from ggp.manager.domain.matches import MatchPlan
from ggp.manager.domain.people import PersonClock, Sitter
from ggp.manager.domain.players import PERSON
from ggp.manager.domain.rights import Caller, is_same
from ggp.manager.errors import WrongRequestError
from ggp.manager.store.tables import ChallengeRow

RANDOM_SIDES: Final = "random"
HOW: Final = f"{PERSON}, {PERSON}:anybody, {PERSON}:link, {PERSON}:@NAME or a player"


class Wanted(StrEnum):
    """The kind of player that is wanted in a seat."""

    OWNER = "owner"
    ANYBODY = "anybody"
    LINK = "link"
    ACCOUNT = "account"
    PROGRAM = "program"


@dataclass(frozen=True, slots=True)
class Place:
    """A seat of a challenge."""

    role: str
    wanted: Wanted
    player: str = ""
    """A program, or the name of the account that is wanted."""
    account: int | None = None
    """The account that is wanted."""
    link: str = ""
    """The secret of whoever is wanted by a link."""
    name: str = ""
    """Of the person who has taken the seat."""
    taker: int | None = None
    """The account of that person."""
    key: str = ""
    """The key that the seat is to have; empty as long as nobody has taken it."""

    @classmethod
    def read(cls, role: str, player: str) -> Place:
        """A seat as a challenge asks for it."""
        kind, _, who = player.partition(":")
        if kind != PERSON:
            return cls(role, Wanted.PROGRAM, player)
        if who in {Wanted.ANYBODY, Wanted.LINK}:
            return cls(role, Wanted(who))
        if who.startswith("@") and who != "@":
            return cls(role, Wanted.ACCOUNT, who[1:])
        if who:
            raise WrongRequestError(f"players: expected {HOW}, got {player!r:.100}")
        return cls(role, Wanted.OWNER)

    @classmethod
    def of(cls, fields: dict[str, Any]) -> Place:
        """A seat as it was written down."""
        return cls(**{**fields, "wanted": Wanted(fields["wanted"])})

    def to_json(self) -> dict[str, Any]:
        """As the database keeps it."""
        return asdict(self)

    @property
    def is_open(self) -> bool:
        """Whether somebody is still wanted."""
        return self.wanted is not Wanted.PROGRAM and not self.key

    @property
    def open_for(self) -> str:
        """Who is still wanted; empty if nobody is."""
        return self.wanted.value if self.is_open else ""

    @property
    def sitting(self) -> str:
        """Who sits there; empty if nobody does yet."""
        return self.player if self.wanted is Wanted.PROGRAM else self.name

    @property
    def account_name(self) -> str:
        """The name of the account that is wanted; empty if none is."""
        return self.player if self.wanted is Wanted.ACCOUNT else ""

    def is_for(self, caller: Caller, link: str) -> bool:
        """Whether somebody may take the seat, with this link or none."""
        if not self.is_open:
            return False
        if self.wanted is Wanted.LINK:
            return is_same(link, self.link)
        if self.wanted is Wanted.ACCOUNT:
            return self.account is not None and self.account == caller.account
        return self.wanted is Wanted.ANYBODY

    def taken_by(self, sitter: Sitter) -> Place:
        """The same seat with somebody in it."""
        return replace(self, name=sitter.name, taker=sitter.account, key=sitter.key)

    def opens(self, key: str) -> bool:
        """Whether a key is that of who sits there, or a link to it."""
        return is_same(key, self.key) or is_same(key, self.link)


def places_of(row: ChallengeRow) -> list[Place]:
    """The seats of a challenge, in role order."""
    return [Place.of(fields) for fields in row.places]


def may_see(row: ChallengeRow, caller: Caller, key: str) -> bool:
    """Whether somebody may know of a challenge, with this key or link or none."""
    if caller.is_host or is_own(row, caller, key):
        return True
    return any(
        place.wanted is Wanted.ANYBODY
        or place.opens(key)
        or (caller.account is not None and caller.account in {place.account, place.taker})
        for place in places_of(row)
    )


def is_own(row: ChallengeRow, caller: Caller, key: str) -> bool:
    """Whether somebody has made a challenge, and may withdraw it."""
    return is_same(key, row.key) or (caller.account is not None and row.owner_id == caller.account)


def sits_already(row: ChallengeRow, caller: Caller) -> bool:
    """Whether an account has a seat already."""
    takers = {place.taker for place in places_of(row)}
    return caller.account is not None and caller.account in {*takers, row.owner_id}


def plan_of(row: ChallengeRow, places: Sequence[Place]) -> MatchPlan:
    """The match that begins, with people at random seats if that was wanted."""
    people = [place for place in places if place.wanted is not Wanted.PROGRAM]
    if row.sides == RANDOM_SIDES:
        people = random.sample(people, len(people))
    clock = row.plan["clock"]
    return MatchPlan(
        **{**row.plan, "clock": None if clock is None else PersonClock(**clock)},
        game=row.game,
        players=tuple(
            place.player if place.wanted is Wanted.PROGRAM else PERSON for place in places
        ),
        sitters=tuple(Sitter(place.name, place.taker, place.key) for place in people),
        owner=row.owner_id,
    )

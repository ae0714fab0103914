"""Challenges: matches that begin as soon as all their seats are taken.

A seat is for `person` (the author), `person:anybody` (anyone in the lobby), `person:link` (anyone
with the link), `person:@NAME` (an account), or for a program.
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
from ggp.manager.store.challenges import ChallengeRow

RANDOM_SIDES: Final = "random"
HOW: Final = f"{PERSON}, {PERSON}:anybody, {PERSON}:link, {PERSON}:@NAME or a player"


class Wanted(StrEnum):
    """The kind of player that a seat of a challenge is for."""

    OWNER = "owner"
    ANYBODY = "anybody"
    LINK = "link"
    ACCOUNT = "account"
    PROGRAM = "program"


@dataclass(frozen=True, slots=True)
class ChallengeSeat:
    """A seat of a challenge."""

    role: str
    wanted: Wanted
    player: str = ""
    """The program that plays in the seat, or the name of the invited account."""
    account: int | None = None
    """The number of the invited account, if any."""
    link: str = ""
    """The secret in the seat's link. Empty if the seat has no link."""
    name: str = ""
    """The name of the person who has taken the seat."""
    taker: int | None = None
    """The account of that person."""
    key: str = ""
    """The key of the person's seat in the match. Empty until the seat is taken."""

    @classmethod
    def read(cls, role: str, player: str) -> ChallengeSeat:
        """Parse the player that a challenge requests for a seat."""
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
    def of(cls, fields: dict[str, Any]) -> ChallengeSeat:
        """Create a seat from the fields stored in the database."""
        return cls(**{**fields, "wanted": Wanted(fields["wanted"])})

    def to_json(self) -> dict[str, Any]:
        """Return the fields for the database."""
        return asdict(self)

    @property
    def is_open(self) -> bool:
        """Whether a person can still take the seat."""
        return self.wanted is not Wanted.PROGRAM and not self.key

    @property
    def open_for(self) -> str:
        """The kind of person, as in `Wanted`, who can take the seat. Empty if no person can."""
        return self.wanted.value if self.is_open else ""

    @property
    def sitting(self) -> str:
        """The name of the player in the seat. Empty if the seat is not taken yet."""
        return self.player if self.wanted is Wanted.PROGRAM else self.name

    @property
    def account_name(self) -> str:
        """The name of the invited account. Empty if there is none."""
        return self.player if self.wanted is Wanted.ACCOUNT else ""

    def is_for(self, caller: Caller, link: str) -> bool:
        """Return whether the caller may take the seat. `link` is the caller's key, or empty."""
        if not self.is_open:
            return False
        if self.wanted is Wanted.LINK:
            return is_same(link, self.link)
        if self.wanted is Wanted.ACCOUNT:
            return self.account is not None and self.account == caller.account
        return self.wanted is Wanted.ANYBODY

    def taken_by(self, sitter: Sitter) -> ChallengeSeat:
        """Return a copy of the seat, taken by a person."""
        return replace(self, name=sitter.name, taker=sitter.account, key=sitter.key)

    def opens(self, key: str) -> bool:
        """Return whether a key is the key of the seat or of its link."""
        return is_same(key, self.key) or is_same(key, self.link)


def places_of(row: ChallengeRow) -> list[ChallengeSeat]:
    """Return the seats of a challenge, in role order."""
    return [ChallengeSeat.of(fields) for fields in row.places]


def may_see(row: ChallengeRow, caller: Caller, key: str) -> bool:
    """Return whether the caller may see a challenge.

    Args:
        key: The key of the challenge, of a seat or of a link. Empty if the caller has none.
    """
    if caller.is_host or is_own(row, caller, key):
        return True
    return any(
        place.wanted is Wanted.ANYBODY
        or place.opens(key)
        or (caller.account is not None and caller.account in {place.account, place.taker})
        for place in places_of(row)
    )


def is_own(row: ChallengeRow, caller: Caller, key: str) -> bool:
    """Return whether the caller made a challenge and may therefore withdraw it."""
    return is_same(key, row.key) or (caller.account is not None and row.owner_id == caller.account)


def sits_already(row: ChallengeRow, caller: Caller) -> bool:
    """Return whether the caller's account already has a seat or made the challenge."""
    takers = {place.taker for place in places_of(row)}
    return caller.account is not None and caller.account in {*takers, row.owner_id}


def plan_of(row: ChallengeRow, places: Sequence[ChallengeSeat]) -> MatchPlan:
    """Return the plan of the match with these seats. Shuffle the people if the sides are random."""
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

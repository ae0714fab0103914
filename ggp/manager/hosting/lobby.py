"""The lobby: create, accept, withdraw and decline challenges, and start matches from full ones."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from ggp.clock import milliseconds_since_1970
from ggp.manager.domain.accounts import folded_name
from ggp.manager.domain.challenges import (
    ChallengeSeat,
    Wanted,
    is_own,
    may_see,
    places_of,
    plan_of,
    sits_already,
)
from ggp.manager.domain.games import Catalogue
from ggp.manager.domain.matches import check_clocks, check_seed, played_by
from ggp.manager.domain.people import new_key, sitter_of
from ggp.manager.domain.players import PERSON, PlayerRegistry
from ggp.manager.domain.rights import EVERYBODY, Caller, Right, rights_of
from ggp.manager.errors import (
    ConflictError,
    NotAllowedError,
    NotThereError,
    WrongRequestError,
)
from ggp.manager.hosting.host import MatchHost
from ggp.manager.hosting.messages import Messages
from ggp.manager.store import accounts, challenges, matches
from ggp.manager.store.challenges import ChallengeRow
from ggp.manager.store.database import Database, Session
from ggp.manager.store.messages import About, News

MAX_OF_ACCOUNT: Final = 8
MAX_OF_ADDRESS: Final = 50
"""Largest number of open challenges per address without accounts. A class may share an address."""
MAX_OPEN: Final = 200
MILLISECONDS_A_MINUTE: Final = 60_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeWish:
    """A request for a new challenge."""

    game: str
    players: tuple[str, ...]
    """The players of all roles but `random`, in role order, as `ChallengeSeat.read` parses them."""
    name: str | None
    sides: str
    minutes: int
    """Minutes until the challenge expires."""
    plan: Mapping[str, Any]
    """The match's other fields, as JSON."""


@dataclass(frozen=True, slots=True)
class TakenSeat:
    """A seat that a person has taken."""

    key: str
    match: int | None
    """The number of the match. None while other seats are open."""
    role: str | None
    """The role of the seat. None while it is not known."""


class Lobby:
    """All challenges of a manager."""

    def __init__(
        self,
        database: Database,
        catalogue: Catalogue,
        players: PlayerRegistry,
        host: MatchHost,
        messages: Messages | None,
    ) -> None:
        self._messages = messages
        self._database = database
        self._catalogue = catalogue
        self._players = players
        self._host = host
        self._turn = asyncio.Lock()

    async def make(self, caller: Caller, address: str, wish: ChallengeWish) -> ChallengeRow:
        """Store a new challenge."""
        check_clocks(
            caller.owner, startclock=wish.plan["startclock"], playclock=wish.plan["playclock"]
        )
        places = await self._places(caller, wish)
        rules = await self._catalogue.rules_of(wish.game)
        hides = await self._catalogue.hides(rules)
        check_seed(wish.game, wish.plan.get("seed"), hides=hides)
        now = milliseconds_since_1970()
        sitter = sitter_of(caller, wish.name, await self._names(), new_key())
        places = [
            place.taken_by(sitter) if place.wanted is Wanted.OWNER else place for place in places
        ]
        row = ChallengeRow(
            game=wish.game,
            plan=dict(wish.plan),
            sides=wish.sides,
            places=[place.to_json() for place in places],
            key=sitter.key,
            owner_id=caller.account,
            owner_name=sitter.name,
            address=address[:64],
            created=now,
            expires=now + wish.minutes * MILLISECONDS_A_MINUTE,
        )
        async with self._database.writing() as session:
            if await challenges.num_open(session, now) >= MAX_OPEN:
                raise ConflictError(f"{MAX_OPEN} challenges are open; try again later")
            number, most = await _num_of_one(session, row)
            if number >= most:
                raise ConflictError(f"{most} of your challenges are open; withdraw one first")
            await challenges.create(session, row)
        invited = [place.account for place in places if place.account is not None]
        if self._messages is not None and invited:
            text = f"{row.owner_name} wants to play {row.game} with you"
            path = f"/challenges/{row.id}"
            subject = f"challenge {row.id} of {now}"
            await self._messages.tell(invited, News(About.CHALLENGE, subject, text, path))
        return row

    async def listed(self, caller: Caller) -> list[ChallengeRow]:
        """Return the open challenges that the caller may see without a link, newest first."""
        rows = await self._database.read(challenges.open_ones, milliseconds_since_1970())
        return [row for row in rows if may_see(row, caller, "")]

    async def find(self, number: int, caller: Caller, key: str) -> ChallengeRow:
        """Return a challenge that the caller may see.

        Args:
            key: The key of the challenge, of a seat or of a link. Empty if the caller has none.
        """
        row = await self._database.write(challenges.find, number, milliseconds_since_1970())
        if not may_see(row, caller, key):
            raise NotThereError(f"there is no challenge {number}")
        return row

    async def accept(
        self, number: int, caller: Caller, *, role: str | None, name: str | None, link: str
    ) -> TakenSeat:
        """Take a seat for the caller. If it is the last open seat, the match begins."""
        async with self._turn:
            row = await self.find(number, caller, link)
            _check_open(row)
            places = places_of(row)
            place = _chosen(row, caller, role, link)
            await self._check_room(caller)
            taken = place.taken_by(sitter_of(caller, name, await self._names(), new_key()))
            places[places.index(place)] = taken
            match = None
            if not any(one.is_open for one in places):
                plan = replace(plan_of(row, places), student=caller.owner)
                match = await self._host.set_up(plan)
            await self._database.write(_write_places, number, places, match)
        return TakenSeat(taken.key, match, await self._role_of(match, taken.key))

    async def withdraw(self, number: int, caller: Caller, key: str) -> None:
        """Withdraw one of the caller's challenges."""
        row = await self.find(number, caller, key)
        if not (caller.is_host or is_own(row, caller, key)):
            raise NotAllowedError(
                f"challenge {number} belongs to {row.owner_name}; log in as its author, "
                "or send the key of the challenge"
            )
        await self._close(number, challenges.WITHDRAWN)

    async def decline(self, number: int, caller: Caller) -> None:
        """Decline a challenge to the caller's account."""
        row = await self.find(number, caller, "")
        if not any(place.account_name and place.is_for(caller, "") for place in places_of(row)):
            raise NotAllowedError(f"challenge {number} is not addressed to your account")
        await self._close(number, challenges.DECLINED)

    async def _close(self, number: int, status: str) -> None:
        async with self._turn, self._database.writing() as session:
            row = await challenges.find(session, number, milliseconds_since_1970())
            _check_open(row)
            row.status = status

    async def _names(self) -> list[str]:
        return [row.name for row in await self._players.visible(EVERYBODY)]

    async def _places(self, caller: Caller, wish: ChallengeWish) -> list[ChallengeSeat]:
        roles = await self._catalogue.roles_of(wish.game)
        played = played_by(wish.game, roles, wish.players)
        places = list(map(ChallengeSeat.read, played, wish.players))
        owners = sum(place.wanted is Wanted.OWNER for place in places)
        if owners > 1 or not any(
            place.is_open and place.wanted is not Wanted.OWNER for place in places
        ):
            raise WrongRequestError(
                f"players: expected {PERSON} at most once, and an open seat such as "
                f"{PERSON}:anybody, {PERSON}:link or {PERSON}:@NAME"
            )
        programs = [place.player for place in places if place.wanted is Wanted.PROGRAM]
        await self._players.check_seats([*programs, *[PERSON] * owners], caller)
        for program in programs:
            await self._players.seat(program)
        return [await self._addressed(place, caller) for place in places]

    async def _addressed(self, place: ChallengeSeat, caller: Caller) -> ChallengeSeat:
        if place.wanted is Wanted.LINK:
            return replace(place, link=new_key())
        if place.wanted is not Wanted.ACCOUNT:
            return place
        row = None
        if caller.account is not None:
            row = await self._database.read(accounts.named, folded_name(place.player))
        if row is None or row.is_locked or Right.PLAY not in rights_of(row.role):
            raise WrongRequestError(
                f"players: there is no account {place.player:.60} that may play"
            )
        if row.id == caller.account:
            raise WrongRequestError(
                f"players: {row.name} is your own account; write {PERSON} for yourself"
            )
        return replace(place, player=row.name, account=row.id)

    async def _check_room(self, caller: Caller) -> None:
        if caller.owner is None:
            return
        number = await self._database.read(matches.num_open, caller.owner)
        if number >= matches.MAX_OF_STUDENT:
            raise ConflictError(f"{number} of your matches are not over; finish one first")

    async def _role_of(self, match: int | None, key: str) -> str | None:
        if match is None:
            return None
        row = await self._database.read(matches.find, match)
        return next((seat.role for seat in row.seats if seat.key == key), None)


def _chosen(row: ChallengeRow, caller: Caller, role: str | None, link: str) -> ChallengeSeat:
    """Return the seat that the caller is to take."""
    places = places_of(row)
    if role is not None and role not in {place.role for place in places}:
        raise WrongRequestError(f"role: {row.game} has no role {role:.100} for players")
    if sits_already(row, caller):
        raise ConflictError(
            f"you already have a seat in challenge {row.id}; another person must take this one"
        )
    wanted = [place for place in places if role in {None, place.role}]
    fits = [place for place in wanted if place.is_for(caller, link)]
    if fits:
        return fits[0]
    if not any(place.is_open for place in wanted):
        raise ConflictError(f"the seat of {role} in challenge {row.id} is taken")
    raise NotAllowedError(
        f"challenge {row.id} is for another person; use the link that this person "
        "got, or log in to that account"
    )


def _check_open(row: ChallengeRow) -> None:
    if row.status != challenges.OPEN:
        raise ConflictError(f"challenge {row.id} is {row.status}, so it is no longer open")


async def _num_of_one(session: Session, row: ChallengeRow) -> tuple[int, int]:
    """Return how many open challenges the author of `row` has, and how many are allowed."""
    if row.owner_id is not None:
        number = await challenges.num_open(session, row.created, owner=row.owner_id)
        return number, MAX_OF_ACCOUNT
    number = await challenges.num_open(session, row.created, address=row.address)
    return number, MAX_OF_ADDRESS


async def _write_places(
    session: Session, number: int, places: list[ChallengeSeat], match: int | None
) -> None:
    row = await session.get_one(ChallengeRow, number)
    row.places = [place.to_json() for place in places]
    if match is not None:
        row.status, row.match_id = challenges.ACCEPTED, match

"""Agreements of the people in a match: draws, take-backs, rematches, and revealing hidden moves.

An offer takes effect when all other people in the match have made the same offer.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from ggp.manager.domain.matches import MatchMaker, MatchPlan, check_clocks
from ggp.manager.domain.people import PersonClock, Sitter, drawn, is_at_stake, new_key, resigned
from ggp.manager.domain.players import PERSON
from ggp.manager.domain.rights import current_caller, is_closed
from ggp.manager.errors import ConflictError
from ggp.manager.hosting.host import MatchHost
from ggp.manager.hosting.match_table import MatchTables
from ggp.manager.hosting.people import MatchPeople, Offer, People
from ggp.manager.store import matches
from ggp.manager.store.database import Database
from ggp.manager.store.tables import OVER, MatchRow, SeatRow, Status, Unrated


@dataclass(frozen=True, slots=True)
class Agreement:
    """The result of an offer."""

    is_agreed: bool
    number: int | None = None
    """The number of the rematch. None if there is none."""
    key: str = ""
    """The key of the caller's seat in the rematch. Empty if there is none."""


class Agreements:
    """What people do in a match besides moving: resign, break it off, make and answer offers."""

    def __init__(
        self,
        database: Database,
        matchmaker: MatchMaker,
        host: MatchHost,
        tables: MatchTables,
        people: People,
    ) -> None:
        self._database = database
        self._matchmaker = matchmaker
        self._host = host
        self._tables = tables
        self._people = people
        self._turn = asyncio.Lock()

    async def resign(self, number: int, role: str) -> None:
        """Resign a match for the person who plays `role`."""
        match = await self._database.read(matches.find, number)
        _check_played(match)
        await self._host.settle(number, resigned(match, role))

    async def break_off(self, match: MatchRow) -> None:
        """Abort a match at a user's request, unless that would cost another player a result."""
        if match.tournament_id is not None:
            raise ConflictError(f"match {match.id} is of a tournament; resign instead")
        if await self._database.read(is_at_stake, match):
            raise ConflictError(
                f"match {match.id} is rated and all have chosen a move; resign, or agree on a "
                "draw (a host may abort it)"
                if match.people
                else f"match {match.id} is rated and has begun; wait for its end (a lecturer may "
                'abort it; a match with "rated": false may be aborted by its owner)'
            )
        await self._host.abort(match.id)

    async def offer(
        self, number: int, role: str, kind: Offer, turns: int | None = None
    ) -> Agreement:
        """Make an offer to the other people, or accept what they have offered.

        Args:
            turns: For a take-back: how many turns are to remain. None for the number that another
                person has offered or, without an offer, for the turns before the last choice.
        """
        async with self._turn:
            match = await self._database.read(matches.find, number, with_rules=True)
            people = self._people_of(match)
            if kind is Offer.DRAW:
                return await self._draw(match, people, role)
            if kind is Offer.TAKE_BACK:
                return await self._take_back(match, people, role, turns)
            if kind is Offer.REMATCH:
                return await self._rematch(match, people, role)
            return await self._reveal(match, people, role)

    async def decline(self, number: int, role: str, kind: Offer) -> None:
        """Decline an offer that other people made, or withdraw the offer of `role`."""
        match = await self._database.read(matches.find, number)
        self._people_of(match).decline(kind, role)

    def _people_of(self, match: MatchRow) -> MatchPeople:
        people = self._people.of(match)
        if people is None:
            raise ConflictError(
                f"no person plays in match {match.id}; only people can make and accept offers"
            )
        return people

    async def _draw(self, match: MatchRow, people: MatchPeople, role: str) -> Agreement:
        _check_played(match)
        programs = [seat for seat in match.seats if not seat.is_person]
        if programs:
            raise ConflictError(
                f"{programs[0].player_name} is a program, so it cannot agree to a draw"
            )
        if not people.others(role):
            raise ConflictError("no other person plays in this match who could agree to a draw")
        is_agreed = people.offer(Offer.DRAW, role)
        if is_agreed:
            await self._host.settle(match.id, drawn(match))
        return Agreement(is_agreed)

    async def _take_back(
        self, match: MatchRow, people: MatchPeople, role: str, turns: int | None
    ) -> Agreement:
        _check_played(match)
        if match.tournament_id is not None:
            raise ConflictError("moves cannot be taken back in a match of a tournament")
        if match.hides:  # people cannot forget what they have seen
            raise ConflictError(
                f"moves cannot be taken back in {match.game}, because the game has hidden "
                "information"
            )
        others = people.others(role)
        own = self._tables.person_at(match.id, role)
        seat = self._tables.asked_at(match.id) if others else own
        if seat is None:
            raise ConflictError("moves can only be taken back while a person is to move")
        offered = {
            one: said for one, said in people.offered(Offer.TAKE_BACK).items() if one != role
        }
        if turns is None:
            turns = next(iter(offered.values()), None)
        if turns is None:
            turns = await self._before_choice(match, role)
        seat.take_back_request(turns)
        is_agreed = people.offer(Offer.TAKE_BACK, role, turns)
        if is_agreed:
            if not others:
                await self._database.write(matches.set_unrated, match.id, Unrated.TAKEN_BACK)
            seat.take_back(turns)
        return Agreement(is_agreed)

    async def _before_choice(self, match: MatchRow, role: str) -> int:
        """Return how many turns were played before the last turn in which the role had a choice."""
        chosen = (await self._database.read(matches.choices_of, match))[match.roles.index(role)]
        if not chosen:
            raise ConflictError(f"{role} has not chosen a move yet, so no move can be taken back")
        return chosen[-1] - 1

    async def _rematch(self, match: MatchRow, people: MatchPeople, role: str) -> Agreement:
        if match.status not in OVER:
            raise ConflictError(f"match {match.id} is {match.status}; wait until it is over")
        if match.rematch is None:
            student = current_caller().owner
            check_clocks(student, startclock=match.startclock, playclock=match.playclock)
            if not people.offer(Offer.REMATCH, role):
                return Agreement(is_agreed=False)
            number = await self._matchmaker.write_down(_swapped(match))
            await self._database.write(matches.set_rematch, match.id, number)
            self._host.start(number)
            match.rematch = number
        again = await self._database.read(matches.find, match.rematch)
        place = [seat.role for seat in match.seats].index(role)
        return Agreement(True, again.id, again.seats[(place + 1) % len(again.seats)].key)

    async def _reveal(self, match: MatchRow, people: MatchPeople, role: str) -> Agreement:
        if not match.is_revealed:
            if match.status != Status.ABORTED or not is_closed(match):
                raise ConflictError(
                    f"match {match.id} is {match.status}; only an aborted match of a game "
                    "with hidden information can be revealed"
                )
            if not people.offer(Offer.REVEAL, role):
                return Agreement(is_agreed=False)
            await self._database.write(matches.reveal, match.id)
        return Agreement(is_agreed=True)


def _check_played(match: MatchRow) -> None:
    if match.status in OVER:
        raise ConflictError(f"match {match.id} is over: {match.status}")


def _swapped(match: MatchRow) -> MatchPlan:
    """Return the plan of the rematch, in which each player takes the next seat."""
    seats = [match.seats[-1], *match.seats[:-1]]
    keys = {
        seat.key: new_key() for seat in match.people
    }  # a person with several seats gets one new key for all of them
    return MatchPlan(
        game=match.game,
        players=tuple(_player(seat) for seat in seats),
        sitters=tuple(
            Sitter(seat.player_name, seat.account_id, keys[seat.key])
            for seat in seats
            if seat.is_person
        ),
        startclock=match.startclock,
        playclock=match.playclock,
        dialect=match.dialect,
        is_scrambled=match.is_scrambled,
        move_limit=match.move_limit,
        spectators=match.spectators,
        is_rated=match.unrated != Unrated.WANTED,
        owner=match.owner_id,
        clock=PersonClock.of(match),
    )


def _player(seat: SeatRow) -> str:
    if seat.is_person:
        return PERSON
    return seat.source if seat.player_id is None else seat.player_name

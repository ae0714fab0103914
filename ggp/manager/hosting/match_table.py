"""The table of a match: who knows its rules, and who sits there."""

from __future__ import annotations

import logging
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from ggp.engine import EngineConfig, EnginePool
from ggp.manager.domain.players import PlayerRegistry
from ggp.manager.domain.uploads import is_upload
from ggp.manager.hosting.match_order import MatchOrder, SeatOrder
from ggp.manager.hosting.open_rules import OpenRules
from ggp.manager.hosting.page_seat import PageSeat
from ggp.manager.store.database import Database
from ggp.manager.store.moves import KeptMove
from ggp.match.errors import AdjournedError
from ggp.match.following import FollowedRulebook
from ggp.match.rulebook import Rulebook
from ggp.match.seat import PatientSeat, Seat
from ggp.protocol.addresses import is_address
from ggp.protocol.dialects import MANNERS
from ggp.sandbox import SandboxPool
from ggp.seating.local import LocalSeat
from ggp.seating.remote import RemoteSeat
from ggp.seating.scrambling import Scrambler
from ggp.seating.simple import PLAYERS, SimpleSeat
from ggp.seating.submission import UploadedSeat
from ggp.submission.starter import Starter

_log = logging.getLogger(__name__)

SEED_BITS = 31
NUM_WARM = 2
"""Engine processes that wait with their imports loaded."""
SeatMaker = Callable[[SeatOrder, FollowedRulebook, Scrambler | None], Seat]


@dataclass(frozen=True, slots=True)
class MatchTable:
    """A table at which a match can be played."""

    rulebook: Rulebook
    rules: str
    """As START carries them."""
    seats: list[Seat]
    epilog: str = ""
    """The rules in Epilog, if some seat wants them so."""


@asynccontextmanager
async def laid_table(
    order: MatchOrder, sandboxes: SandboxPool, seat: SeatMaker
) -> AsyncIterator[MatchTable]:
    """The table of a match, as long as the `async with` lasts.

    Args:
        order: The match.
        sandboxes: Where rules are read that nobody vouches for.
        seat: Makes a seat; in order, after the rules are read.

    Raises:
        GgpError: The rules cannot be read, or a player cannot be asked.
        GdlError: The rules cannot be read.
    """
    rules = await OpenRules.open(order.sheet, sandboxes)
    try:
        epilog = await rules.epilog() if order.wants_epilog else ""
        book = FollowedRulebook(rules.rulebook)
        scrambler = Scrambler(rules.kif, order.seed or 0) if order.is_scrambled else None
        seats = [seat(one, book, scrambler) for one in order.seats]
        yield MatchTable(book, rules.kif, seats, epilog)
    finally:
        await rules.close()


def player_seat(
    order: SeatOrder,
    book: FollowedRulebook,
    scrambler: Scrambler | None,
    pool: EnginePool,
    answered: tuple[int, str] | None = None,
) -> Seat:
    """The seat of a player that is no person.

    Args:
        order: Who sits there.
        book: The rules of the match.
        scrambler: Words for players elsewhere; None for those of the rules.
        pool: Lends processes to those that search.
        answered: Of the seat that a player elsewhere had before the match rested.
    """
    if is_address(order.source):
        manner = MANNERS[order.dialect]
        return RemoteSeat(order.source, order.name, _log.warning, manner, scrambler, answered)
    if order.source in PLAYERS:
        return SimpleSeat(PLAYERS[order.source](order.seed), book, order.name)
    config = EngineConfig(player=order.source, seed=order.seed)
    return LocalSeat(pool, config, order.name, _log.info)


class MatchTables:
    """Makes the table for each match that is held by this process."""

    def __init__(
        self,
        database: Database,
        players: PlayerRegistry,
        pool: EnginePool,
        sandboxes: SandboxPool,
        person_seconds: float,
        starter: Starter,
    ) -> None:
        self._database = database
        self._players = players
        self._pool = pool
        self._sandboxes = sandboxes
        self._person_seconds = person_seconds
        self._starter = starter
        self._people: dict[tuple[int, str], PageSeat] = {}
        self._answers: dict[tuple[int, str], tuple[int, str]] = {}
        """Of players elsewhere in matches that rest: GGP-Base's make the moves of a PLAY twice
        that they get twice."""

    @asynccontextmanager
    async def open(self, number: int, order: MatchOrder) -> AsyncIterator[MatchTable]:
        """The table of a match, as long as it is played.

        Raises:
            GgpError: The rules cannot be read, or a player cannot be asked.
            GdlError: The rules cannot be read.
        """
        if order.num_searching:
            # Else the startclock would run out while the first process compiles its kernels.
            await self._pool.start_once(NUM_WARM)
            if not order.people:
                await self._pool.until_loaded(order.startclock)

        def seat(one: SeatOrder, book: FollowedRulebook, scrambler: Scrambler | None) -> Seat:
            return self._seat(number, one, book, scrambler)

        try:
            async with laid_table(order, self._sandboxes, seat) as table:
                self._name_who_hinders(number, table.seats)
                try:
                    yield table
                except AdjournedError:
                    self._keep_answers(number, order, table.seats)
                    raise
        finally:
            for one in order.seats:
                self._people.pop((number, one.role), None)

    def check(self, order: MatchOrder) -> None:
        """See that all players may still be asked.

        Raises:
            GgpError: One may not.
        """
        for one in order.seats:
            if one.source:
                self._players.check_source(one.source, one.name)

    def person_at(self, number: int, role: str) -> PageSeat | None:
        """The seat of a person in a match that runs; None if there is none."""
        return self._people.get((number, role))

    def _seat(
        self, number: int, order: SeatOrder, book: FollowedRulebook, scrambler: Scrambler | None
    ) -> Seat:
        if not order.source:
            kept = KeptMove(self._database, number, order.role_index)
            seat = PageSeat(order.name, order.role, book, self._person_seconds, kept)
            self._people[number, order.role] = seat
            return seat
        if is_upload(order.source):
            file = self._players.uploads.submission(order.source, order.name)
            seed = random.getrandbits(SEED_BITS) if order.seed is None else order.seed
            return UploadedSeat(self._starter, file, order.name, seed)
        answered = self._answers.pop((number, order.role), None)
        return player_seat(order, book, scrambler, self._pool, answered)

    def _keep_answers(self, number: int, order: MatchOrder, seats: list[Seat]) -> None:
        for one, seat in zip(order.seats, seats, strict=True):
            if isinstance(seat, RemoteSeat) and seat.answered is not None:
                self._answers[number, one.role] = seat.answered

    def _name_who_hinders(self, number: int, seats: list[Seat]) -> None:
        hinders = [seat.name for seat in seats if not isinstance(seat, PatientSeat)]
        for (match, _), person in self._people.items():
            if match == number and hinders:
                person.hinders = hinders[0]

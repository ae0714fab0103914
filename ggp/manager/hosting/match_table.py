"""Match orders, which say what to play, and tables: the rules and seats of a running match.

A table may be in the manager's process or on a machine of a cluster.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial

import gdl
from ggp.engine import EngineConfig, EnginePool
from ggp.manager.domain.people import PersonClock
from ggp.manager.domain.players import PlayerRegistry, searches_here
from ggp.manager.hosting.cores import IDLE_SECONDS
from ggp.manager.hosting.page_seat import PageSeat, SeatTime
from ggp.manager.hosting.people import People
from ggp.manager.store.database import Database
from ggp.manager.store.tables import MatchRow, RulesheetRow, is_upload
from ggp.manager.store.turns import KeptMove
from ggp.match.errors import AdjournedError
from ggp.match.referee import MatchSetup
from ggp.match.rulebook import FollowedRulebook, MachineRulebook, Rulebook
from ggp.match.seat import PatientSeat, Seat
from ggp.protocol.addresses import is_address
from ggp.protocol.dialects import DIALECTS, GAMEMASTER
from ggp.protocol.rules import epilog_of
from ggp.sandbox import SandboxPool, SandboxRulebook
from ggp.seating.local import PLAYERS, LocalSeat, SimpleSeat
from ggp.seating.remote import RemoteSeat, Scrambler
from ggp.submission.seat import UploadedSeat
from ggp.submission.starter import Starter

_log = logging.getLogger(__name__)

SEED_BITS = 31
NUM_WARM = 2
"""Number of idle engine processes to keep ready, with their imports loaded."""


def _seat_seed(seed: int, role_index: int) -> int:
    """Derive a player's seed from the match's seed.

    If the game hides information, the match's seed has more bits, so the player's seed does not
    reveal it.
    """
    return (seed + role_index) % (1 << 31)


@dataclass(frozen=True, slots=True)
class SeatOrder:
    """A seat and its player."""

    role: str
    role_index: int
    name: str
    """Name of the player in records and tables."""
    source: str
    """Address or spec of the player. Empty for a person."""
    dialect: str
    """Dialect of a player at an address."""
    seed: int | None
    """Seed for the random choices of a player that is started for this match."""
    clock_left: int | None = None
    """Milliseconds on a person's clock. None before the first move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchOrder:
    """A match to hold. From equal orders, deterministic players always play the same match."""

    match_id: str
    game: str
    rules: str
    is_bundled: bool
    """Whether the rules come with the program. Other rules are read in a sandbox."""
    seats: tuple[SeatOrder, ...]
    """The seats of all roles except `random`, in role order."""
    is_scrambled: bool
    startclock: int
    playclock: int
    move_limit: int | None
    seed: int | None
    clock: PersonClock | None = None
    """The clock of the people. None if they have none."""

    @classmethod
    def of(cls, match: MatchRow) -> MatchOrder:
        """Create the order for a stored match. `match` must include its seats and rules."""
        seats = [
            SeatOrder(
                role=row.role,
                role_index=row.role_index,
                name=row.player_name,
                source=row.source,
                dialect=row.dialect,
                seed=None if match.seed is None else _seat_seed(match.seed, row.role_index),
                clock_left=row.clock_left,
            )
            for row in match.seats
        ]
        return cls(
            match_id=match.match_id,
            game=match.rulesheet.name,
            rules=match.rulesheet.text,
            is_bundled=match.rulesheet.is_bundled,
            seats=tuple(seats),
            is_scrambled=match.is_scrambled,
            startclock=match.startclock,
            playclock=match.playclock,
            move_limit=match.move_limit,
            seed=match.seed,
            clock=PersonClock.of(match),
        )

    @property
    def sheet(self) -> RulesheetRow:
        """The rules as a row that is not in the database."""
        return RulesheetRow(name=self.game, text=self.rules, is_bundled=self.is_bundled)

    @property
    def wants_epilog(self) -> bool:
        """Whether a player gets the rules in Epilog."""
        return any(seat.dialect == GAMEMASTER for seat in self.seats)

    @property
    def num_searching(self) -> int:
        """Number of players that search on the machine that holds the match."""
        return sum(searches_here(seat.source) for seat in self.seats)

    @property
    def people(self) -> frozenset[str]:
        """The roles that people play."""
        return frozenset(seat.role for seat in self.seats if not seat.source)

    def setup(
        self, table: MatchTable, will_go_on: Callable[[], bool] = lambda: False
    ) -> MatchSetup:
        """Return the setup for the referee, given the match's table.

        Args:
            will_go_on: Returns whether the match will be resumed later if it is cancelled.
        """
        return MatchSetup(
            match_id=self.match_id,
            rulebook=table.rulebook,
            rules=table.rules,
            startclock=self.startclock,
            playclock=self.playclock,
            move_limit=self.move_limit,
            seed=self.seed,
            unhurried=self.people,
            epilog=table.epilog,
            will_go_on=will_go_on,
        )


@dataclass(frozen=True, slots=True)
class OpenRules:
    """Rules and their rulebook. The code that calls `open` has to call `close`."""

    sheet: RulesheetRow
    rulebook: Rulebook
    kif: str

    @classmethod
    async def open(cls, sheet: RulesheetRow, sandboxes: SandboxPool) -> OpenRules:
        """Read rules. Use a sandbox unless the rules come with the program."""
        if not sheet.is_bundled:
            sandboxed = await SandboxRulebook.open(sheet.text, sheet.name, sandboxes)
            return cls(sheet, sandboxed, sandboxed.kif)
        rules = await asyncio.to_thread(gdl.read_rules, sheet.text, sheet.name)
        machine = await asyncio.to_thread(gdl.load, rules, "interpreter")
        book = MachineRulebook(machine, has_percepts=rules.has_percepts)
        return cls(sheet, book, " ".join(map(str, rules.forms)))

    async def epilog(self) -> str:
        """Return the rules in Epilog."""
        if isinstance(self.rulebook, SandboxRulebook):
            return await self.rulebook.epilog()
        return await asyncio.to_thread(epilog_of, self.sheet.text, self.sheet.name)

    async def close(self) -> None:
        """End the sandbox process, if there is one."""
        if isinstance(self.rulebook, SandboxRulebook):
            await self.rulebook.close()


SeatMaker = Callable[[SeatOrder, FollowedRulebook, Scrambler | None], Seat]


@dataclass(frozen=True, slots=True)
class MatchTable:
    """The rules and seats of a match that is being played."""

    rulebook: Rulebook
    rules: str
    seats: list[Seat]
    epilog: str = ""

    def attempts(self, order: MatchOrder) -> list[tuple[SeatOrder, Sequence[str]]]:
        """Return the forbidden attempts of uploaded players. Call this after the match."""
        return [
            (one, seat.notes.attempts)
            for one, seat in zip(order.seats, self.seats, strict=True)
            if isinstance(seat, UploadedSeat) and seat.notes.attempts
        ]


@asynccontextmanager
async def open_table(
    order: MatchOrder, sandboxes: SandboxPool, seat: SeatMaker
) -> AsyncIterator[MatchTable]:
    """Open the table of a match, and close it at the end of the `async with`.

    Args:
        seat: Creates the seat of a player. Called once for each seat, in order.
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
    *,
    with_people: bool = False,
) -> Seat:
    """Create the seat of a program.

    Args:
        scrambler: Translates the rules' words for players at an address. None for no translation.
        with_people: Whether people play in the match. Then the player ponders only for a while.
        answered: The value of `answered` in the player's seat before the match was paused.
    """
    if is_address(order.source):
        dialect = DIALECTS[order.dialect]
        return RemoteSeat(order.source, order.name, _log.warning, dialect, scrambler, answered)
    if order.source in PLAYERS:
        return SimpleSeat(PLAYERS[order.source](order.seed), book, order.name)
    config = EngineConfig(player=order.source, seed=order.seed)
    if with_people:
        config = replace(config, ponder_seconds=IDLE_SECONDS)
    return LocalSeat(pool, config, order.name, _log.info)


class MatchTables:
    """The tables of the matches that this process holds.

    Attributes:
        people: The people of these matches.
    """

    def __init__(
        self,
        database: Database,
        players: PlayerRegistry,
        pool: EnginePool,
        sandboxes: SandboxPool,
        people: People,
        starter: Starter,
    ) -> None:
        self._database = database
        self._players = players
        self._pool = pool
        self._sandboxes = sandboxes
        self._starter = starter
        self.people = people
        self._page_seats: dict[tuple[int, str], PageSeat] = {}
        self._answers: dict[tuple[int, str], tuple[int, str]] = {}
        """The latest answers of players elsewhere in paused matches, by match and role. Players of
        GGP-Base would make the moves of a PLAY twice if it were repeated."""

    @asynccontextmanager
    async def open(self, number: int, order: MatchOrder) -> AsyncIterator[MatchTable]:
        """Open the table of a match, and close it at the end of the `async with`."""
        if order.num_searching:
            # Otherwise the first process would compile its kernels while the startclock runs.
            await self._pool.start_once(NUM_WARM)
            if not order.people:
                await self._pool.until_loaded(order.startclock)

        try:
            seat = partial(self._seat, number, order.clock)
            async with open_table(order, self._sandboxes, seat) as table:
                self._name_who_hinders(number, table.seats)
                try:
                    yield table
                except AdjournedError:
                    self._keep_answers(number, order, table.seats)
                    raise
        finally:
            for one in order.seats:
                self._page_seats.pop((number, one.role), None)

    def check(self, order: MatchOrder) -> None:
        """Raise an error if one of the players is no longer allowed."""
        for one in order.seats:
            if one.source:
                self._players.check_source(one.source, one.name)

    def person_at(self, number: int, role: str) -> PageSeat | None:
        """Return the seat of the person who plays a role in a running match, or None."""
        return self._page_seats.get((number, role))

    def asked_at(self, number: int) -> PageSeat | None:
        """Return the seat of a person who is to move in a match now. None if there is none."""
        seats = (seat for (match, _), seat in self._page_seats.items() if match == number)
        return next((seat for seat in seats if seat.turn is not None), None)

    def _seat(
        self,
        number: int,
        clock: PersonClock | None,
        order: SeatOrder,
        book: FollowedRulebook,
        scrambler: Scrambler | None,
    ) -> Seat:
        people = self.people.find(number)
        if not order.source:
            time = SeatTime(clock, order.clock_left, self.people.person_seconds)
            kept = KeptMove(self._database, number, order.role_index)
            seat = PageSeat(order.name, order.role, book, time, kept, people)
            self._page_seats[number, order.role] = seat
            return seat
        if is_upload(order.source):
            file = self._players.uploads.submission(order.source, order.name)
            seed = random.getrandbits(SEED_BITS) if order.seed is None else order.seed
            return UploadedSeat(self._starter, file, order.name, seed)
        answered = self._answers.pop((number, order.role), None)
        has_people = people is not None
        return player_seat(order, book, scrambler, self._pool, answered, with_people=has_people)

    def _keep_answers(self, number: int, order: MatchOrder, seats: list[Seat]) -> None:
        for one, seat in zip(order.seats, seats, strict=True):
            if isinstance(seat, RemoteSeat) and seat.answered is not None:
                self._answers[number, one.role] = seat.answered

    def _name_who_hinders(self, number: int, seats: list[Seat]) -> None:
        hinders = [seat.name for seat in seats if not isinstance(seat, PatientSeat)]
        for (match, _), person in self._page_seats.items():
            if match == number and hinders:
                person.hinders = hinders[0]

"""The table of a match: who knows its rules, and who sits there."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from ggp.engine import EngineConfig, EnginePool
from ggp.manager.domain.players import PlayerRegistry, searches_here
from ggp.manager.hosting.open_rules import OpenRules
from ggp.manager.hosting.page_seat import PageSeat
from ggp.manager.store.database import Database
from ggp.manager.store.moves import KeptMove
from ggp.manager.store.tables import MatchRow, SeatRow
from ggp.match.errors import AdjournedError
from ggp.match.following import FollowedRulebook
from ggp.match.rulebook import Rulebook
from ggp.match.seat import PatientSeat, Seat
from ggp.protocol.addresses import is_address
from ggp.protocol.dialects import GAMEMASTER, MANNERS
from ggp.sandbox import SandboxPool
from ggp.seating.local import LocalSeat
from ggp.seating.remote import RemoteSeat
from ggp.seating.scrambling import Scrambler
from ggp.seating.simple import PLAYERS, SimpleSeat

_log = logging.getLogger(__name__)

NUM_WARM = 2
"""Engine processes that wait with their imports loaded."""


@dataclass(frozen=True, slots=True)
class MatchTable:
    """A table at which a match can be played."""

    rulebook: Rulebook
    rules: str
    """As START carries them."""
    seats: list[Seat]
    unhurried: frozenset[str]
    """Roles without a playclock: those that people play."""
    epilog: str = ""
    """The rules in Epilog, if some seat wants them so."""


class MatchTables:
    """Makes the table for each match."""

    def __init__(
        self,
        database: Database,
        players: PlayerRegistry,
        pool: EnginePool,
        sandboxes: SandboxPool,
        person_seconds: float,
    ) -> None:
        self._database = database
        self._players = players
        self._pool = pool
        self._sandboxes = sandboxes
        self._person_seconds = person_seconds
        self._people: dict[tuple[int, str], PageSeat] = {}
        self._answers: dict[tuple[int, str], tuple[int, str]] = {}
        """Of players elsewhere in matches that rest: GGP-Base's make the moves of a PLAY twice
        that they get twice."""

    @asynccontextmanager
    async def open(self, match: MatchRow) -> AsyncIterator[MatchTable]:
        """The table of a match, as long as it is played.

        Raises:
            GgpError: The rules cannot be read, or a player cannot be asked.
            GdlError: The rules cannot be read.
        """
        if num_searching(match):
            # Else the startclock would run out while the first process compiles its kernels.
            await self._pool.start(NUM_WARM)
        rules = await OpenRules.open(match.rulesheet, self._sandboxes)
        try:
            wants_epilog = any(row.dialect == GAMEMASTER for row in match.seats)
            epilog = await rules.epilog() if wants_epilog else ""
            book = FollowedRulebook(rules.rulebook)
            scrambler = Scrambler(rules.kif, match.seed or 0) if match.is_scrambled else None
            seats = [self._seat(match, row, book, scrambler) for row in match.seats]
            self._name_who_hinders(match.id, seats)
            people = frozenset(row.role for row in match.seats if not row.source)
            try:
                yield MatchTable(book, rules.kif, seats, people, epilog)
            except AdjournedError:
                self._keep_answers(match, seats)
                raise
        finally:
            for row in match.seats:
                self._people.pop((match.id, row.role), None)
            await rules.close()

    def person_at(self, number: int, role: str) -> PageSeat | None:
        """The seat of a person in a match that runs; None if there is none."""
        return self._people.get((number, role))

    def _seat(
        self, match: MatchRow, row: SeatRow, book: FollowedRulebook, scrambler: Scrambler | None
    ) -> Seat:
        number = match.id
        if not row.source:
            kept = KeptMove(self._database, number, row.role_index)
            seat = PageSeat(row.player_name, row.role, book, self._person_seconds, kept)
            self._people[number, row.role] = seat
            return seat
        self._players.check_source(row.source, row.player_name)
        if is_address(row.source):
            manner, answered = MANNERS[row.dialect], self._answers.pop((number, row.role), None)
            return RemoteSeat(
                row.source, row.player_name, _log.warning, manner, scrambler, answered
            )
        seed = None if match.seed is None else match.seed + row.role_index
        if row.source in PLAYERS:
            return SimpleSeat(PLAYERS[row.source](seed), book, row.player_name)
        config = EngineConfig(player=row.source, seed=seed)
        return LocalSeat(self._pool, config, row.player_name, _log.info)

    def _keep_answers(self, match: MatchRow, seats: list[Seat]) -> None:
        for row, seat in zip(match.seats, seats, strict=True):
            if isinstance(seat, RemoteSeat) and seat.answered is not None:
                self._answers[match.id, row.role] = seat.answered

    def _name_who_hinders(self, number: int, seats: list[Seat]) -> None:
        hinders = [seat.name for seat in seats if not isinstance(seat, PatientSeat)]
        for (match, _), person in self._people.items():
            if match == number and hinders:
                person.hinders = hinders[0]


def num_searching(match: MatchRow) -> int:
    """Number of players of a match that search on this machine."""
    return sum(searches_here(row.source) for row in match.seats)


def has_person(match: MatchRow) -> bool:
    """Whether somebody waits for a match to begin, to play in it."""
    return not all(row.source for row in match.seats)

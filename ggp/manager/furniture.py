"""The furniture of a match: who knows its rules, and who sits at the table."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import gdl
from ggp.engine import EngineConfig, EnginePool
from ggp.manager.config import ManagerConfig
from ggp.manager.person import PersonSeat
from ggp.manager.store.database import Database
from ggp.manager.store.matches import Match
from ggp.manager.store.moves import KeptMove
from ggp.manager.store.tables import SeatRow
from ggp.match.errors import AdjournedError
from ggp.match.following import FollowedRulebook
from ggp.match.rulebook import MachineRulebook, Rulebook
from ggp.match.seat import PatientSeat, Seat
from ggp.players import registry
from ggp.players.options import PlayerSpecError
from ggp.protocol.addresses import is_address
from ggp.protocol.dialects import GAMEMASTER, MANNERS
from ggp.protocol.rules import epilog_of
from ggp.sandbox import SandboxPool, SandboxRulebook
from ggp.seating.local import LocalSeat
from ggp.seating.remote import RemoteSeat
from ggp.seating.scrambling import Scrambler
from ggp.seating.simple import PLAYERS, SimpleSeat

_log = logging.getLogger(__name__)

NUM_WARM = 2
"""Engine processes that wait with their imports loaded."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A table that is laid."""

    rulebook: Rulebook
    rules: str
    """As START carries them."""
    seats: list[Seat]
    unhurried: frozenset[str]
    """Roles without a playclock: those that people play."""
    epilog: str = ""
    """The rules in Epilog, if some seat wants them so."""


class Tables:
    """Lays the table for each match."""

    def __init__(
        self, config: ManagerConfig, pool: EnginePool, database: Database, sandboxes: SandboxPool
    ) -> None:
        self._config = config
        self._database = database
        self._pool = pool
        self._sandboxes = sandboxes
        self._people: dict[tuple[int, str], PersonSeat] = {}
        self._answers: dict[tuple[int, str], tuple[int, str]] = {}
        """Of players elsewhere in matches that rest: GGP-Base's make the moves of a PLAY twice
        that they get twice."""

    @asynccontextmanager
    async def laid(self, match: Match) -> AsyncIterator[Laid]:
        """The table of a match, as long as it is played.

        Raises:
            GgpError: The rules cannot be read, or a player cannot be asked.
            GdlError: The rules cannot be read.
        """
        async with AsyncExitStack() as stack:
            if self.num_searching(match):
                # Else the startclock would run out while the first process compiles its kernels.
                await self._pool.start(NUM_WARM)
            wants_epilog = any(row.dialect == GAMEMASTER for row in match.seats)
            epilog = ""
            if match.is_bundled:
                rules = await asyncio.to_thread(gdl.read_rules, match.text, match.row.game)
                machine = await asyncio.to_thread(gdl.load, rules, "interpreter")
                has_percepts = ("sees", 2) in rules.definitions
                book: Rulebook = MachineRulebook(machine, has_percepts=has_percepts)
                kif = " ".join(map(str, rules.forms))
                if wants_epilog:
                    epilog = await asyncio.to_thread(epilog_of, match.text, match.row.game)
            else:
                sandboxed = await SandboxRulebook.open(match.text, match.row.game, self._sandboxes)
                stack.push_async_callback(sandboxed.close)
                book, kif = sandboxed, sandboxed.kif
                if wants_epilog:
                    epilog = await sandboxed.epilog()
            try:
                followed = FollowedRulebook(book)
                scrambler = Scrambler(kif, match.row.seed or 0) if match.row.is_scrambled else None
                seats = [self._seat(match, row, followed, scrambler) for row in match.seats]
                self._tell_who_hinders(match.row.id, seats)
                people = frozenset(row.role for row in match.seats if not row.source)
                yield Laid(followed, kif, seats, people, epilog)
            except AdjournedError:
                self._keep_answers(match, seats)
                raise
            finally:
                for row in match.seats:
                    self._people.pop((match.row.id, row.role), None)

    def person_at(self, number: int, role: str) -> PersonSeat | None:
        """The seat of a person in a match that runs; None if there is none."""
        return self._people.get((number, role))

    def num_searching(self, match: Match) -> int:
        """Number of players of a match that search on this machine."""
        return sum(
            bool(row.source) and not is_address(row.source) and row.source not in PLAYERS
            for row in match.seats
        )

    def check_source(self, source: str, where: str) -> None:
        """See that a player can be asked: an address that is allowed, or a spec of ours.

        Raises:
            AddressError: Players may not run there.
            PlayerSpecError: There is no such player, or it would run foreign code.
            FileRefusedError: It would read files of this machine that are not for players.
        """
        if is_address(source):
            self._config.check_address(source, where)
            return
        name = registry.parse_spec(source).name
        if name not in registry.names():
            known = ", ".join(registry.names())
            raise PlayerSpecError(
                f"{where}: expected a registered player, http://HOST:PORT or one of {known}, "
                f"got {source!r:.100}{_own_player_hint(name)}"
            )
        registry.check(source)
        for option, file in registry.files_of(source).items():
            self._config.check_file(file, f"{where}: option {option}")

    def has_person(self, match: Match) -> bool:
        """Whether somebody waits for a match to begin, to play in it."""
        return not all(row.source for row in match.seats)

    def _seat(
        self, match: Match, row: SeatRow, book: FollowedRulebook, scrambler: Scrambler | None
    ) -> Seat:
        number = match.row.id
        if not row.source:
            seconds = self._config.person_seconds
            kept = KeptMove(self._database, number, row.role_index)
            seat = PersonSeat(row.player_name, row.role, book, seconds, kept)
            self._people[number, row.role] = seat
            return seat
        self.check_source(row.source, row.player_name)
        if is_address(row.source):
            manner, answered = MANNERS[row.dialect], self._answers.pop((number, row.role), None)
            return RemoteSeat(
                row.source, row.player_name, _log.warning, manner, scrambler, answered
            )
        seed = None if match.row.seed is None else match.row.seed + row.role_index
        if row.source in PLAYERS:
            return SimpleSeat(PLAYERS[row.source](seed), book, row.player_name)
        config = EngineConfig(player=row.source, seed=seed)
        return LocalSeat(self._pool, config, row.player_name, _log.info)

    def _keep_answers(self, match: Match, seats: list[Seat]) -> None:
        for row, seat in zip(match.seats, seats, strict=True):
            if isinstance(seat, RemoteSeat) and seat.answered is not None:
                self._answers[match.row.id, row.role] = seat.answered

    def _tell_who_hinders(self, number: int, seats: list[Seat]) -> None:
        hinders = [seat.name for seat in seats if not isinstance(seat, PatientSeat)]
        for (match, _), person in self._people.items():
            if match == number and hinders:
                person.hinders = hinders[0]


def _own_player_hint(name: str) -> str:
    """A hint for a name that means a player of one's own (`sampler:Sampler`): how it takes part."""
    if ":" not in name:
        return ""
    return f"; a player of your own: start it with `ggp serve --player {name}` and give its address"

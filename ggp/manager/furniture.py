"""What a match is played with: who knows its rules, and who sits at the table."""

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
from ggp.manager.store.matches import Match
from ggp.manager.store.tables import SeatRow
from ggp.match.rulebook import MachineRulebook, Rulebook
from ggp.match.seat import Seat
from ggp.players import registry
from ggp.players.options import PlayerSpecError
from ggp.sandbox import SandboxRulebook
from ggp.seating.local import LocalSeat
from ggp.seating.remote import RemoteSeat

_log = logging.getLogger(__name__)

CHEAP_PLAYERS = frozenset({"legal", "random"})
"""They take no core."""
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


class Tables:
    """Lays the table for each match."""

    def __init__(self, config: ManagerConfig, pool: EnginePool) -> None:
        self._config = config
        self._pool = pool
        self._people: dict[tuple[int, str], PersonSeat] = {}

    @asynccontextmanager
    async def laid(self, match: Match) -> AsyncIterator[Laid]:
        """The table of a match, as long as it is played.

        Raises:
            GgpError: The rules cannot be read, or a player cannot be asked.
            GdlError: The rules cannot be read.
        """
        async with AsyncExitStack() as stack:
            if any(row.source and not is_address(row.source) for row in match.seats):
                # Else the startclock would run out while the first process compiles its kernels.
                await self._pool.start(NUM_WARM)
            if match.is_bundled:
                rules = await asyncio.to_thread(gdl.read_rules, match.text, match.row.game)
                machine = await asyncio.to_thread(gdl.load, rules, "interpreter")
                has_percepts = ("sees", 2) in rules.definitions
                book: Rulebook = MachineRulebook(machine, has_percepts=has_percepts)
                kif = " ".join(map(str, rules.forms))
            else:
                sandboxed = await SandboxRulebook.open(match.text, match.row.game)
                stack.push_async_callback(sandboxed.close)
                book, kif = sandboxed, sandboxed.kif
            try:
                seats = [self._seat(match, row) for row in match.seats]
                people = frozenset(row.role for row in match.seats if not row.source)
                yield Laid(book, kif, seats, people)
            finally:
                for row in match.seats:
                    self._people.pop((match.row.id, row.role), None)

    def person_at(self, number: int, role: str) -> PersonSeat | None:
        """The seat of a person in a match that runs; None if there is none."""
        return self._people.get((number, role))

    def num_searching(self, match: Match) -> int:
        """How many players of a match search on this machine."""
        return sum(
            bool(row.source)
            and not is_address(row.source)
            and registry.parse_spec(row.source).name not in CHEAP_PLAYERS
            for row in match.seats
        )

    def check_source(self, source: str, where: str) -> None:
        """See that a player can be asked: an address that is allowed, or a spec of ours.

        Raises:
            AddressError: Players may not run there.
            PlayerSpecError: There is no such player, or it would run foreign code.
        """
        if is_address(source):
            self._config.check_address(source)
            return
        name = registry.parse_spec(source).name
        if name not in registry.names():
            known = ", ".join(registry.names())
            raise PlayerSpecError(
                f"{where}: expected a registered player, http://HOST:PORT or one of {known}, "
                f"got {source!r:.100}"
            )
        registry.check(source)

    def _seat(self, match: Match, row: SeatRow) -> Seat:
        number = match.row.id
        if not row.source:
            seat = self._people[number, row.role] = PersonSeat(row.player_name)
            return seat
        if is_address(row.source):
            self._config.check_address(row.source)
            return RemoteSeat(row.source, row.player_name, _log.warning)
        seed = None if match.row.seed is None else match.row.seed + row.role_index
        config = EngineConfig(player=row.source, seed=seed)
        return LocalSeat(self._pool, config, row.player_name, _log.info)


def is_address(source: str) -> bool:
    """Whether a player is a running one, not a spec."""
    return source.startswith(("http:", "https:"))

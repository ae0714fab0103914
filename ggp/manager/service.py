"""The manager's operations, whoever asks: the API, a page or the command line."""

from __future__ import annotations

import random
import secrets
import string
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from ggp import games
from ggp.clock import milliseconds_since_1970
from ggp.engine import EnginePool
from ggp.manager.apart import check_apart
from ggp.manager.config import ManagerConfig
from ggp.manager.furniture import Tables
from ggp.manager.gallery import Gallery
from ggp.manager.hints import Hints
from ggp.manager.hosting.cores import Cores
from ggp.manager.hosting.host import MatchHost
from ggp.manager.live import Hub
from ggp.manager.positions import Positions
from ggp.manager.problems import ConflictError, WrongRequestError
from ggp.manager.sandboxes import Sandboxes, open_sandboxes
from ggp.manager.store import matches, players, rulesheets
from ggp.manager.store.database import Database, Session, opened
from ggp.manager.store.matches import MatchPlan, SeatPlan
from ggp.manager.store.status import OVER
from ggp.manager.store.tables import PlayerRow
from ggp.match.referee import is_played
from ggp.players import registry
from ggp.protocol.addresses import is_address
from ggp.protocol.dialects import GAMEMASTER, GGP_BASE
from ggp.sandbox import SandboxRulebook

TOKEN_LETTERS = string.ascii_letters + string.digits
Check = Callable[[Session], Awaitable[None]]
Link = Callable[[Session, int], Awaitable[None]]
PERSON = "person"
"""The person who plays by hand, in place of a player's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A match that somebody wants. Clocks are seconds."""

    game: str
    players: tuple[str, ...]
    """By name or spec, one for each role but `random`, in role order; `PERSON` for who asks."""
    names: tuple[str, ...] = ()
    """Their names in this match, where not as above."""
    startclock: int = 10
    playclock: int = 5
    dialect: str = ""
    """In which players elsewhere are spoken to; empty: to each in its own."""
    dialects: tuple[str, ...] = ()
    """The same for each player by itself, where not as above."""
    is_scrambled: bool = False
    seed: int | None = None
    move_limit: int | None = None
    tournament_id: int | None = None


@dataclass(slots=True)
class Service:
    """A manager that is open for business."""

    config: ManagerConfig
    database: Database
    hub: Hub
    host: MatchHost
    tables: Tables
    positions: Positions
    gallery: Gallery
    hints: Hints
    sandboxes: Sandboxes

    async def rules_of(self, game: str) -> tuple[str, bool]:
        """The text of a game's rules, and whether it came with the program.

        Raises:
            UnknownNameError: There is no such game.
        """
        if game in games.names():
            return games.text(game), True
        async with self.database.reading() as session:
            row = await rulesheets.latest(session, game)
        if row is None:
            return games.text(game), True  # raises, with the names that come near
        return row.text, row.is_bundled

    async def roles_of(self, game: str) -> tuple[str, ...]:
        """All roles of a game, `random` too.

        Raises:
            GgpError: There is no such game, or its rules cannot be read.
        """
        if game in games.catalogue():
            return games.catalogue()[game].roles
        text, _ = await self.rules_of(game)
        book = await SandboxRulebook.open(text, game, self.sandboxes.pages)
        await book.close()
        return book.roles

    async def set_up(self, wanted: Proposal) -> int:
        """Write a match down and let it begin as soon as there are cores; its number.

        Raises:
            GgpError: There is no such game or player, they do not fit, or too many matches wait.
        """
        async with self.database.reading() as session:
            await self._check_room(session)  # before anything is made ready for it
        number = await self.write_down(wanted, self._check_room)
        self.host.start(number)
        return number

    async def write_down(
        self, wanted: Proposal, check: Check | None = None, link: Link | None = None
    ) -> int:
        """Write a match down that somebody will start; its number.

        Args:
            wanted: The match.
            check: Is called with the session first, to raise what speaks against it.
            link: Is called with the session and the number, to write down more, or nothing of it.

        Raises:
            GgpError: There is no such game or player, or they do not fit.
        """
        text, is_bundled = await self.rules_of(wanted.game)
        roles = await self.roles_of(wanted.game)
        played = [role for role in roles if is_played(role)]
        if len(wanted.players) != len(played):
            raise WrongRequestError(
                f"players: {wanted.game} takes {len(played)} ({', '.join(played)}), "
                f"got {len(wanted.players)}"
            )
        now = milliseconds_since_1970()
        names = wanted.names or wanted.players
        dialects = wanted.dialects or ("",) * len(played)
        seats = [
            await self._seat(roles.index(role), role, player, name, dialect or wanted.dialect)
            for role, player, name, dialect in zip(
                played, wanted.players, names, dialects, strict=True
            )
        ]
        check_apart((seat.player_name, seat.source) for seat in seats)
        _check_scrambling(wanted, seats)
        async with self.database.writing() as session:
            if check is not None:
                await check(session)
            rulesheet = await rulesheets.keep(
                session, wanted.game, text, now, is_bundled=is_bundled
            )
            plan = MatchPlan(
                match_id=f"ggp.{wanted.game}.{now}.{secrets.token_hex(3)}",
                rulesheet_id=rulesheet,
                game=wanted.game,
                roles=roles,
                seats=tuple(seats),
                startclock=wanted.startclock,
                playclock=wanted.playclock,
                dialect=wanted.dialect,
                is_scrambled=wanted.is_scrambled,
                seed=random.randrange(1 << 31) if wanted.seed is None else wanted.seed,
                move_limit=wanted.move_limit,
                tournament_id=wanted.tournament_id,
                random_token="".join(secrets.choice(TOKEN_LETTERS) for _ in range(32)),
                created=now,
            )
            number = await matches.create(session, plan)
            if link is not None:
                await link(session, number)
        return number

    async def resume(self, number: int) -> None:
        """Let an interrupted match go on, or one that says it runs and does not.

        Raises:
            ConflictError: It runs, or is over.
            UnknownMatchError: There is none of this number.
        """
        async with self.database.reading() as session:
            match = await matches.find(session, number)
        if match.row.status in OVER or self.host.is_running(number):
            raise ConflictError(
                f"match {number} is {match.row.status}; expected an interrupted one"
            )
        self.host.start(number)

    async def register(self, name: str, source: str, dialect: str) -> PlayerRow:
        """Write down a player that can be seated by its name from now on.

        Raises:
            GgpError: It cannot be asked, or the name means somebody else.
        """
        if name == PERSON or is_address(name):
            raise WrongRequestError(f"name: {name} means somebody else; expected another name")
        if name.partition(":")[0] in registry.names():
            raise WrongRequestError(
                f"name: {name} is a player of this program; expected another name"
            )
        self.tables.check_source(source, "source")
        now = milliseconds_since_1970()
        async with self.database.writing() as session:
            return await players.register(session, name, source, dialect, now)

    async def check_player(self, player: str) -> str:
        """See that a player can take part in a tournament: registered, or to be started or asked.

        Returns:
            Its address or spec.

        Raises:
            GgpError: It is neither, or a person: nobody would sit there all the time.
        """
        if player == PERSON:
            raise WrongRequestError("players: expected players for a tournament, got a person")
        return (await self._seat(0, "", player, player, "")).source

    async def _seat(self, index: int, role: str, player: str, name: str, dialect: str) -> SeatPlan:
        if player == PERSON:
            return SeatPlan(index, role, PERSON)
        async with self.database.reading() as session:
            known = {row.name: row for row in await players.listed(session)}
        row = known.get(player)
        if row is not None:
            self.tables.check_source(row.source, "players")
            return SeatPlan(index, role, name[:60], row.id, row.source, dialect or row.dialect)
        self.tables.check_source(player, "players")
        return SeatPlan(index, role, name[:60], None, player, dialect or GGP_BASE)

    async def _check_room(self, session: Session) -> None:
        waiting = await matches.num_open(session)
        if waiting >= self.config.max_waiting:
            raise ConflictError(f"{waiting} matches wait or run; expected fewer before a new one")


def _check_scrambling(wanted: Proposal, seats: list[SeatPlan]) -> None:
    """See that scrambled rules can be told to all."""
    for seat in seats:
        is_told = is_address(seat.source) and seat.dialect == GAMEMASTER
        if wanted.is_scrambled and is_told:
            raise WrongRequestError(
                f"scrambled: {seat.player_name} is told the rules in Epilog, as they stand; "
                "expected false, or another dialect"
            )


@asynccontextmanager
async def open_service(config: ManagerConfig) -> AsyncIterator[Service]:
    """Everything that a manager needs, as long as the `async with` lasts.

    Matches that were running when the last manager died are interrupted ones now.

    Raises:
        DatabaseError: The database cannot be opened.
        InUseError: Another manager uses it.
    """
    hub = Hub()
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(opened(config.database, alone=True))
        pool = await stack.enter_async_context(EnginePool())
        sandboxes = await stack.enter_async_context(open_sandboxes())
        async with database.writing() as session:
            await matches.interrupt_all(session, "the manager stopped")
        tables = Tables(config, pool, database, sandboxes.matches)
        cores = Cores(config.num_cores)
        host = MatchHost(database, hub, tables, cores, config.max_match_bytes)
        positions = Positions(database, sandboxes.pages)
        try:
            gallery, hints = Gallery(config.max_spectators), Hints(database, tables, pool)
            yield Service(config, database, hub, host, tables, positions, gallery, hints, sandboxes)
        finally:
            await host.close()
            await positions.close()

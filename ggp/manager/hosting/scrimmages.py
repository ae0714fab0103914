"""Scrimmages: students challenge the players of other students to a match."""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from ggp.clock import milliseconds_since_1970
from ggp.errors import UnknownNameError
from ggp.manager.domain.games import Catalogue
from ggp.manager.domain.matches import MatchPlan, check_clocks
from ggp.manager.domain.players import PlayerRegistry
from ggp.manager.domain.rights import EVERYBODY, Caller
from ggp.manager.errors import ConflictError, NotAllowedError, TooOftenError, WrongRequestError
from ggp.manager.hosting.host import MatchHost
from ggp.manager.hosting.messages import Messages
from ggp.manager.store import accounts, scrimmages
from ggp.manager.store.database import Database, Session
from ggp.manager.store.messages import About, News
from ggp.manager.store.scrimmages import Asked, ScrimmageRow
from ggp.manager.store.tables import PlayerRow, Unrated
from ggp.match.referee import is_played

MAX_A_DAY: Final = 30
"""Largest number of requests of an account or a team in 24 hours."""
MILLISECONDS_A_DAY: Final = 86_400_000
DAYS: Final = 3
"""Days until a request expires."""


class Accepts(StrEnum):
    """The standing answer of an owner to requests for scrimmages."""

    ASK = "ask"
    """The owner accepts or declines each one."""
    AUTO = "auto"
    """They begin at once. The owner is still asked about rated ones."""
    NEVER = "never"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScrimmageWish:
    """A request for a scrimmage. Clocks are in seconds."""

    game: str
    player: str
    opponent: str
    is_rated: bool
    startclock: int
    playclock: int


class Scrimmages:
    """The scrimmages of a course."""

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

    async def request(self, wish: ScrimmageWish, caller: Caller) -> ScrimmageRow:
        """Request a scrimmage. It begins at once if the opponent's owner accepts automatically."""
        owner = _owner_of(caller)
        mine, theirs = await self._pair(wish, caller)
        check_clocks(owner, startclock=wish.startclock, playclock=wish.playclock)
        roles = await self._catalogue.roles_of(wish.game)
        if sum(map(is_played, roles)) != 2:
            raise WrongRequestError(f"game: expected a game for two, got {wish.game}")
        now = milliseconds_since_1970()
        async with self._database.writing() as session:
            account = await accounts.find(session, theirs.owner_id or 0)
            if account.scrimmages == Accepts.NEVER:
                raise NotAllowedError(f"opponent: {theirs.name} plays no scrimmages")
            if await scrimmages.num_since(session, owner, now - MILLISECONDS_A_DAY) >= MAX_A_DAY:
                raise TooOftenError(
                    f"you have requested {MAX_A_DAY} scrimmages in 24 hours, the maximum"
                )
            row = ScrimmageRow(
                game=wish.game,
                player=mine.name,
                opponent=theirs.name,
                owner_id=owner,
                opponent_owner_id=account.id,
                is_rated=wish.is_rated,
                startclock=wish.startclock,
                playclock=wish.playclock,
                status=Asked.OPEN,
                created=now,
                expires=now + DAYS * MILLISECONDS_A_DAY,
            )
            session.add(row)
        if account.scrimmages == Accepts.AUTO and not wish.is_rated:
            row.match_id, row.status = await self._begin(row), Asked.ACCEPTED
        elif self._messages is not None:
            text = f"{mine.name} wants to play {wish.game} against {theirs.name}"
            news = News(About.CHALLENGE, f"scrimmage {row.id}", text, "/scrimmages")
            await self._messages.tell([account.id], news)
        return row

    async def listed(self, caller: Caller) -> list[ScrimmageRow]:
        """Return the latest requests from and to the caller, newest first."""
        return await self._database.read(scrimmages.of_owners, caller.owners)

    async def opponents(self, caller: Caller) -> list[str]:
        """Return the names of the players that the caller may challenge."""
        rows = [row for row in await self._players.visible(EVERYBODY) if _is_other(row, caller)]
        async with self._database.reading() as session:
            refusing = {
                row.id
                for row in await accounts.of_students(session)
                if row.scrimmages == Accepts.NEVER
            }
        return [row.name for row in rows if row.owner_id not in refusing]

    async def accept(self, number: int, caller: Caller) -> int:
        """Accept a request to the caller, and return the number of the match."""
        async with self._database.reading() as session:
            row = await scrimmages.find_open(session, number, milliseconds_since_1970())
        _check_is(caller, row.opponent_owner_id, number)
        return await self._begin(row)

    async def close(self, number: int, caller: Caller) -> None:
        """Decline a request to the caller, or withdraw one of the caller."""
        async with self._database.writing() as session:
            row = await scrimmages.find_open(session, number, milliseconds_since_1970())
            is_own = row.owner_id in caller.owners
            _check_is(caller, row.owner_id if is_own else row.opponent_owner_id, number)
            row.status = Asked.WITHDRAWN if is_own else Asked.DECLINED

    async def resume_all(self) -> None:
        """Resume all scrimmages that were interrupted because the manager stopped."""
        for number in await self._database.read(scrimmages.interrupted):
            self._host.start(number)

    async def accepts(self, caller: Caller) -> Accepts:
        """Return the caller's standing answer to requests."""
        return Accepts((await self._database.read(accounts.find, _owner_of(caller))).scrimmages)

    async def set_accepts(self, accepts: Accepts, caller: Caller) -> None:
        """Set the standing answer for the caller's players and those of the caller's team."""
        async with self._database.writing() as session:
            _owner_of(caller)  # which refuses lecturers
            for owner in caller.owners:
                (await accounts.find(session, owner)).scrimmages = accepts

    async def _begin(self, row: ScrimmageRow) -> int:
        """Set up the match of a request, with the seats drawn at random."""
        pair = [row.player, row.opponent]
        random.shuffle(pair)

        async def link(session: Session, match: int) -> None:
            # In the transaction that stores the match, so that each request gets one match.
            found = await scrimmages.find_open(session, row.id, milliseconds_since_1970())
            found.status, found.match_id = Asked.ACCEPTED, match

        return await self._host.set_up(
            MatchPlan(
                game=row.game,
                players=tuple(pair),
                startclock=row.startclock,
                playclock=row.playclock,
                is_rated=row.is_rated,
                why_unrated=Unrated.SCRIMMAGE,
                owner=row.owner_id,
                student=row.owner_id,
                also=link,
            )
        )

    async def _pair(self, wish: ScrimmageWish, caller: Caller) -> tuple[PlayerRow, PlayerRow]:
        rows = {row.name: row for row in await self._players.visible(EVERYBODY)}
        own = {name for name, row in rows.items() if row.owner_id in caller.owners}
        others = {name for name, row in rows.items() if _is_other(row, caller)}
        if wish.player not in own:
            raise UnknownNameError("player of yours", wish.player, own)
        if wish.opponent not in others:
            raise UnknownNameError("player of another student", wish.opponent, others)
        return rows[wish.player], rows[wish.opponent]


def _owner_of(caller: Caller) -> int:
    if caller.owner is None:
        raise ConflictError(
            "scrimmages are for students; lecturers set up matches with all players"
        )
    return caller.owner


def _is_other(row: PlayerRow, caller: Caller) -> bool:
    return row.owner_id is not None and row.owner_id not in caller.owners


def _check_is(caller: Caller, owner: int, number: int) -> None:
    if owner not in caller.owners:
        raise NotAllowedError(f"scrimmage {number} is not yours")

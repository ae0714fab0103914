"""Tournaments that players and people sign up for before a lecturer begins them.

A person signs up with an account and plays by hand, on a clock that the tournament has for people.
A person who makes no first move in time has lost the match, and no person plays two matches of a
tournament at the same time.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ggp.clock import milliseconds_since_1970
from ggp.manager.domain.accounts import number_of as account_of
from ggp.manager.domain.players import PERSON, PlayerRegistry
from ggp.manager.domain.rights import Caller, Right
from ggp.manager.domain.tournaments import TournamentMaker
from ggp.manager.errors import ConflictError, NotAllowedError
from ggp.manager.store import entrants, tournaments
from ggp.manager.store.database import Database, Session
from ggp.manager.store.entrants import PERSON_OF, EntrantRow, Presence
from ggp.manager.store.tables import OVER, TournamentRow
from ggp.tournament.plan import MAX_PLAYERS, Entrant, TournamentPlan

BY_HAND: Final = "by hand"


class SignUp:
    """The sign-up for tournaments that have not begun."""

    def __init__(self, database: Database, players: PlayerRegistry, maker: TournamentMaker) -> None:
        self._database = database
        self._players = players
        self._maker = maker

    async def join(self, number: int, entrant: Entrant, caller: Caller) -> None:
        """Sign up a player, or the caller as a person if the player is `PERSON`.

        Raises:
            ConflictError: The tournament has begun or is full, or the name takes part already.
        """
        if entrant.player == PERSON:
            entrant = Entrant(caller.name, f"{PERSON_OF}{account_of(caller)}")
        else:
            await self._players.check_entrant_of(entrant, caller)
            await self._players.entrant_source(entrant.player)
        async with self._database.writing() as session:
            row = await _open_one(session, number)
            if entrant.player.startswith(PERSON_OF) and row.clock is None:
                raise ConflictError(f"{row.name} has no clock for people, so only programs play")
            if len(_present(await entrants.listed(session, number))) >= MAX_PLAYERS:
                raise ConflictError(f"{MAX_PLAYERS} players have signed up, the maximum")
            await entrants.join(session, number, entrant, milliseconds_since_1970())

    async def leave(self, number: int, name: str, caller: Caller) -> None:
        """Take a player or a person back. Lecturers can do so for all."""
        rows = await self._database.read(entrants.listed, number)
        row = next((one for one in rows if one.name == name), None)
        if row is None or not row.player.startswith(PERSON_OF):
            await self._players.check_own(name, caller)
        elif not (caller.may(Right.HOLD) or row.player == f"{PERSON_OF}{caller.account}"):
            raise NotAllowedError(f"{name} is another person")
        async with self._database.writing() as session:
            await _open_one(session, number)
            await entrants.leave(session, number, name, milliseconds_since_1970(), BY_HAND)

    async def close(self, number: int) -> None:
        """End the sign-up. The caller then starts the tournament.

        Raises:
            ConflictError: The tournament has begun.
            PlanError: Too few have signed up, or the tournament would be too long.
        """
        async with self._database.reading() as session:
            row = await _open_one(session, number)
            present = _present(await entrants.listed(session, number))
        players = tuple(Entrant(one.name, one.player, one.dialect) for one in present)
        plan = replace(TournamentPlan.read(row.plan), players=players)
        await self._maker.check(plan)
        async with self._database.writing() as session:
            row = await _open_one(session, number)
            row.plan, row.is_open = plan.to_json(), False


def _present(rows: list[EntrantRow]) -> list[EntrantRow]:
    return [row for row in rows if row.state != Presence.LEFT]


async def _open_one(session: Session, number: int) -> TournamentRow:
    row = await tournaments.find(session, number)
    if not row.is_open or row.status in OVER:
        raise ConflictError(f"{row.name} is not open for sign-up")
    return row

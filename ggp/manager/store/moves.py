"""Moves that people have made in turns that are not over, so that none is lost.

A person's move may wait long for the others' of the same turn. It is written down before the answer
says that it counts; a match that was interrupted meanwhile goes on with it.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from ggp.manager.store.database import Database
from ggp.manager.store.tables import MoveRow

PATIENCE_SECONDS: Final = 3.0
"""Longest wait of a person for a full disk before the move is refused."""


class KeptMove:
    """The last move that the person in a seat has made."""

    def __init__(self, database: Database, match: int, role_index: int) -> None:
        self._database = database
        self._match = match
        self._role_index = role_index

    async def keep(self, turn: int, move: str) -> None:
        """Write a move down.

        Raises:
            UnavailableError: That cannot be done now.
        """
        row = {"match_id": self._match, "role_index": self._role_index}

        async def change(session: AsyncSession) -> None:
            await session.merge(MoveRow(**row, turn=turn, move=move))

        await self._database.keep(change, PATIENCE_SECONDS)

    async def found(self, turn: int) -> str | None:
        """The move that was made in a turn; None if none was.

        Raises:
            UnavailableError: The database cannot be read now.
        """
        async with self._database.reading() as session:
            row = await session.get(MoveRow, (self._match, self._role_index))
        return row.move if row is not None and row.turn == turn else None

    async def drop(self) -> None:
        """Forget the move: it does not count.

        Raises:
            UnavailableError: That cannot be done now.
        """

        async def change(session: AsyncSession) -> None:
            row = await session.get(MoveRow, (self._match, self._role_index))
            if row is not None:
                await session.delete(row)

        await self._database.keep(change, PATIENCE_SECONDS)


async def drop_all(session: AsyncSession, match: int) -> None:
    """Forget all moves of a match: it goes on from an earlier turn."""
    await session.execute(delete(MoveRow).where(MoveRow.match_id == match))

"""Turns as texts in the form that the database stores, and people's moves in unfinished turns."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Text, cast, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from ggp.manager.store.database import Database
from ggp.manager.store.tables import MoveRow, SeatRow, TurnRow

PAGE_BYTES: Final = 1 << 18
FIRST_TURNS: Final = 4
"""Number of turns on the first page. Later pages have about `PAGE_BYTES` each."""
MAX_TURNS: Final = 500
PATIENCE_SECONDS: Final = 3.0
"""Longest time that a person's move waits for space on a full disk before it is refused."""


@dataclass(frozen=True, slots=True)
class TurnText:
    """A turn with its lists as JSON texts."""

    number: int
    moves: str
    facts: str
    errors: str
    replies: str
    percepts: str
    time: int

    @property
    def size(self) -> int:
        """Approximate size in bytes."""
        return len(self.moves) + len(self.facts) + len(self.errors) + len(self.replies)

    def json(self) -> str:
        """Return the turn as JSON, with the fields of `PlayedTurn.fields`."""
        return (
            f'{{"number":{self.number},"moves":{self.moves},"facts":{self.facts},'
            f'"errors":{self.errors},"replies":{self.replies},"percepts":{self.percepts},'
            f'"time":{self.time}}}'
        )


async def pages(
    database: Database, match: int, first: int = 0, last: int | None = None
) -> AsyncIterator[list[TurnText]]:
    """Yield the turns of a match in order, page by page. Read each page only when it is needed."""
    num_turns = FIRST_TURNS
    while last is None or first <= last:
        query = (
            select(
                TurnRow.number,
                cast(TurnRow.moves, Text),
                cast(TurnRow.facts, Text),
                cast(TurnRow.errors, Text),
                cast(TurnRow.replies, Text),
                cast(TurnRow.percepts, Text),
                TurnRow.time,
            )
            .where(TurnRow.match_id == match, TurnRow.number >= first)
            .order_by(TurnRow.number)
            .limit(num_turns)
        )
        if last is not None:
            query = query.where(TurnRow.number <= last)
        async with database.reading() as session:
            page = [TurnText(*row) for row in await session.execute(query)]
        if not page:
            return
        yield page
        first = page[-1].number + 1
        mean = 1 + sum(turn.size for turn in page) // len(page)
        num_turns = max(1, min(MAX_TURNS, PAGE_BYTES // mean))


class KeptMove:
    """The last move of the person in a seat, as stored in the database."""

    def __init__(self, database: Database, match: int, role_index: int) -> None:
        self._database = database
        self._match = match
        self._role_index = role_index

    async def keep(self, turn: int, move: str, clock_left: int | None = None) -> None:
        """Store a move and the milliseconds left on the person's clock after it."""
        row = {"match_id": self._match, "role_index": self._role_index}

        async def change(session: AsyncSession) -> None:
            await session.merge(MoveRow(**row, turn=turn, move=move))
            await self._set_clock(session, clock_left)

        await self._database.keep_first(PATIENCE_SECONDS, change)

    async def found(self, turn: int) -> str | None:
        """Return the stored move for a turn, or None if there is none."""
        async with self._database.reading() as session:
            row = await session.get(MoveRow, (self._match, self._role_index))
        return row.move if row is not None and row.turn == turn else None

    async def drop(self, clock_left: int | None = None) -> None:
        """Delete the move, because it does not count. Store `clock_left` unless it is None."""

        async def change(session: AsyncSession) -> None:
            row = await session.get(MoveRow, (self._match, self._role_index))
            if row is not None:
                await session.delete(row)
            await self._set_clock(session, clock_left)

        await self._database.keep_first(PATIENCE_SECONDS, change)

    async def _set_clock(self, session: AsyncSession, left: int | None) -> None:
        if left is not None:
            seat = (SeatRow.match_id == self._match, SeatRow.role_index == self._role_index)
            await session.execute(update(SeatRow).where(*seat).values(clock_left=left))


async def drop_all(session: AsyncSession, match: int) -> None:
    """Clear all moves of a match that continues from an earlier turn.

    The rows stay, so that `movers_of` still finds them.
    """
    await session.execute(update(MoveRow).where(MoveRow.match_id == match).values(turn=0, move=""))


async def movers_of(session: AsyncSession, match: int) -> set[int]:
    """Return the indices of the roles whose people have moved, even if the moves do not count."""
    query = select(MoveRow.role_index).where(MoveRow.match_id == match)
    return set(await session.scalars(query))

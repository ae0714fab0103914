"""Turns as the texts that the database keeps, page by page: nothing large is held, or read twice.

What only goes on to somebody else need not be made into objects first.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Text, cast, select

from ggp.manager.store.database import Database
from ggp.manager.store.tables import TurnRow

PAGE_BYTES: Final = 1 << 18
FIRST_TURNS: Final = 4
"""Of the first page; those that follow have as many as make about `PAGE_BYTES`."""
MAX_TURNS: Final = 500


@dataclass(frozen=True, slots=True)
class TurnText:
    """A turn whose lists are JSON."""

    number: int
    moves: str
    facts: str
    errors: str
    replies: str
    percepts: str
    time: int

    @property
    def size(self) -> int:
        """Roughly, in bytes."""
        return len(self.moves) + len(self.facts) + len(self.errors) + len(self.replies)

    def json(self) -> str:
        """The turn as `PlayedTurn.fields` has it."""
        return (
            f'{{"number":{self.number},"moves":{self.moves},"facts":{self.facts},'
            f'"errors":{self.errors},"replies":{self.replies},"percepts":{self.percepts},'
            f'"time":{self.time}}}'
        )


async def pages(
    database: Database, match: int, first: int = 0, last: int | None = None
) -> AsyncIterator[list[TurnText]]:
    """The turns of a match, in order; each page is read when it is asked for.

    Raises:
        UnavailableError: The database cannot be read now.
    """
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

"""How long things are kept: what matches were like turn by turn is removed, what came out stays.

Of a match that was over long ago its turns, its moves and its report go; players, goals and faults
stay, so that ratings and tables are what they were. A match that can go on, or that belongs to a
tournament that does, is left alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from ggp.manager.store.database import Database
from ggp.manager.store.tables import (
    AccountKeyRow,
    MatchRow,
    ReportRow,
    TurnRow,
)

AT_ONCE: Final = 50
"""Matches that are pruned in one transaction: nobody waits long for the database."""


@dataclass(frozen=True, slots=True)
class Pruned:
    """What is removed, or would be."""

    matches: int = 0
    turns: int = 0
    reports: int = 0
    keys: int = 0
    """Sessions, links and tokens that are no longer valid."""


async def what_is_old(session: AsyncSession, before: int, now: int) -> Pruned:
    """Count what `prune` would remove.

    Args:
        before: Matches that were over before this go.
        now: Keys that were valid until then go.
    """
    old = select(MatchRow.id).where(*_is_old(before))
    turns, reports = (
        await session.scalar(
            select(func.count()).select_from(table).where(table.match_id.in_(old))
        )
        for table in (TurnRow, ReportRow)
    )
    keys = await session.scalar(
        select(func.count()).select_from(AccountKeyRow).where(AccountKeyRow.expires <= now)
    )
    matches = await session.scalar(select(func.count()).select_from(old.subquery()))
    return Pruned(matches or 0, turns or 0, reports or 0, keys or 0)


async def prune(database: Database, before: int, now: int) -> Pruned:
    """Remove what is old, a little at a time.

    Args:
        before: As for `what_is_old`; likewise `now`.
    """
    removed = Pruned()
    while numbers := await database.read(_oldest, before):
        removed = await database.write(_remove, numbers, removed)
    async with database.writing() as session:
        old = delete(AccountKeyRow).where(AccountKeyRow.expires <= now)
        keys = await session.execute(old.returning(AccountKeyRow.id))
        num_keys = len(keys.all())
    return Pruned(removed.matches, removed.turns, removed.reports, num_keys)

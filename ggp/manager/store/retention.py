"""Pruning old matches: their turns are deleted, and their results stay.

Turns, moves and reports of old matches are deleted. Players, goals and faults stay, so ratings and
tables do not change. Matches are not pruned if they can be resumed or belong to an unfinished
tournament.
"""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Select, delete, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from ggp.manager.store.accounts import AccountKeyRow
from ggp.manager.store.database import Database, reporting
from ggp.manager.store.dumps import sqlite_file
from ggp.manager.store.location import parsed_url
from ggp.manager.store.reports import ReportRow
from ggp.manager.store.tables import OVER, MatchRow, MoveRow, TournamentRow, TurnRow

AT_ONCE: Final = 50
"""Number of matches to prune in one transaction, so few that other writers wait only briefly."""


@dataclass(frozen=True, slots=True)
class Pruned:
    """Numbers of matches, turns, reports and keys that pruning removed or would remove."""

    matches: int = 0
    turns: int = 0
    reports: int = 0
    keys: int = 0
    """Sessions, links and tokens that are no longer valid."""


async def what_is_old(session: AsyncSession, before: int, now: int) -> Pruned:
    """Count what `prune` would remove.

    Args:
        before: Remove matches that ended before this time.
        now: Remove keys that expired by this time.
    """
    old = select(MatchRow.id).where(*_is_old(before))
    return Pruned(
        matches=await _count(session, old),
        turns=await _count(session, select(TurnRow.number).where(TurnRow.match_id.in_(old))),
        reports=await _count(session, select(ReportRow.asked).where(ReportRow.match_id.in_(old))),
        keys=await _count(session, select(AccountKeyRow.id).where(AccountKeyRow.expires <= now)),
    )


async def prune(database: Database, before: int, now: int) -> Pruned:
    """Remove old data, a few matches at a time, and return how much was removed.

    Args:
        before: As for `what_is_old`.
        now: As for `what_is_old`.
    """
    removed = await database.read(what_is_old, before, now)
    while await database.write(_prune_some, before):
        pass
    async with database.writing() as session:
        await session.execute(delete(AccountKeyRow).where(AccountKeyRow.expires <= now))
    return removed


async def _prune_some(session: AsyncSession, before: int) -> bool:
    """Prune up to `AT_ONCE` old matches, and return whether there were any."""
    query = select(MatchRow.id).where(*_is_old(before)).order_by(MatchRow.id).limit(AT_ONCE)
    numbers = list(await session.scalars(query))
    for table in (TurnRow, MoveRow, ReportRow):
        await session.execute(delete(table).where(table.match_id.in_(numbers)))
    return bool(numbers)


def _is_old(before: int) -> tuple[ColumnElement[bool], ...]:
    going_on = select(TournamentRow.id).where(TournamentRow.status.not_in(OVER))
    kept = [
        select(table.match_id).where(table.match_id == MatchRow.id).exists()
        for table in (TurnRow, ReportRow)
    ]
    return (
        MatchRow.status.in_(OVER),
        func.coalesce(MatchRow.ended, MatchRow.created) < before,
        or_(MatchRow.tournament_id.is_(None), MatchRow.tournament_id.not_in(going_on)),
        or_(*kept),
    )


async def _count(session: AsyncSession, query: Select[int]) -> int:
    return await session.scalar(select(func.count()).select_from(query.subquery())) or 0


async def give_back_space(url: str) -> None:
    """Shrink the file of an SQLite database to its content. PostgreSQL does this by itself."""
    parsed = parsed_url(url)
    if parsed.get_backend_name() != "sqlite":
        return

    def shrink() -> None:
        with closing(sqlite3.connect(sqlite_file(parsed))) as connection:
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    with reporting(parsed):
        await asyncio.to_thread(shrink)

"""Reports on matches in the database: asked for, made, or given up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from ggp.manager.store.tables import ReportRow, Status


async def find(session: AsyncSession, match: int) -> ReportRow | None:
    """The report on a match; None if nobody asked for one."""
    return await session.get(ReportRow, match)


async def ask(session: AsyncSession, match: int, now: int) -> ReportRow:
    """Ask for a report; one that is there already, or was asked for, stays as it is."""
    row = await session.get(ReportRow, match)
    if row is None or row.status == Status.ABORTED:
        row = ReportRow(match_id=match, status=Status.WAITING, asked=now, reason="", content={})
        row = await session.merge(row)
    return row


async def first_waiting(session: AsyncSession) -> int | None:
    """The match whose report has been waited for longest; None if none is."""
    query = select(ReportRow.match_id).where(ReportRow.status == Status.WAITING)
    return await session.scalar(query.order_by(ReportRow.asked, ReportRow.match_id).limit(1))


async def num_waiting(session: AsyncSession) -> int:
    """Number of reports that were asked for and are not made."""
    query = select(func.count()).select_from(ReportRow).where(ReportRow.status == Status.WAITING)
    return await session.scalar(query) or 0


async def complete(session: AsyncSession, match: int, content: Mapping[str, Any]) -> None:
    """Write a report down."""
    row = await session.get_one(ReportRow, match)
    row.status, row.content = Status.COMPLETED, dict(content)


async def give_up(session: AsyncSession, match: int, reason: str) -> None:
    """Write down that there is no report, and why."""
    row = await session.get_one(ReportRow, match)
    row.status, row.reason = Status.ABORTED, reason

"""Requested reports on matches in the database. Each function works in its caller's session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ForeignKey, String, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from ggp.manager.store.tables import Big, DatabaseTable, Status


class ReportRow(DatabaseTable):
    """A requested report on a match."""

    __tablename__ = "reports"

    match_id: Mapped[int] = mapped_column(
        ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True
    )
    status: Mapped[str] = mapped_column(String(12), index=True)
    """One of `Status`: waiting, completed or aborted."""
    asked: Mapped[Big]
    reason: Mapped[str] = mapped_column(default="")
    content: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """The result of `MatchReport.to_json`. Empty until the report is finished."""


async def find(session: AsyncSession, match: int) -> ReportRow | None:
    """Return the report on a match, or None if it was never requested."""
    return await session.get(ReportRow, match)


async def ask(session: AsyncSession, match: int, now: int) -> ReportRow:
    """Request a report on a match. Keep an existing report or request unless it failed."""
    row = await session.get(ReportRow, match)
    if row is None or row.status == Status.ABORTED:
        row = ReportRow(match_id=match, status=Status.WAITING, asked=now, reason="", content={})
        row = await session.merge(row)
    return row


async def waiting(session: AsyncSession) -> list[int]:
    """Return the numbers of matches with pending reports, in the order of the requests."""
    query = select(ReportRow.match_id).where(ReportRow.status == Status.WAITING)
    return list(await session.scalars(query.order_by(ReportRow.asked, ReportRow.match_id)))


async def complete(session: AsyncSession, match: int, content: Mapping[str, Any]) -> None:
    """Store a finished report."""
    row = await session.get_one(ReportRow, match)
    row.status, row.content = Status.COMPLETED, dict(content)


async def give_up(session: AsyncSession, match: int, reason: str) -> None:
    """Mark a report as failed, and store the reason."""
    row = await session.get_one(ReportRow, match)
    row.status, row.reason = Status.ABORTED, reason

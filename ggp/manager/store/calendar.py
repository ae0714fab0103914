"""The table of the dates in the calendar of a course."""

from __future__ import annotations

from enum import StrEnum

from sqlalchemy import String, UniqueConstraint, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from ggp.manager.store.tables import Big, DatabaseTable


class DateKind(StrEnum):
    """What happens at a date of the calendar."""

    OPEN = "open"
    """Students may submit players from now on."""
    FREEZE = "freeze"
    """Students may not change their players until submissions open again."""
    FINAL = "final"
    """The final begins. This is only an announcement."""
    RELEASE = "release"
    """Everyone sees the results that are held back without a date of their own."""


class CalendarRow(DatabaseTable):
    """A date in the calendar."""

    __tablename__ = "calendar"
    __table_args__ = (UniqueConstraint("kind", "time"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(12))
    """One of `DateKind`."""
    time: Mapped[Big]
    note: Mapped[str] = mapped_column(String(200))


async def listed(session: AsyncSession) -> list[CalendarRow]:
    """Return all dates, earliest first."""
    return list(await session.scalars(select(CalendarRow).order_by(CalendarRow.time)))

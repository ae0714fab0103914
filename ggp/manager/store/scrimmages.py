"""Requests for scrimmages in the database. Each function works in the session of its caller."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Final

from sqlalchemy import String, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from ggp.manager.errors import ConflictError, NotThereError
from ggp.manager.store.tables import Big, DatabaseTable, MatchRow, Status

NUM_LISTED: Final = 100


class Asked(StrEnum):
    """The state of a request."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


class ScrimmageRow(DatabaseTable):
    """A request to play a match against another student's player."""

    __tablename__ = "scrimmages"

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(String(100))
    player: Mapped[str] = mapped_column(String(60))
    opponent: Mapped[str] = mapped_column(String(60))
    owner_id: Mapped[int] = mapped_column(index=True)
    """The account or team that owns `player`."""
    opponent_owner_id: Mapped[int] = mapped_column(index=True)
    is_rated: Mapped[bool]
    startclock: Mapped[int]
    playclock: Mapped[int]
    status: Mapped[str] = mapped_column(String(10))
    created: Mapped[Big]
    expires: Mapped[Big]
    match_id: Mapped[int | None]

    def status_at(self, now: int) -> str:
        """Return the status, one of `Asked`, at a time."""
        is_expired = self.status == Asked.OPEN and self.expires <= now
        return Asked.EXPIRED if is_expired else self.status


async def of_owners(session: AsyncSession, owners: Collection[int]) -> list[ScrimmageRow]:
    """Return the latest requests from and to accounts or teams, newest first."""
    own = or_(ScrimmageRow.owner_id.in_(owners), ScrimmageRow.opponent_owner_id.in_(owners))
    query = select(ScrimmageRow).where(own).order_by(ScrimmageRow.id.desc()).limit(NUM_LISTED)
    return list(await session.scalars(query))


async def find_open(session: AsyncSession, number: int, now: int) -> ScrimmageRow:
    """Return a request that is open.

    Raises:
        NotThereError: There is no such request.
        ConflictError: The request is no longer open.
    """
    row = await session.get(ScrimmageRow, number)
    if row is None:
        raise NotThereError(f"there is no scrimmage {number}")
    if row.status_at(now) != Asked.OPEN:
        raise ConflictError(f"scrimmage {number} is {row.status_at(now)}")
    return row


async def interrupted(session: AsyncSession) -> list[int]:
    """Return the numbers of the interrupted matches of scrimmages."""
    query = select(MatchRow.id).join(ScrimmageRow, ScrimmageRow.match_id == MatchRow.id)
    return list(await session.scalars(query.where(MatchRow.status == Status.INTERRUPTED)))


async def num_since(session: AsyncSession, owner: int, time: int) -> int:
    """Return the number of requests that an account or a team has made since a time."""
    query = select(func.count()).select_from(ScrimmageRow)
    of_owner = query.where(ScrimmageRow.owner_id == owner, ScrimmageRow.created > time)
    return await session.scalar(of_owner) or 0

"""Challenges in the database. Each function works in the session of its caller."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import ColumnElement, String, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from ggp.manager.errors import NotThereError
from ggp.manager.store.tables import Big, DatabaseTable, Rows

OPEN: Final = "open"
ACCEPTED: Final = "accepted"
WITHDRAWN: Final = "withdrawn"
DECLINED: Final = "declined"
EXPIRED: Final = "expired"
"""States of a challenge."""
KEPT_MILLISECONDS: Final = 7 * 86_400_000
"""How many milliseconds a challenge stays in the database after it has expired."""


class ChallengeRow(DatabaseTable):
    """A challenge: a match that begins as soon as all its seats are taken."""

    __tablename__ = "challenges"

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(String(100))
    plan: Mapped[dict[str, Any]]
    """The match's fields that do not depend on its players: clocks, seed and spectators."""
    sides: Mapped[str] = mapped_column(String(10))
    """`given`, or `random` if the people are seated at random when the match begins."""
    places: Mapped[Rows]
    """The fields of a `ChallengeSeat` for each role except `random`, in role order."""
    key: Mapped[str] = mapped_column(String(32))
    """The secret of the challenge's author."""
    owner_id: Mapped[int | None] = mapped_column(index=True)
    """The account of the challenge's author."""
    owner_name: Mapped[str] = mapped_column(String(60))
    address: Mapped[str] = mapped_column(String(64), index=True)
    """The address from which the challenge was sent."""
    status: Mapped[str] = mapped_column(String(10), index=True)
    created: Mapped[Big]
    expires: Mapped[Big]
    match_id: Mapped[int | None]


async def create(session: AsyncSession, row: ChallengeRow) -> int:
    """Store a challenge and return its number. Also delete challenges that expired long ago."""
    old = ChallengeRow.expires < row.created - KEPT_MILLISECONDS
    await session.execute(delete(ChallengeRow).where(old))
    row.status = OPEN
    session.add(row)
    await session.flush()
    return row.id


async def find(session: AsyncSession, number: int, now: int) -> ChallengeRow:
    """Mark overdue challenges as expired, then return the challenge with this number."""
    await _expire(session, now)
    row = await session.get(ChallengeRow, number)
    if row is None:
        raise NotThereError(f"there is no challenge {number}")
    return row


async def open_ones(session: AsyncSession, now: int) -> list[ChallengeRow]:
    """Return all open challenges, newest first."""
    query = select(ChallengeRow).where(*_is_open(now)).order_by(ChallengeRow.id.desc())
    return list(await session.scalars(query))


async def num_open(
    session: AsyncSession, now: int, owner: int | None = None, address: str | None = None
) -> int:
    """Return the number of open challenges: all, or only those of an account or an address."""
    query = select(func.count()).select_from(ChallengeRow).where(*_is_open(now))
    if owner is not None:
        query = query.where(ChallengeRow.owner_id == owner)
    if address is not None:
        query = query.where(ChallengeRow.address == address)
    return await session.scalar(query) or 0


async def _expire(session: AsyncSession, now: int) -> None:
    change = update(ChallengeRow).where(ChallengeRow.status == OPEN, ChallengeRow.expires <= now)
    await session.execute(change.values(status=EXPIRED))


def _is_open(now: int) -> tuple[ColumnElement[bool], ...]:
    return ChallengeRow.status == OPEN, ChallengeRow.expires > now

"""The table of files that people have uploaded: whose they are."""

from __future__ import annotations

from sqlalchemy import String, UniqueConstraint, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from ggp.manager.store import players
from ggp.manager.store.accounts import AccountRow
from ggp.manager.store.players import PlayerHistory
from ggp.manager.store.tables import Big, DatabaseTable, PlayerRow


class UploadRow(DatabaseTable):
    """A file that somebody has uploaded; who uploads the same has a row of their own."""

    __tablename__ = "uploads"
    __table_args__ = (UniqueConstraint("digest", "owner_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), index=True)
    """SHA-256 of the file, in hexadecimal."""
    owner_id: Mapped[int | None] = mapped_column(index=True)
    """The account of a student; None for a file that is everybody's."""
    num_bytes: Mapped[int]
    created: Mapped[Big]


async def of_owner(session: AsyncSession, owner: int | None) -> list[UploadRow]:
    """The files of a student, or those that are everybody's, the newest first."""
    query = select(UploadRow).where(UploadRow.owner_id == owner)
    return list(await session.scalars(query.order_by(UploadRow.id.desc())))


async def has(session: AsyncSession, digest: str, owner: int) -> bool:
    """Whether a student has uploaded a file."""
    query = select(UploadRow.id).where(UploadRow.digest == digest, UploadRow.owner_id == owner)
    return await session.scalar(query) is not None


async def num_rows(session: AsyncSession, digest: str) -> int:
    """The number of those who have uploaded a file."""
    query = select(func.count()).select_from(UploadRow).where(UploadRow.digest == digest)
    return await session.scalar(query) or 0


async def players_of_students(session: AsyncSession) -> list[tuple[str, PlayerHistory]]:
    """All players of students, by student and player."""
    students = {row.id: row.name for row in await session.scalars(select(AccountRow))}
    owned = await players.owned(session, students)
    found = [(students[one.player.owner_id or 0], one) for one in owned]
    return sorted(found, key=lambda one: (one[0], one[1].player.name))


async def player_of(session: AsyncSession, source: str, owner: int | None) -> str:
    """The name of a player that is not retired and is this file; empty if there is none.

    Args:
        owner: Of the player; None: anybody.
    """
    is_it = or_(PlayerRow.source == source, PlayerRow.source.startswith(f"{source}:"))
    query = select(PlayerRow.name).where(is_it, PlayerRow.is_retired.is_(False))
    if owner is not None:
        query = query.where(PlayerRow.owner_id == owner)
    return await session.scalar(query.order_by(PlayerRow.name)) or ""

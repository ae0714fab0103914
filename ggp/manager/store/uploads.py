"""The table of uploaded files and their owners."""

from __future__ import annotations

from sqlalchemy import String, UniqueConstraint, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from ggp.manager.store import players
from ggp.manager.store.accounts import AccountRow
from ggp.manager.store.players import PlayerHistory
from ggp.manager.store.tables import Big, DatabaseTable, PlayerRow


class UploadRow(DatabaseTable):
    """An uploaded file and its owner. A file that several people uploaded has several rows."""

    __tablename__ = "uploads"
    __table_args__ = (UniqueConstraint("digest", "owner_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), index=True)
    """SHA-256 of the file, in hexadecimal."""
    owner_id: Mapped[int | None] = mapped_column(index=True)
    """The account of a student. None if the file belongs to everybody."""
    num_bytes: Mapped[int]
    created: Mapped[Big]


async def of_owner(session: AsyncSession, owner: int | None) -> list[UploadRow]:
    """Return a student's files, newest first. If `owner` is None, return only the shared files."""
    query = select(UploadRow).where(UploadRow.owner_id == owner)
    return list(await session.scalars(query.order_by(UploadRow.id.desc())))


async def has(session: AsyncSession, digest: str, owner: int) -> bool:
    """Return whether a student has uploaded a file."""
    query = select(UploadRow.id).where(UploadRow.digest == digest, UploadRow.owner_id == owner)
    return await session.scalar(query) is not None


async def num_rows(session: AsyncSession, digest: str) -> int:
    """Return the number of owners who have uploaded a file."""
    query = select(func.count()).select_from(UploadRow).where(UploadRow.digest == digest)
    return await session.scalar(query) or 0


async def players_of_students(session: AsyncSession) -> list[tuple[str, PlayerHistory]]:
    """Return all players that belong to accounts, each with its owner's name.

    Sort them by owner and player.
    """
    students = {row.id: row.name for row in await session.scalars(select(AccountRow))}
    owned = await players.owned(session, students)
    found = [(students[one.player.owner_id or 0], one) for one in owned]
    return sorted(found, key=lambda one: (one[0], one[1].player.name))


async def player_of(session: AsyncSession, source: str, owner: int | None) -> str:
    """Return the name of an active player that uses a file, or an empty string if there is none.

    Args:
        owner: The owner of the player. None for any owner.
    """
    is_it = or_(PlayerRow.source == source, PlayerRow.source.startswith(f"{source}:"))
    query = select(PlayerRow.name).where(is_it, PlayerRow.is_retired.is_(False))
    if owner is not None:
        query = query.where(PlayerRow.owner_id == owner)
    return await session.scalar(query.order_by(PlayerRow.name)) or ""

"""The table of uploaded files and their owners."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import String, UniqueConstraint, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from ggp.manager.store import players
from ggp.manager.store.accounts import AccountRow
from ggp.manager.store.players import PlayerHistory
from ggp.manager.store.tables import Big, DatabaseTable, PlayerRow
from ggp.manager.store.versions import VersionRow


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


async def of_owners(session: AsyncSession, owners: Collection[int]) -> list[UploadRow]:
    """Return the files of accounts or teams, newest first. Without owners, the shared files."""
    is_own = UploadRow.owner_id.in_(owners) if owners else UploadRow.owner_id.is_(None)
    query = select(UploadRow).where(is_own)
    return list(await session.scalars(query.order_by(UploadRow.id.desc())))


async def has(session: AsyncSession, digest: str, owners: Collection[int]) -> bool:
    """Return whether one of some accounts or teams has uploaded a file."""
    query = select(UploadRow.id).where(UploadRow.digest == digest, UploadRow.owner_id.in_(owners))
    return await session.scalar(query.limit(1)) is not None


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


async def player_of(session: AsyncSession, source: str, owners: Collection[int] | None) -> str:
    """Return the name of an active player with a version that uses a file. "" if there is none.

    Args:
        owners: The owners of the player. None for any owner.
    """
    is_it = or_(VersionRow.source == source, VersionRow.source.startswith(f"{source}:"))
    query = (
        select(PlayerRow.name)
        .join(VersionRow, VersionRow.player_id == PlayerRow.id)
        .where(is_it, PlayerRow.is_retired.is_(False))
    )
    if owners is not None:
        is_own = PlayerRow.owner_id.in_(owners) if owners else PlayerRow.owner_id.is_(None)
        query = query.where(is_own)
    return await session.scalar(query.order_by(PlayerRow.name).limit(1)) or ""

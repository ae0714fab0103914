"""The table of the versions of registered players."""

from __future__ import annotations

from sqlalchemy import ForeignKey, String, UniqueConstraint, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from ggp.manager.errors import ConflictError, NotThereError
from ggp.manager.store.tables import Big, DatabaseTable, PlayerRow

MAX_VERSIONS = 500
"""Largest number of versions of a player."""


class VersionRow(DatabaseTable):
    """A version of a player: the file, address or spec that its name stood for."""

    __tablename__ = "versions"
    __table_args__ = (UniqueConstraint("player_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"))
    number: Mapped[int]
    """Counted from 1."""
    source: Mapped[str] = mapped_column(String(500))
    """As in `PlayerRow`. Empty if the check of an uploaded file failed."""
    dialect: Mapped[str] = mapped_column(String(10))
    note: Mapped[str] = mapped_column(String(500))
    problem: Mapped[str]
    """Why the check of an uploaded file failed. Empty if it did not."""
    created: Mapped[Big]

    @property
    def is_playable(self) -> bool:
        """Whether the version passed its check."""
        return not self.problem


async def add(session: AsyncSession, player: PlayerRow, row: VersionRow, now: int) -> VersionRow:
    """Store a new version under the next number. If it passed its check, make it the current one.

    Args:
        row: The version, without player, number and time.
    """
    query = select(func.max(VersionRow.number)).where(VersionRow.player_id == player.id)
    last = await session.scalar(query) or 0
    if last >= MAX_VERSIONS:
        raise ConflictError(f"{player.name} has {last} versions, the maximum")
    row.player_id, row.number, row.created = player.id, last + 1, now
    session.add(row)
    await session.flush()
    if row.is_playable:
        use(player, row)
    return row


def use(player: PlayerRow, row: VersionRow) -> None:
    """Make a version the current one."""
    player.source, player.dialect, player.version = row.source, row.dialect, row.number


async def listed(session: AsyncSession, player: int) -> list[VersionRow]:
    """Return the versions of a player, latest first."""
    query = select(VersionRow).where(VersionRow.player_id == player)
    return list(await session.scalars(query.order_by(VersionRow.number.desc())))


async def find(session: AsyncSession, player: PlayerRow, number: int) -> VersionRow:
    """Return a version of a player."""
    query = select(VersionRow).where(VersionRow.player_id == player.id, VersionRow.number == number)
    row = await session.scalar(query)
    if row is None:
        raise NotThereError(f"{player.name} has no version {number}")
    return row

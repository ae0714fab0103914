"""Players in the database: registered by address, or started here by name."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from ggp.errors import GgpError, UnknownNameError
from ggp.manager.store.tables import MatchRow, PlayerRow, SeatRow, Status


class PlayerExistsError(GgpError):
    """Another player has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is a player {name!r} already; expected another name")


async def register(
    session: AsyncSession, name: str, source: str, dialect: str, now: int, owner: int | None = None
) -> PlayerRow:
    """Write down a player; one of this name and owner that was retired comes back.

    Another's does not: with the name would come the rating.

    Raises:
        PlayerExistsError: Another player has this name.
    """
    row = await session.scalar(select(PlayerRow).where(PlayerRow.name == name))
    if row is None:
        row = PlayerRow(
            name=name,
            source=source,
            dialect=dialect,
            created=now,
            is_retired=False,
            owner_id=owner,
        )
        session.add(row)
    elif row.is_retired and row.owner_id == owner:
        row.source, row.dialect, row.is_retired = source, dialect, False
    else:
        raise PlayerExistsError(name)
    await session.flush()
    return row


async def listed(session: AsyncSession) -> list[PlayerRow]:
    """All players that are not retired, by name."""
    rows = await session.scalars(select(PlayerRow).where(PlayerRow.is_retired.is_(False)))
    return sorted(rows, key=lambda row: row.name)  # not in the order of the server's language


async def named(session: AsyncSession, name: str) -> PlayerRow:
    """The player of a name.

    Raises:
        UnknownNameError: There is none, or it is retired.
    """
    players = await listed(session)
    for player in players:
        if player.name == name:
            return player
    raise UnknownNameError("player", name, [player.name for player in players])


async def retire(session: AsyncSession, name: str) -> None:
    """Take a player off the list; its matches stay.

    Raises:
        UnknownNameError: There is none of this name.
    """
    (await named(session, name)).is_retired = True


async def owned(session: AsyncSession, owners: Collection[int]) -> list[tuple[PlayerRow, int]]:
    """The players of some accounts, by name, retired ones too; how many matches each completed."""
    counts = (
        select(SeatRow.player_id, func.count(SeatRow.match_id.distinct()).label("number"))
        .join(MatchRow, SeatRow.match_id == MatchRow.id)
        .where(MatchRow.status == Status.COMPLETED, MatchRow.annulled.is_(None))
        .group_by(SeatRow.player_id)
        .subquery()
    )
    query = (
        select(PlayerRow, func.coalesce(counts.c.number, 0))
        .outerjoin(counts, counts.c.player_id == PlayerRow.id)
        .where(PlayerRow.owner_id.in_(owners))
    )
    rows = [(row, number) for row, number in await session.execute(query)]
    return sorted(rows, key=lambda row: row[0].name)

"""Players in the database: registered by address, or started here by name."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from ggp.errors import GgpError, UnknownNameError
from ggp.manager.store.tables import PlayerRow


class PlayerExistsError(GgpError):
    """Another player has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is a player {name!r} already; expected another name")


async def register(
    session: AsyncSession, name: str, source: str, dialect: str, now: int
) -> PlayerRow:
    """Write down a player; one of this name that was retired comes back.

    Raises:
        PlayerExistsError: Another player has this name.
    """
    row = await session.scalar(select(PlayerRow).where(PlayerRow.name == name))
    if row is None:
        row = PlayerRow(name=name, source=source, dialect=dialect, created=now, is_retired=False)
        session.add(row)
    elif row.is_retired:
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

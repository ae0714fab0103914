"""Forbidden attempts: what uploaded players attempted in matches although it is forbidden."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import ColumnElement, and_, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from ggp.manager.store.tables import MatchRow, PlayerRow, SeatRow, is_shown

NUM_SHOWN = 50
"""Largest number of seats whose attempts are shown, from the latest matches."""
OwnedSeat = tuple[SeatRow, int | None]
"""A seat and the account that owns its player. The account is None if no account owns it."""


async def add(session: AsyncSession, number: int, role_index: int, tried: Sequence[str]) -> None:
    """Store what the player of a role attempted in a match although it is forbidden.

    Add to what is already stored, and keep each attempt only once.
    """
    query = select(SeatRow).where(SeatRow.match_id == number, SeatRow.role_index == role_index)
    seat = (await session.scalars(query)).one()
    seat.attempts = "\n".join(dict.fromkeys([*seat.forbidden, *tried]))


async def of_match(session: AsyncSession, number: int) -> list[OwnedSeat]:
    """Return the seats of a match whose players attempted something forbidden."""
    return await _seats(session, SeatRow.match_id == number)


async def of_player(session: AsyncSession, name: str, hidden: Collection[int]) -> list[OwnedSeat]:
    """Return the seats in which a player attempted something forbidden, latest matches first.

    Leave out matches of the tournaments in `hidden`.
    """
    of_shown = select(MatchRow.id).where(is_shown(hidden))
    return await _seats(session, and_(PlayerRow.name == name, SeatRow.match_id.in_(of_shown)))


async def _seats(session: AsyncSession, condition: ColumnElement[bool]) -> list[OwnedSeat]:
    query = (
        select(SeatRow, PlayerRow.owner_id)
        .outerjoin(PlayerRow, SeatRow.player_id == PlayerRow.id)
        .where(SeatRow.attempts != "", condition)
        .order_by(SeatRow.match_id.desc(), SeatRow.role_index)
        .limit(NUM_SHOWN)
    )
    return [(seat, owner) for seat, owner in await session.execute(query)]


async def num_matches(session: AsyncSession, players: Collection[int]) -> dict[int, int]:
    """Map each player to the number of matches in which it attempted something forbidden.

    Matches that were broken off count too.
    """
    query = (
        select(SeatRow.player_id, func.count(SeatRow.match_id.distinct()))
        .where(SeatRow.player_id.in_(players), SeatRow.attempts != "")
        .group_by(SeatRow.player_id)
    )
    return {player: number for player, number in await session.execute(query) if player}

"""Ratings in the database: what they are computed from, and the last that were."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from ggp.manager.store.tables import MatchRow, RatingRow, SeatRow, Status
from ggp.tournament.ratings import Rating

Outcome = list[tuple[str, int]]
"""The players of a match, each with the goal that came of it."""


async def listed(session: AsyncSession) -> list[RatingRow]:
    """The ratings that were computed last, the strongest first."""
    return list(
        await session.scalars(
            select(RatingRow).order_by(RatingRow.elo.desc(), RatingRow.player_name)
        )
    )


async def are_fresh(session: AsyncSession) -> bool:
    """Whether no match was completed since they were computed."""
    computed = await session.scalar(select(func.min(RatingRow.computed)))
    query = select(func.max(MatchRow.ended)).where(MatchRow.status == Status.COMPLETED)
    ended = await session.scalar(query)
    return ended is None or (computed is not None and ended < computed)


async def outcomes(session: AsyncSession) -> list[Outcome]:
    """Of all matches that were played from the first position to their end."""
    query = (
        select(SeatRow.match_id, SeatRow.player_name, SeatRow.goal)
        .join(MatchRow, SeatRow.match_id == MatchRow.id)
        .where(
            MatchRow.status == Status.COMPLETED,
            MatchRow.annulled.is_(None),
            MatchRow.origin.is_(None),
            SeatRow.goal.is_not(None),
        )
        .order_by(SeatRow.match_id, SeatRow.role_index)
    )
    found: dict[int, Outcome] = {}
    for match, name, goal in await session.execute(query):
        found.setdefault(match, []).append((name, goal or 0))
    return list(found.values())


async def forget(session: AsyncSession) -> None:
    """Have them computed anew: a match that they count does not count any more."""
    await session.execute(delete(RatingRow))


async def keep(session: AsyncSession, ratings: Sequence[Rating], now: int) -> None:
    """Put these in the place of all that were."""
    await forget(session)
    session.add_all(
        RatingRow(
            player_name=one.name,
            elo=one.elo,
            low=one.low,
            high=one.high,
            meetings=one.meetings,
            computed=now,
        )
        for one in ratings
    )

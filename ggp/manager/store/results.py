"""Results of a player's matches, from the database."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from ggp.manager.store.tables import MatchRow, SeatRow, Status


@dataclass(frozen=True, slots=True)
class SeatResult:
    """A role of a match that was played to its end, its player, and the goal that came of it."""

    role: str
    player: str
    goal: int


@dataclass(frozen=True, slots=True)
class Result:
    """A match that was played to its end."""

    number: int
    game: str
    ended: int
    """Milliseconds since 1970."""
    seats: tuple[SeatResult, ...]
    """In role order, the `random` role left out."""


async def results_of(session: AsyncSession, player: str, limit: int) -> list[Result]:
    """The last matches of a player that were played to their end, the latest first."""
    own = (
        select(SeatRow.match_id)
        .join(MatchRow, SeatRow.match_id == MatchRow.id)
        .where(
            MatchRow.status == Status.COMPLETED,
            MatchRow.annulled.is_(None),
            SeatRow.player_name == player,
        )
        .distinct()
        .order_by(SeatRow.match_id.desc())
        .limit(limit)
        .subquery()
    )
    query = (
        select(
            MatchRow.id,
            MatchRow.game,
            MatchRow.ended,
            SeatRow.role,
            SeatRow.player_name,
            SeatRow.goal,
        )
        .join(own, own.c.match_id == MatchRow.id)
        .join(SeatRow, SeatRow.match_id == MatchRow.id)
        .where(SeatRow.goal.is_not(None))
        .order_by(MatchRow.id.desc(), SeatRow.role_index)
    )
    matches: dict[int, tuple[str, int]] = {}
    seats: dict[int, list[SeatResult]] = {}
    for number, game, ended, role, name, goal in await session.execute(query):
        matches[number] = (game, ended or 0)
        seats.setdefault(number, []).append(SeatResult(role, name, goal or 0))
    return [
        Result(number, game, ended, tuple(seats[number]))
        for number, (game, ended) in matches.items()
    ]

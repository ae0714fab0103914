"""Ratings of the players, from all matches that were played here: computed when asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ggp.clock import milliseconds_since_1970
from ggp.manager.store import ratings
from ggp.manager.store.database import Database
from ggp.manager.store.ratings import Outcome
from ggp.manager.store.tables import RatingRow
from ggp.tournament.ratings import Rating, meetings_of, rate


async def current_ratings(database: Database) -> list[RatingRow]:
    """The ratings, the strongest first; computed anew if matches have ended since."""
    async with database.reading() as session:
        if await ratings.are_fresh(session):
            return await ratings.listed(session)
        # Before the matches are read: one that ends meanwhile makes them stale again.
        now = milliseconds_since_1970()
        found = await ratings.outcomes(session)
    rated = await asyncio.to_thread(_rate, found)
    async with database.writing() as session:
        await ratings.keep(session, rated, now)
        return await ratings.listed(session)


def _rate(outcomes: Sequence[Outcome]) -> list[Rating]:
    meetings = [
        meeting
        for seats in outcomes
        for meeting in meetings_of([name for name, _ in seats], [goal for _, goal in seats])
    ]
    return rate(meetings)

"""Pages of the players here, how strong each is, and what became of its matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from ggp.manager.api.route import name_of
from ggp.manager.keys import service_of
from ggp.manager.pages.rendering import page
from ggp.manager.performance import record_of
from ggp.manager.rating import current_ratings
from ggp.manager.store import players
from ggp.manager.store.tables import PlayerRow, RatingRow
from ggp.manager.views import player_view
from ggp.players import registry
from ggp.protocol.addresses import is_address
from ggp.protocol.dialects import MANNERS

RECENT = 20


@dataclass(frozen=True, slots=True)
class Bar:
    """A rating and its interval as a picture, 0..100 from left to right."""

    rating: RatingRow
    low: float
    middle: float
    high: float


def bars(ratings: Sequence[RatingRow]) -> list[Bar]:
    """All on one scale, from the lowest end of an interval to the highest."""
    if not ratings:
        return []
    lowest, highest = min(one.low for one in ratings), max(one.high for one in ratings)
    scale = 100 / max(highest - lowest, 1.0)
    return [
        Bar(one, *(round((elo - lowest) * scale, 1) for elo in (one.low, one.elo, one.high)))
        for one in ratings
    ]


def _shown(row: PlayerRow) -> dict[str, Any]:
    """A player as it is registered; only those elsewhere are spoken to in a dialect."""
    return {**player_view(row), "dialect": row.dialect if is_address(row.source) else ""}


async def show_players(request: web.Request) -> web.Response:
    """Registered players, how they are, a form for a new one, and how strong all are."""
    service = service_of(request)
    async with service.database.reading() as session:
        found = await players.listed(session)
    return page(
        "players.html",
        section="/players",
        players=[_shown(row) for row in found],
        names=registry.names(),
        dialects=list(MANNERS),
        bars=bars(await current_ratings(service.database)),
    )


async def show_player(request: web.Request) -> web.Response:
    """One player: its rating, its results by game and by opponent, and its last matches."""
    name = name_of(request)
    service = service_of(request)
    record = await record_of(service.database, name)
    async with service.database.reading() as session:
        known = [row for row in await players.listed(session) if row.name == name]
    return page(
        "player.html",
        section="/players",
        player=_shown(known[0]) if known else None,
        record=record,
        recent=record.results[:RECENT],
    )

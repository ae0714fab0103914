"""Pages of the players here, how strong each is, and what became of its matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aiohttp import web

from ggp.manager.domain.ratings import current_ratings, record_of
from ggp.manager.store.tables import RatingRow
from ggp.manager.web.app_keys import CONFIG, DATABASE, PLAYERS
from ggp.manager.web.callers import current_caller
from ggp.manager.web.rendering import page
from ggp.manager.web.request_parts import name_of
from ggp.players import registry
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


async def show_players(request: web.Request) -> web.Response:
    """Registered players, how they are, a form for a new one, and how strong all are."""
    found = await request.app[PLAYERS].visible(current_caller())
    return page(
        "players.html",
        section="/players",
        players=found,
        names=registry.names(),
        dialects=list(MANNERS),
        uploads=request.app[CONFIG].submissions is not None,
        bars=bars(await current_ratings(request.app[DATABASE])),
    )


async def show_player(request: web.Request) -> web.Response:
    """One player: its rating, its results by game and by opponent, and its last matches."""
    name = name_of(request)
    record = await record_of(request.app[DATABASE], name)
    visible = await request.app[PLAYERS].visible(current_caller())
    known = [row for row in visible if row.name == name]
    return page(
        "player.html",
        section="/players",
        player=known[0] if known else None,
        record=record,
        recent=record.results[:RECENT],
    )

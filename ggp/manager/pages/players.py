"""The pages of players: the list with ratings, one player, and two players against each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aiohttp import web

from ggp.manager.domain.player_records import against, record_of
from ggp.manager.domain.rating_curve import RatingCurve
from ggp.manager.domain.rights import current_caller
from ggp.manager.pages.matches import seen
from ggp.manager.service import SERVICE
from ggp.manager.store import attempts
from ggp.manager.store.players import OVERALL, RatingRow
from ggp.manager.web.request_parts import name_of
from ggp.manager.web.responses import page
from ggp.players import registry
from ggp.protocol.dialects import DIALECTS

RECENT = 20


@dataclass(frozen=True, slots=True)
class Bar:
    """A rating and its interval, as positions in a picture from 0 (left) to 100 (right)."""

    rating: RatingRow
    low: float
    middle: float
    high: float


def bars(ratings: Sequence[RatingRow]) -> list[Bar]:
    """Map all ratings to one scale, from the lowest end of an interval to the highest end."""
    if not ratings:
        return []
    lowest, highest = min(one.low for one in ratings), max(one.high for one in ratings)
    scale = 100 / max(highest - lowest, 1.0)
    return [
        Bar(one, *(round((elo - lowest) * scale, 1) for elo in (one.low, one.elo, one.high)))
        for one in ratings
    ]


async def show_players(request: web.Request) -> web.Response:
    """Show the registered players with their status, a form for a new player, and all ratings."""
    service, game = request.app[SERVICE], request.query.get("game", OVERALL)
    found = await service.players.visible(current_caller())
    rated = await service.ratings.current(game)
    return page(
        "players.html",
        section="/players",
        players=found,
        names=registry.names(),
        dialects=list(DIALECTS),
        at_addresses=bool(service.config.player_networks),
        uploads=service.config.submissions is not None,
        bars=bars(rated),
        game=game,
        games=[one.name for one in await service.catalogue.entries()],
        calendar=service.calendar,
    )


async def show_player(request: web.Request) -> web.Response:
    """Show one player: ratings, results by game and by opponent, and latest matches."""
    name, service = name_of(request), request.app[SERVICE]
    hidden = await service.held.hidden()
    record = await record_of(service.database, service.ratings, hidden, name)
    visible = await service.players.visible(current_caller())
    known = [row for row in visible if row.name == name]
    is_own = bool(known) and current_caller().owns(known[0].owner_id)
    points = [] if record.rating is None else await service.ratings.curve(record.rating)
    return page(
        "player.html",
        section="/players",
        player=known[0] if known else None,
        versions=await service.versions.listed(name, current_caller()) if is_own else [],
        at_addresses=bool(service.config.player_networks),
        uploads=service.config.submissions is not None,
        tried=seen(await service.database.read(attempts.of_player, name, hidden)),
        is_others=not known and await service.players.is_registered(name),
        swap=await service.players.swap_of(name, hidden),
        record=record,
        rated=[bar for bar in bars(await service.ratings.of_player(name)) if bar.rating.game],
        curve=RatingCurve.of(points),
        calendar=service.calendar,
        recent=record.results[:RECENT],
    )


async def show_pairing(request: web.Request) -> web.Response:
    """Show how a player did against an opponent: results by game, and latest matches."""
    name, opponent, service = name_of(request), name_of(request, "opponent"), request.app[SERVICE]
    hidden = await service.held.hidden()
    record = await record_of(service.database, service.ratings, hidden, name)
    found = against(record, opponent)
    return page(
        "pairing.html",
        section="/players",
        record=found,
        opponent=opponent,
        recent=found.results[:RECENT],
    )

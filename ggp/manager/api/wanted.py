"""Which matches a request asks for, in the API and on the pages alike."""

from __future__ import annotations

from aiohttp import web

from ggp.manager.api import schemas
from ggp.manager.api.route import query_of
from ggp.manager.store.matches import MatchFilter


def wanted_of(request: web.Request) -> MatchFilter:
    """The matches that the query of the address asks for.

    Raises:
        WrongRequestError: A field is unknown or wrong.
    """
    query = query_of(request, schemas.MatchQuery)
    return MatchFilter(
        game=query.game,
        player=query.player,
        status=query.status,
        tournament_id=query.tournament,
        before=query.before,
        limit=query.limit,
    )

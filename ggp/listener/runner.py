"""An application of pages and an API behind a bounded listener."""

from __future__ import annotations

from typing import Any

from aiohttp import web

from ggp.listener.bounds import Bounds
from ggp.listener.connection import BoundedServer, Connection, Handler


class BoundedAppRunner(web.AppRunner):
    """Runs an application whose clients are kept within bounds."""

    def __init__(self, app: web.Application, bounds: Bounds, **options: Any) -> None:
        """As aiohttp's, with bounds."""
        super().__init__(app, **options)
        self._bounds = bounds

    async def _make_server(self) -> web.Server:
        plain = await super()._make_server()
        return BoundedServer(_following(plain.request_handler), self._bounds, plain.request_factory)


def _following(handler: Handler) -> Handler:
    """The handler, with the connection informed how far its client has come."""

    async def follow(request: web.BaseRequest) -> web.StreamResponse:
        connection = request.protocol
        assert isinstance(connection, Connection)
        connection.request_arrived()
        request.content.on_eof(connection.message_arrived)
        return await handler(request)

    return follow

"""Connections within bounds: their number, the time to send a request, and what is no HTTP at all.

aiohttp refuses some requests before any handler runs, with a page of explanation and a stack trace
in the log. Here each of them costs one line of answer and one line of log.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from aiohttp import web

from ggp.protocol import shown
from ggp.server.config import ServerConfig
from ggp.server.log import LOGGER, log_event

MAX_ADDRESS_BYTES = 256 * 1024  # a GET carries its message, rules and all, in the request line
LINGERING_SECONDS = 1.0  # to swallow a body that is not wanted, so that the client sees the answer
MAX_CAUSE_CHARACTERS = 80

_FULL = b"HTTP/1.0 503 Service Unavailable\r\nContent-Length: 21\r\n\r\ntoo many connections\n"
_EXPECTED = (
    "expected an HTTP request whose lines end in CRLF and whose Content-Length counts the bytes "
    "of its body"
)

Handler = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]


class BoundedServer(web.Server):
    """Makes a `Connection` for every client, and room for a new one where that is fair.

    Attributes:
        receiving: The connections whose request has not come as a whole, the oldest first.
    """

    def __init__(self, handler: Handler, config: ServerConfig) -> None:
        super().__init__(handler)
        self.config = config
        self.receiving: dict[Connection, None] = {}

    def make_room(self) -> bool:
        """Whether there is room; who has taken longest to send a request has to give way."""
        if len(self.connections) <= self.config.max_connections:
            return True
        for slowest in self.receiving:
            slowest.give_up("room for others")
            return True
        return False

    def __call__(self) -> Connection:
        """The protocol for a new connection."""
        return Connection(self)


class Connection(web.RequestHandler):
    """One client: at most one request, which must arrive in time."""

    def __init__(self, server: BoundedServer) -> None:
        super().__init__(
            server,
            loop=asyncio.get_running_loop(),
            logger=LOGGER,
            access_log=None,  # type: ignore[arg-type]  # documented, but not annotated so
            max_line_size=min(server.config.max_body_bytes, MAX_ADDRESS_BYTES),
            lingering_time=LINGERING_SECONDS,
            auto_decompress=False,  # no small body becomes a large one
        )
        self._server = server
        self._client = ""
        self._receiving: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the clock for the request, or turn the client away."""
        super().connection_made(transport)
        peer = transport.get_extra_info("peername")
        self._client = str(peer[0]) if isinstance(peer, tuple) else ""
        if not self._server.make_room():
            log_event(logging.WARNING, "refused", client=self._client, reason="connections")
            if isinstance(transport, asyncio.Transport):
                transport.write(_FULL)
            self.force_close()
            return
        self._server.receiving[self] = None
        seconds = self._server.config.receive_seconds
        reason = "no request in time"
        self._receiving = asyncio.get_running_loop().call_later(seconds, self.give_up, reason)

    def connection_lost(self, exc: BaseException | None) -> None:
        """Stop the clock."""
        self.message_arrived()
        super().connection_lost(exc)

    def eof_received(self) -> bool:  # type: ignore[override]  # asyncio's contract; aiohttp says None
        """Whether to keep the other direction open: a client may end its side and still read."""
        super().eof_received()
        return self._request_count > 0

    def request_arrived(self) -> None:
        """The headers are complete: stop the clock."""
        if self._receiving is not None:
            self._receiving.cancel()
            self._receiving = None

    def message_arrived(self) -> None:
        """The body is complete, too: from now on the client may wait for its answer."""
        self.request_arrived()
        self._server.receiving.pop(self, None)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """The answer to what is no HTTP request, or to what the handler did not foresee."""
        self.message_arrived()
        if request.writer.output_size > 0:
            raise ConnectionError("the response has begun and cannot be taken back")
        if status == 400:
            cause = shown(" ".join((message or "").split()), MAX_CAUSE_CHARACTERS)
            text, error = f"{_EXPECTED}, got: {cause}\n", None
            log_event(logging.WARNING, "no HTTP", client=self._client, cause=cause)
        else:
            text, error = "the request could not be answered\n", exc
            log_event(logging.ERROR, "failed", client=self._client, error=error)
        response = web.Response(status=status, text=text)
        response.force_close()
        return response

    def give_up(self, reason: str) -> None:
        """Close the connection of a client that has not sent its request."""
        self.message_arrived()
        log_event(logging.INFO, "refused", client=self._client, reason=reason)
        self.force_close()

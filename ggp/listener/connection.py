"""Connections with limits: on their number, on the time for a request, and on invalid input.

aiohttp rejects some requests before a handler runs, with an explanatory page and a stack trace in
the log. Here each rejection is one line of answer and one line of log.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from ggp import clock
from ggp.listener import descriptors
from ggp.listener.bounds import Bounds, home_of
from ggp.listener.unread import has_unread, is_gone, notice_death
from ggp.log import LOGGER, log_event
from ggp.protocol import shown

LINGERING_SECONDS = 1.0  # for reading an unwanted body, so that the client sees the answer
MAX_CAUSE_CHARACTERS = 80
LOOK_SECONDS = 5.0
"""Time between checks whether a client that closed its sending side is gone completely."""
SETTLING_SECONDS = 0.1
"""Time after which to check what a crowd of new clients has sent so far."""

_FULL = b"HTTP/1.0 503 Service Unavailable\r\nContent-Length: 21\r\n\r\ntoo many connections\n"
_STRANGE = b"HTTP/1.0 403 Forbidden\r\nContent-Length: 31\r\n\r\nthis address may not come here\n"
_EXPECTED = (
    "expected an HTTP request whose lines end in CRLF and whose Content-Length counts the bytes "
    "of its body"
)

SERVED, SILENT, NO_HTTP = "served", "said nothing", "no HTTP"
CROWD, STRANGE = "connections", "not an allowed client"
LATE, UNREAD, GAVE_WAY = "no request in time", "nothing read in time", "room for others"
LEFT = "gone before its answer"
VERDICTS = (SERVED, SILENT, NO_HTTP, CROWD, STRANGE, LATE, UNREAD, GAVE_WAY, LEFT)
"""All ways in which a connection can end."""

Handler = Callable[[Any], Awaitable[web.StreamResponse]]
"""A handler of the requests that the server's factory creates."""


def nobody(_client: str) -> bool:
    """Return False, because no address is known."""
    return False


class BoundedServer(web.Server):
    """A server that limits its connections, and may close a slow client to make room for a new one.

    Attributes:
        receiving: Connections whose next request is not complete yet, oldest first.
        verdicts: Number of ended connections, by how they ended.
        statuses: Number of answered requests, by the status of the answer.
    """

    def __init__(
        self,
        handler: Handler,
        bounds: Bounds,
        factory: Any = None,
        is_known: Callable[[str], bool] = nobody,
    ) -> None:
        """Create a server.

        Args:
            factory: Creates the requests for the handler. If None, use aiohttp's simplest request
                class.
            is_known: Returns whether an address is known. Other clients are dropped first.
        """
        super().__init__(
            handler, request_factory=factory, handler_cancellation=bounds.is_cancelling
        )
        self.bounds = bounds
        self._is_known = is_known
        self.receiving: dict[Connection, None] = {}
        self.verdicts = Counter(dict.fromkeys(VERDICTS, 0))
        self.statuses = Counter(dict.fromkeys((200, 400, 404, 500, 503), 0))
        self._num_open: Counter[str] = Counter()
        self._unsettled: dict[Connection, None] = {}

    @property
    def num_open(self) -> int:
        """Number of open connections."""
        return self._num_open.total()

    def admit(self, new: Connection) -> bool:
        """Count a new connection. Return False if it must be rejected at once.

        If there is no room, drop the client that has taken longest to send its request. If one
        address has too many connections, choose among the clients at that address. Known clients,
        and clients whose request this process has not read yet, are dropped last. When many clients
        connect at the same time, nothing has been read yet, so this choice is made a moment later.
        """
        self._num_open[new.client] += 1
        if not self._is_over(new.client):
            return True
        if self._num_open.total() > self.bounds.max_connections + descriptors.backlog() // 2:
            return self._give_way(new.client) or self._give_way()
        if not self._unsettled:
            asyncio.get_running_loop().call_later(SETTLING_SECONDS, self._settle)
        self._unsettled[new] = None
        return True

    def forget(self, gone: Connection) -> None:
        """Stop counting a connection that has closed."""
        self._unsettled.pop(gone, None)
        self._num_open[gone.client] -= 1
        if self._num_open[gone.client] <= 0:
            del self._num_open[gone.client]

    def _is_over(self, client: str) -> bool:
        is_crowd = self._num_open[client] > self.bounds.max_per_address
        return is_crowd or self._num_open.total() > self.bounds.max_connections

    def _settle(self) -> None:
        unsettled, self._unsettled = self._unsettled, {}
        for new in unsettled:
            is_crowd = self._num_open[new.client] > self.bounds.max_per_address
            if self._is_over(new.client) and not self._give_way(new.client if is_crowd else None):
                new.turn_away()

    def _give_way(self, client: str | None = None) -> bool:
        for is_spared in (self._is_known_or_waits, Connection.waits, _never):
            for slowest in self.receiving:
                if client in {None, slowest.client} and not is_spared(slowest):
                    slowest.give_up(GAVE_WAY)
                    return True
        return False

    def _is_known_or_waits(self, slow: Connection) -> bool:
        return self._is_known(slow.client) or slow.waits()

    def __call__(self) -> Connection:
        """Return the protocol for a new connection."""
        return Connection(self)


class Connection(web.RequestHandler):
    """One client. It must send its requests in time and read the answers.

    Attributes:
        client: The client's address. Empty if it has none.
        ended_at: When the client closed its sending side, as a time of `ggp.clock.now()`, or None.
            It may still be reading.
        accepted: When this process accepted the connection, as a time of `ggp.clock.now()`.
        when_answered: Called once, after the current request has been answered.
    """

    def __init__(self, server: BoundedServer) -> None:
        bounds = server.bounds
        super().__init__(
            server,
            loop=asyncio.get_running_loop(),
            logger=LOGGER,
            access_log=None,  # type: ignore[arg-type]  # allowed by aiohttp's docs, not its types
            keepalive_timeout=bounds.keepalive_seconds,
            max_line_size=bounds.max_line_bytes,
            lingering_time=LINGERING_SECONDS,
            auto_decompress=False,  # so that a small body cannot decompress to a large one
        )
        self.client = ""
        self.ended_at: float | None = None
        self.accepted = clock.now()
        self.when_answered: Callable[[], None] | None = None
        self._num_answered = 0
        self._verdict = ""
        self._server = server
        self._wire: asyncio.Transport | None = None
        self._receiving: asyncio.TimerHandle | None = None
        self._stalling: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the timer for the request, or reject the client."""
        super().connection_made(transport)
        peer = transport.get_extra_info("peername")
        self.client = str(peer[0]) if isinstance(peer, tuple) else ""
        assert isinstance(transport, asyncio.Transport)
        self._wire = transport
        transport.set_write_buffer_limits(high=0)  # watch everything that is not read at once
        notice_death(transport)
        if not self._server.admit(self):
            self.turn_away()
            return
        if (allowed := self._server.bounds.allowed_clients) and not home_of(self.client, allowed):
            self._refuse(_STRANGE, STRANGE)
            return
        self._server.receiving[self] = None
        seconds = self._server.bounds.receive_seconds
        self._receiving = asyncio.get_running_loop().call_later(seconds, self.give_up, LATE)

    def connection_lost(self, exc: BaseException | None) -> None:
        """Stop the timers."""
        self.message_arrived()
        self._stop_stalling()
        verdict = self._verdict or (SERVED if self._request_count else SILENT)
        self._server.verdicts[verdict] += 1
        self._server.forget(self)
        super().connection_lost(exc)

    def eof_received(self) -> bool:  # type: ignore[override]  # asyncio allows bool, aiohttp does not
        """Return whether to keep the other direction open, in which the client may still read.

        A client that has closed its whole socket can't be told from one that still reads, until TCP
        reports that it is gone. That takes about a minute.
        """
        super().eof_received()
        self.ended_at = clock.now()
        if self._is_owed():
            self._look()
            return True
        return False

    def request_arrived(self) -> None:
        """Stop the timer for the request, because its headers are complete."""
        if self._receiving is not None:
            self._receiving.cancel()
            self._receiving = None

    def message_arrived(self) -> None:
        """Note that the body is complete. While the client waits for its answer, do not drop it."""
        self.request_arrived()
        self._server.receiving.pop(self, None)

    async def finish_response(self, *told: Any) -> tuple[web.StreamResponse, bool]:
        """Send an answer. Until its next request, the client may be dropped to make room."""
        try:
            answered = await super().finish_response(*told)
        finally:
            when_answered, self.when_answered = self.when_answered, None
            if when_answered is not None:
                when_answered()
        self._server.statuses[answered[0].status] += 1
        if self.transport is not None:
            self._server.receiving[self] = None
        self._num_answered += 1
        if self.ended_at is not None and not self._is_owed():
            self.close()  # no other request can come
        return answered

    def pause_writing(self) -> None:
        """Start to check whether the client reads anything, because it is slower than we are."""
        super().pause_writing()
        self._watch_stall()

    def resume_writing(self) -> None:
        """Stop checking, because the client reads."""
        self._stop_stalling()
        super().resume_writing()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Return the answer to input that is not HTTP, or to an unexpected error in the handler."""
        self.message_arrived()
        if request.writer.output_size > 0:
            raise ConnectionError("the response has already begun, so no error can be sent")
        if status == 400:
            cause = shown(" ".join((message or "").split()), MAX_CAUSE_CHARACTERS)
            text, error = f"{_EXPECTED}, got: {cause}\n", None
            self._verdict = NO_HTTP
            log_event(logging.WARNING, "no HTTP", client=self.client, cause=cause)
        else:
            text, error = "the request could not be answered\n", exc
            log_event(logging.ERROR, "failed", client=self.client, error=error)
        response = web.Response(status=status, text=text)
        response.force_close()
        return response

    def give_up(self, reason: str) -> None:
        """Close the connection of a client that is too slow, gone, or dropped to make room."""
        self.message_arrived()
        self._verdict = reason
        log_event(logging.INFO, "refused", client=self.client, reason=reason)
        self.force_close()
        if self._wire is not None:
            self._wire.abort()  # the client will never read the rest

    def waits(self) -> bool:
        """Return whether the client has sent data that has not been read yet."""
        return has_unread(self._wire)

    def turn_away(self) -> None:
        """Tell the client that there are too many connections, then close."""
        self.message_arrived()
        self._refuse(_FULL, CROWD)

    def _refuse(self, answer: bytes, reason: str) -> None:
        self._verdict = reason
        log_event(logging.WARNING, "refused", client=self.client, reason=reason)
        assert self._wire is not None
        self._wire.write(answer)
        self.force_close()

    def _is_owed(self) -> bool:
        """Return whether a request is still unanswered."""
        return self._request_count > self._num_answered

    def _look(self) -> None:
        """Close the connection if its client is gone. Otherwise check again later."""
        if self._wire is None or self._wire.is_closing():
            return
        if is_gone(self._wire):
            self.give_up(LEFT)
        else:
            asyncio.get_running_loop().call_later(LOOK_SECONDS, self._look)

    def _watch_stall(self, size_before: int | None = None) -> None:
        """Check at intervals whether the client has read something since the last check."""
        assert self._wire is not None
        size = self._wire.get_write_buffer_size()
        if size_before is not None and size >= size_before:
            self.give_up(UNREAD)
            return
        seconds = self._server.bounds.stall_seconds
        self._stalling = asyncio.get_running_loop().call_later(seconds, self._watch_stall, size)

    def _stop_stalling(self) -> None:
        if self._stalling is not None:
            self._stalling.cancel()
            self._stalling = None


def _never(_connection: Connection) -> bool:
    return False


class BoundedAppRunner(web.AppRunner):
    """An application runner with limits for clients."""

    def __init__(
        self,
        app: web.Application,
        bounds: Bounds,
        is_known: Callable[[str], bool] = nobody,
        **options: Any,
    ) -> None:
        """Create a runner like aiohttp's, but with limits."""
        super().__init__(app, **options)
        self._bounds = bounds
        self._is_known = is_known

    async def _make_server(self) -> web.Server:
        plain = await super()._make_server()
        handler = _following(plain.request_handler)
        return BoundedServer(handler, self._bounds, plain.request_factory, self._is_known)


def _following(handler: Handler) -> Handler:
    async def follow(request: web.BaseRequest) -> web.StreamResponse:
        connection = request.protocol
        assert isinstance(connection, Connection)
        connection.request_arrived()
        request.content.on_eof(connection.message_arrived)
        return await handler(request)

    return follow

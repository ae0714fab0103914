"""Connections within bounds: their number, the time to send a request, and what is no HTTP at all.

aiohttp refuses some requests before any handler runs, with a page of explanation and a stack trace
in the log. Here each of them costs one line of answer and one line of log.
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

LINGERING_SECONDS = 1.0  # to swallow a body that is not wanted, so that the client sees the answer
MAX_CAUSE_CHARACTERS = 80
LOOK_SECONDS = 5.0
"""Between two looks whether a client that has ended its sending side is gone as a whole."""
SETTLING_SECONDS = 0.1
"""After which of a crowd is read what it has sent so far."""

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
"""What can become of a connection."""

Handler = Callable[[Any], Awaitable[web.StreamResponse]]
"""Takes a request of the kind that the server's factory makes."""


def nobody(_client: str) -> bool:
    """Whether an address is known: none is."""
    return False


class BoundedServer(web.Server):
    """Makes a `Connection` for every client, and room for a new one where that is fair.

    Attributes:
        receiving: The connections whose next request has not come as a whole, the oldest first.
        verdicts: How many connections have ended, by what became of them.
        statuses: How many requests were answered, by the status of the answer.
    """

    def __init__(
        self,
        handler: Handler,
        bounds: Bounds,
        factory: Any = None,
        is_known: Callable[[str], bool] = nobody,
    ) -> None:
        """Serve clients.

        Args:
            factory: Makes the requests that the handler takes; None for aiohttp's simplest.
            is_known: Whether an address has something going on here: others give way first.
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
        """How many connections there are."""
        return self._num_open.total()

    def admit(self, new: Connection) -> bool:
        """Count a connection, and say whether there is room for it, or perhaps will be soon.

        Who has taken longest to send a request has to give way: where one address has too many
        connections one of its own, else anybody; those whose request is there, and waits for us,
        and those that are known come last. Of a crowd that comes at one moment nothing has
        been read yet, so it is looked at a moment later who of it is slow.
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
        """A connection is closed."""
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
        """The protocol for a new connection."""
        return Connection(self)


class Connection(web.RequestHandler):
    """One client: its requests must arrive in time, and their answers be read.

    Attributes:
        client: Its address; empty if it has none.
        ended_at: When the client ended its sending side, on `ggp.clock.now()`; None if it has not.
            It may still read.
        accepted: When this process took it, on `ggp.clock.now()`.
        when_answered: Is called once the answer of the present request is handed over.
    """

    def __init__(self, server: BoundedServer) -> None:
        bounds = server.bounds
        super().__init__(
            server,
            loop=asyncio.get_running_loop(),
            logger=LOGGER,
            access_log=None,  # type: ignore[arg-type]  # documented, but not annotated so
            keepalive_timeout=bounds.keepalive_seconds,
            max_line_size=bounds.max_line_bytes,
            lingering_time=LINGERING_SECONDS,
            auto_decompress=False,  # no small body becomes a large one
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
        """Start the clock for the request, or turn the client away."""
        super().connection_made(transport)
        peer = transport.get_extra_info("peername")
        self.client = str(peer[0]) if isinstance(peer, tuple) else ""
        assert isinstance(transport, asyncio.Transport)
        self._wire = transport
        transport.set_write_buffer_limits(high=0)  # what is not read at once is watched
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
        """Stop the clocks."""
        self.message_arrived()
        self._stop_stalling()
        verdict = self._verdict or (SERVED if self._request_count else SILENT)
        self._server.verdicts[verdict] += 1
        self._server.forget(self)
        super().connection_lost(exc)

    def eof_received(self) -> bool:  # type: ignore[override]  # asyncio's contract; aiohttp says None
        """Return whether to keep the other direction open: the client may still read its answer.

        A client that has closed its socket looks the same until TCP reports that it is gone, which
        takes about a minute.
        """
        super().eof_received()
        self.ended_at = clock.now()
        if self._is_owed():
            self._look()
            return True
        return False

    def request_arrived(self) -> None:
        """The headers are complete: stop the clock."""
        if self._receiving is not None:
            self._receiving.cancel()
            self._receiving = None

    def message_arrived(self) -> None:
        """The body is complete, too: from now on the client may wait for its answer."""
        self.request_arrived()
        self._server.receiving.pop(self, None)

    async def finish_response(self, *told: Any) -> tuple[web.StreamResponse, bool]:
        """Answer; then the client may send its next request, and until it has may give way."""
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
            self.close()  # no further request can come
        return answered

    def pause_writing(self) -> None:
        """The client does not read as fast as it is answered: see that it reads at all."""
        super().pause_writing()
        self._watch_stall()

    def resume_writing(self) -> None:
        """The client reads."""
        self._stop_stalling()
        super().resume_writing()

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
            self._verdict = NO_HTTP
            log_event(logging.WARNING, "no HTTP", client=self.client, cause=cause)
        else:
            text, error = "the request could not be answered\n", exc
            log_event(logging.ERROR, "failed", client=self.client, error=error)
        response = web.Response(status=status, text=text)
        response.force_close()
        return response

    def give_up(self, reason: str) -> None:
        """Close the connection of a client that is too slow, or gone, or gives way to others."""
        self.message_arrived()
        self._verdict = reason
        log_event(logging.INFO, "refused", client=self.client, reason=reason)
        self.force_close()
        if self._wire is not None:
            self._wire.abort()  # what it has not read so far, it never will

    def waits(self) -> bool:
        """Whether the client has sent something that was not read yet."""
        return has_unread(self._wire)

    def turn_away(self) -> None:
        """Answer a client that there is no room for it."""
        self.message_arrived()
        self._refuse(_FULL, CROWD)

    def _refuse(self, answer: bytes, reason: str) -> None:
        self._verdict = reason
        log_event(logging.WARNING, "refused", client=self.client, reason=reason)
        assert self._wire is not None
        self._wire.write(answer)
        self.force_close()

    def _is_owed(self) -> bool:
        """Return whether a request has come that is not answered."""
        return self._request_count > self._num_answered

    def _look(self) -> None:
        """Close the connection if its client is gone, else look again later."""
        if self._wire is None or self._wire.is_closing():
            return
        if is_gone(self._wire):
            self.give_up(LEFT)
        else:
            asyncio.get_running_loop().call_later(LOOK_SECONDS, self._look)

    def _watch_stall(self, size_before: int | None = None) -> None:
        """Look every now and then whether less is left to be read than before."""
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
    """Runs an application whose clients are kept within bounds."""

    def __init__(
        self,
        app: web.Application,
        bounds: Bounds,
        is_known: Callable[[str], bool] = nobody,
        **options: Any,
    ) -> None:
        """As aiohttp's, with bounds."""
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

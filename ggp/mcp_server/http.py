"""The tools over streamable HTTP, for several clients at once, with access control."""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from ggp.errors import CommandFailedError
from ggp.listener.address import ListenError, http_address
from ggp.listener.bounds import is_loopback
from ggp.listener.unread import is_gone, notice_death
from ggp.mcp_server.bounds import MAX_RULES_BYTES, MAX_TRACE_BYTES
from ggp.mcp_server.server import GameServer
from ggp.processes.tasks import termination_event

PATH: Final = "/mcp"
LOCAL_NAMES: Final = ("localhost", "127.0.0.1", "[::1]")
MAX_SESSIONS: Final = 200
MAX_CONNECTIONS: Final = 256
SESSION_SECONDS: Final = 1800.0
"""Forget a client that has sent nothing for this time."""
LOOK_SECONDS: Final = 5.0
"""Interval at which to check whether a half-closed connection has been closed completely."""
MAX_BODY_BYTES: Final = 2 * max(MAX_RULES_BYTES, MAX_TRACE_BYTES)  # JSON escapes make bodies larger


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """The address of a server, and the token that its clients must send.

    Attributes:
        names: Additional host names by which clients reach the server.
        token: Clients must send `Authorization: Bearer TOKEN`. If it is empty, no token is
            required.
    """

    host: str
    port: int
    names: frozenset[str] = frozenset()
    token: str = ""

    def __post_init__(self) -> None:
        """Require a token if other machines can connect.

        Raises:
            CommandFailedError: The token is missing.
        """
        if not self.token and not is_loopback(self.host):
            raise CommandFailedError(
                f"other machines can reach {self.host}, so clients must send a token; "
                "give one with --token"
            )

    def security(self) -> TransportSecuritySettings:
        """Return the allowed hosts and origins, so that other web pages cannot call the server."""
        names = {*LOCAL_NAMES, self.host, *self.names}
        return TransportSecuritySettings(
            allowed_hosts=[one for name in names for one in (name, f"{name}:*")],
            allowed_origins=[
                f"{scheme}://{name}{port}"
                for scheme in ("http", "https")
                for name in names
                for port in ("", ":*")
            ],
        )


async def serve_http(
    server: GameServer, server_address: ServerAddress, announce: Callable[[str], None]
) -> None:
    """Serve clients until SIGINT or SIGTERM.

    Args:
        announce: Called with the address once the server is ready.

    Raises:
        ListenError: The server cannot listen on the address.
    """
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        transport_security=server_address.security(),
        session_idle_timeout=SESSION_SECONDS,
        max_sessions=MAX_SESSIONS,
        max_request_body_size=MAX_BODY_BYTES,
    )
    with _listening(server_address) as listener:
        config = uvicorn.Config(
            _KnownClients(app, server_address.token) if server_address.token else app,
            http=_Connection,
            log_level="error",
            limit_concurrency=MAX_CONNECTIONS,
            timeout_graceful_shutdown=1,
        )
        program = _Program(config)
        serving = asyncio.create_task(program.serve(sockets=[listener]))
        ending = asyncio.create_task(termination_event().wait())
        announce(http_address(server_address.host, listener.getsockname()[1]) + PATH)
        await asyncio.wait({serving, ending}, return_when=asyncio.FIRST_COMPLETED)
        program.should_exit = True
        ending.cancel()
        await serving


class _Program(uvicorn.Server):
    """A uvicorn server that leaves signal handling to its caller."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Install no signal handlers."""
        yield


class _Connection(H11Protocol):
    """A connection on which a client may stop sending, as `nc -N` does, and still be answered."""

    _has_ended = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Ask the operating system to detect when the client is gone."""
        super().connection_made(transport)
        notice_death(transport)

    def eof_received(self) -> bool:  # type: ignore[override]  # asyncio allows bool, uvicorn does not
        """Note that the client sends no more requests.

        Return whether to keep the connection open, because a request is still unanswered.
        """
        self._has_ended = True
        if self._is_owed():
            self._look()
            return True
        return False

    def on_response_complete(self) -> None:
        """Close the connection if no more requests can arrive."""
        super().on_response_complete()
        if self._has_ended and not self._is_owed():
            self.timeout_keep_alive_handler()

    def _is_owed(self) -> bool:
        cycle: Any = self.cycle  # None before the first request
        return cycle is not None and not (cycle.more_body or cycle.response_complete)

    def _look(self) -> None:
        if is_gone(self.transport):
            self.transport.abort()
        elif not self.transport.is_closing():
            self.loop.call_later(LOOK_SECONDS, self._look)


class _KnownClients:
    """Middleware that accepts only requests with the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._wanted = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or reject it."""
        if scope["type"] != "http" or self._is_known(scope["headers"]):
            await self._app(scope, receive, send)
            return
        reason = {"error": "expected the header Authorization: Bearer TOKEN"}
        refusal = JSONResponse(reason, 401, {"WWW-Authenticate": "Bearer"})
        await refusal(scope, receive, send)

    def _is_known(self, headers: Iterable[tuple[bytes, bytes]]) -> bool:
        found = [value for name, value in headers if name == b"authorization"]
        return len(found) == 1 and secrets.compare_digest(found[0], self._wanted)


def _listening(server_address: ServerAddress) -> socket.socket:
    try:
        infos = socket.getaddrinfo(
            server_address.host, server_address.port, type=socket.SOCK_STREAM
        )
        family, kind, number, _, address = infos[0]
        listener = socket.socket(family, kind, number)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        place = f"{server_address.host}:{server_address.port}"
        raise ListenError(error, place, "--http") from error
    listener.listen()
    return listener

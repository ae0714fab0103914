"""The tools over streamable HTTP: several clients at once, and who of them may ask."""

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

from ggp.errors import GgpError
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
"""After which a client that says nothing is forgotten."""
LOOK_SECONDS: Final = 5.0
"""Between two looks whether a client that has ended its sending side is gone as a whole."""
MAX_BODY_BYTES: Final = 2 * max(MAX_RULES_BYTES, MAX_TRACE_BYTES)  # as JSON, which escapes


class AddressError(GgpError):
    """An address cannot be listened on."""


@dataclass(frozen=True, slots=True)
class Door:
    """The address of a server, and what its clients must know.

    Attributes:
        names: Hosts by which clients name the server, beside its address.
        token: What a client must send as `Authorization: Bearer TOKEN`; empty: nothing.
    """

    host: str
    port: int
    names: frozenset[str] = frozenset()
    token: str = ""

    def __post_init__(self) -> None:
        """See that strangers need a token.

        Raises:
            AddressError: They would not.
        """
        if not self.token and not is_loopback(self.host):
            raise AddressError(f"expected a token where others can reach {self.host}")

    def security(self) -> TransportSecuritySettings:
        """The hosts and origins that requests may name: no page of another host may ask."""
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


async def serve_http(server: GameServer, door: Door, announce: Callable[[str], None]) -> None:
    """Serve whoever comes, until SIGINT or SIGTERM.

    Args:
        announce: Called with the address once it answers.

    Raises:
        AddressError: The address cannot be listened on.
    """
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        transport_security=door.security(),
        session_idle_timeout=SESSION_SECONDS,
        max_sessions=MAX_SESSIONS,
        max_request_body_size=MAX_BODY_BYTES,
    )
    with _listening(door) as listener:
        config = uvicorn.Config(
            _KnownClients(app, door.token) if door.token else app,
            http=_Connection,
            log_level="error",
            limit_concurrency=MAX_CONNECTIONS,
            timeout_graceful_shutdown=1,
        )
        program = _Program(config)
        serving = asyncio.create_task(program.serve(sockets=[listener]))
        ending = asyncio.create_task(termination_event().wait())
        host = f"[{door.host}]" if ":" in door.host else door.host
        announce(f"http://{host}:{listener.getsockname()[1]}{PATH}")
        await asyncio.wait({serving, ending}, return_when=asyncio.FIRST_COMPLETED)
        program.should_exit = True
        ending.cancel()
        await serving


class _Program(uvicorn.Server):
    """A server whose signals are ours."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave them alone."""
        yield


class _Connection(H11Protocol):
    """One client. It may end its sending side, as `nc -N` does, and still read its answer."""

    _has_ended = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let the system find out if the client is gone."""
        super().connection_made(transport)
        notice_death(transport)

    def eof_received(self) -> bool:  # type: ignore[override]  # asyncio's contract; uvicorn says None
        """Return whether to keep the other direction open: a whole request is not answered yet."""
        self._has_ended = True
        if self._is_owed():
            self._look()
            return True
        return False

    def on_response_complete(self) -> None:
        """Close the connection where no further request can come."""
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
    """Lets only those through who know the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._wanted = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http" or self._is_known(scope["headers"]):
            await self._app(scope, receive, send)
            return
        reason = {"error": "expected the header Authorization: Bearer TOKEN"}
        refusal = JSONResponse(reason, 401, {"WWW-Authenticate": "Bearer"})
        await refusal(scope, receive, send)

    def _is_known(self, headers: Iterable[tuple[bytes, bytes]]) -> bool:
        found = [value for name, value in headers if name == b"authorization"]
        return len(found) == 1 and secrets.compare_digest(found[0], self._wanted)


def _listening(door: Door) -> socket.socket:
    try:
        infos = socket.getaddrinfo(door.host, door.port, type=socket.SOCK_STREAM)
        family, kind, number, _, address = infos[0]
        listener = socket.socket(family, kind, number)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        raise AddressError(f"cannot listen on {door.host}:{door.port}: {error.strerror}") from error
    listener.listen()
    return listener

"""A server to test, and raw sockets to talk to it: no HTTP library stands between."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from ggp import games
from ggp.engine import EngineConfig
from ggp.protocol.dialects.base import GgpBase
from ggp.server.app import running
from ggp.server.config import ServerConfig
from tests.fakes.engine_processes import FakePool

QUICK = ServerConfig(
    port=0,
    name="tester",
    engine=EngineConfig(player="legal", reasoner="interpreter"),
    num_warm=0,
)
"""Any free port, no process until a match begins, and a player that does not think."""

RULES = (
    "(role white) (role black) (init (heap 3)) (init (control white)) "
    "(less 3 2) (less 2 1) (less 1 0) "
    "(<= (legal ?p take) (true (control ?p))) "
    "(<= (legal white noop) (true (control black))) "
    "(<= (legal black noop) (true (control white))) "
    "(<= (next (heap ?m)) (true (heap ?n)) (less ?n ?m)) "
    "(<= (next (control white)) (true (control black))) "
    "(<= (next (control black)) (true (control white))) "
    "(<= terminal (true (heap 0))) "
    "(<= (goal ?p 0) (true (control ?p))) "
    "(<= (goal white 100) (true (control black))) "
    "(<= (goal black 100) (true (control white)))"
)
"""Three things on a heap; white and black take one in turn, and who takes the last has won."""


@dataclass(frozen=True, slots=True)
class Response:
    """The response that came until the server closed the connection."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: str


@dataclass(frozen=True, slots=True)
class Wire:
    """A server's address."""

    host: str
    port: int
    source: str = ""
    """The address that speaks; empty for whichever the system takes."""
    page: str = ""
    """Lines that a browser adds, each with its end."""

    async def say(self, message: str, receiver: str = "tester") -> str:
        """The reply to a message sent as GGP-Base sends it; it must be an answer."""
        response = await self.post(message, receiver)
        assert response.status == 200, response.body
        return response.body

    async def post(self, message: str, receiver: str = "tester", path: str = "/") -> Response:
        """The response to a message sent as GGP-Base sends it."""
        request = GgpBase.framing.request(message, host=self.host, path=path, receiver=receiver)
        lines, rest = request.split(b"\r\n", 1)
        return await self.send(lines + b"\r\n" + self.page.encode() + rest)

    async def send(self, request: bytes) -> Response:
        """The response to these bytes."""
        return parsed(await self.raw(request))

    async def raw(self, request: bytes) -> bytes:
        """All bytes that the server sends until it closes the connection."""
        local = (self.source, 0) if self.source else None
        reader, writer = await asyncio.open_connection(self.host, self.port, local_addr=local)
        try:
            writer.write(request)
            async with asyncio.timeout(30):
                return await reader.read()
        finally:
            writer.close()


@asynccontextmanager
async def serving(
    config: ServerConfig = QUICK, *, has_processes: bool = False, **changes: object
) -> AsyncIterator[Wire]:
    """Run a server with these settings, changed as said.

    Args:
        has_processes: Whether its engines are real processes. Else they are fakes of this process,
            which know only some players (`FakeProcess`).
    """
    lender = None if has_processes else FakePool()
    changed = replace(config, **changes)  # type: ignore[arg-type]  # by name
    async with running(changed, lender) as address:
        host, _, port = address.removeprefix("http://").rpartition(":")
        yield Wire(host, int(port))


def parsed(answer: bytes) -> Response:
    """An answer taken apart."""
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = {key.lower(): value for key, _, value in (line.partition(": ") for line in lines)}
    return Response(int(first.split()[1]), headers, body.decode())


def start(match: str, role: str = "white", clocks: str = "9 5", rules: str = RULES) -> str:
    """A START as GGP-Base writes it."""
    return f"( START {match} {role} ({rules} ) {clocks})"


def bundled(name: str) -> str:
    """The rules of a bundled game on one line."""
    lines = games.text(name).splitlines()
    return " ".join(line.partition(";")[0] for line in lines)

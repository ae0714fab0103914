"""Clients that come in crowds, dawdle, or do not read: each has its bounds."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

import pytest
from aiohttp import web

from ggp.listener.bounds import Bounds
from ggp.listener.connection import SETTLING_SECONDS, BoundedAppRunner
from tests.fakes.clock import fake_clock
from tests.fakes.leaving import reset

__all__ = ["fake_clock"]

pytestmark = pytest.mark.usefixtures("fake_clock")


SECONDS = 20.0
FEW = Bounds(max_connections=4, max_per_address=3)
HUGE = 50_000_000
"""Bytes, more than any system keeps for a client that does not read."""


@dataclass
class Listener:
    """A listener to test."""

    port: int
    runner: BoundedAppRunner
    release: asyncio.Event
    """Lets requests for /wait be answered."""
    writers: list[asyncio.StreamWriter] = field(default_factory=list)
    """Of all clients."""

    async def open(
        self, said: bytes = b"", host: str = "127.0.0.1"
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A client at an address that has said something."""
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=(host, 0), limit=1024
        )
        self.writers.append(writer)
        writer.write(said)
        return reader, writer

    async def get(self, path: str = "/", host: str = "127.0.0.1") -> bytes:
        """The answer to a whole request, and that it is answered at once."""
        reader, _ = await self.open(b"GET %b HTTP/1.0\r\n\r\n" % path.encode(), host)
        async with asyncio.timeout(SECONDS):
            return await reader.read()


@contextlib.asynccontextmanager
async def listening(
    bounds: Bounds, is_known: Callable[[str], bool] = lambda client: False
) -> AsyncIterator[Listener]:
    """An application behind these bounds."""
    release = asyncio.Event()

    async def answer(request: web.Request) -> web.Response:
        if request.path == "/wait":
            await release.wait()
        size = HUGE if request.path == "/huge" else 2
        return web.Response(body=await request.read() or b"x" * size)

    app = web.Application()
    app.add_routes([web.route("*", "/{path:.*}", answer)])
    runner = BoundedAppRunner(app, bounds, is_known, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    listener = Listener(runner.addresses[0][1], runner, release)
    try:
        yield listener
    finally:
        release.set()
        for writer in listener.writers:
            writer.close()
        await runner.cleanup()


async def closed(reader: asyncio.StreamReader) -> bytes:
    """The bytes that come until the connection is closed."""
    async with asyncio.timeout(SECONDS):
        try:
            return await reader.read()
        except ConnectionResetError:
            return b""


async def test_idle_clients_give_way_to_who_asks() -> None:
    """A thousand of them that say nothing keep nobody out, and few of them stay."""
    async with listening(FEW) as listener:
        idle = [await listener.open() for _ in range(100)]
        answer = await listener.get()
        gone = await asyncio.gather(*(closed(reader) for reader, _ in idle[:97]))
        still = len(listener.runner.server.connections) if listener.runner.server else 0

    assert answer.startswith(b"HTTP/1.0 200")
    assert set(gone) == {b""}
    assert still <= FEW.max_connections


async def test_who_came_with_a_crowd_and_has_asked_is_answered() -> None:
    """Nothing has been read of anybody when they are let in; the first has sent a whole request."""
    async with listening(FEW) as listener:
        place = ("127.0.0.1", listener.port)
        with contextlib.ExitStack() as stack:
            # Without a pause in which the listener could look at one before the next one comes.
            first = stack.enter_context(socket.create_connection(place))
            first.sendall(b"GET / HTTP/1.0\r\n\r\n")
            for _ in range(20):
                stack.enter_context(socket.create_connection(place)).sendall(b"GET /")
            first.setblocking(False)
            async with asyncio.timeout(SECONDS):
                answer = await asyncio.get_running_loop().sock_recv(first, 100)

    assert answer.startswith(b"HTTP/1.0 200")


async def test_who_is_known_does_not_give_way_to_strangers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So many at one moment that it cannot be waited for what they have sent."""
    monkeypatch.setattr("ggp.listener.descriptors.backlog", lambda: 2)
    async with listening(FEW, is_known=lambda client: client == "127.0.0.2") as listener:
        place = ("127.0.0.1", listener.port)
        with contextlib.ExitStack() as stack:
            known = stack.enter_context(
                socket.create_connection(place, source_address=("127.0.0.2", 0))
            )
            for _ in range(20):
                stack.enter_context(socket.create_connection(place)).sendall(b"GET /")
            await asyncio.sleep(2 * SETTLING_SECONDS)
            known.sendall(b"GET / HTTP/1.0\r\n\r\n")
            known.setblocking(False)
            async with asyncio.timeout(SECONDS):
                answer = await asyncio.get_running_loop().sock_recv(known, 100)

    assert answer.startswith(b"HTTP/1.0 200")


async def test_one_address_does_not_shut_out_the_others() -> None:
    """Its own clients beyond its share are turned away, even if all of them wait for an answer."""
    async with listening(FEW) as listener:
        waiting = [await listener.open(b"GET /wait HTTP/1.1\r\nHost: h\r\n\r\n") for _ in range(3)]
        for reader, _ in waiting:  # all were accepted: the listener has counted them
            assert not reader.at_eof()
        refused = await listener.get("/wait")
        answer = await listener.get(host="127.0.0.2")
        listener.release.set()
        answered = [await reader.readline() for reader, _ in waiting]

    assert refused.startswith(b"HTTP/1.0 503")
    assert refused.endswith(b"too many connections\n")
    assert answer.startswith(b"HTTP/1.0 200")
    assert {line.split()[1] for line in answered} == {b"200"}


async def test_headers_must_come_in_time() -> None:
    """Nothing, a part of a line, or one byte after the other: the clock does not begin anew."""
    bounds = Bounds(max_connections=9, max_per_address=9, receive_seconds=0.2)
    async with listening(bounds) as listener:
        silent, _ = await listener.open()
        partial, _ = await listener.open(b"GET / HTTP/1.1\r\nHost: ")
        slow, writer = await listener.open(b"GET / HTTP/1.1\r\nX: ")
        dribbling = asyncio.create_task(_dribble(writer))
        found = [await closed(reader) for reader in (silent, partial, slow)]
        dribbling.cancel()

    assert found == [b"", b"", b""]


async def test_a_client_may_ask_again_but_not_dawdle() -> None:
    """A connection that was answered is closed if nothing comes, or only half a request."""
    bounds = Bounds(max_connections=9, max_per_address=9, keepalive_seconds=0.2)
    async with listening(bounds) as listener:
        reader, writer = await listener.open()
        for _ in range(3):
            writer.write(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            assert (await reader.readuntil(b"\r\n\r\nxx")).startswith(b"HTTP/1.1 200")
        writer.write(b"GET / HTTP/1.1\r\nX: ")
        rest = await closed(reader)

    assert rest == b""


async def test_who_does_not_read_is_let_go() -> None:
    """Its answer is not kept for ever."""
    bounds = Bounds(max_connections=9, max_per_address=9, stall_seconds=0.2)
    async with listening(bounds) as listener:
        await listener.open(b"GET /huge HTTP/1.1\r\nHost: h\r\n\r\n")
        async with asyncio.timeout(SECONDS):
            while not (server := listener.runner.server) or not server.requests_count:
                await asyncio.sleep(0)
            while server.connections:
                await asyncio.sleep(0.01)

    assert not server.connections


async def test_who_reads_slowly_gets_it_all() -> None:
    """Whoever reads something now and then."""
    bounds = Bounds(max_connections=9, max_per_address=9, stall_seconds=SECONDS)
    async with listening(bounds) as listener:
        reader, _ = await listener.open(b"GET /huge HTTP/1.0\r\n\r\n")
        num_bytes = 0
        async with asyncio.timeout(SECONDS):
            while part := await reader.read(1 << 20):
                num_bytes += len(part)

    assert num_bytes > HUGE


async def test_who_ended_its_side_and_is_gone_is_let_go() -> None:
    """It looks as one that still reads until the system knows better; others keep being served."""
    bounds = Bounds(max_connections=9, max_per_address=9, is_cancelling=True)
    async with listening(bounds) as listener:
        reader, reading = await listener.open(b"GET /wait HTTP/1.1\r\nHost: h\r\n\r\n")
        _, gone = await listener.open(b"GET /wait HTTP/1.1\r\nHost: h\r\n\r\n")
        for writer in (reading, gone):
            writer.write_eof()
        assert (await listener.get()).startswith(b"HTTP/1.0 200")  # by now both have been read
        assert listener.runner.server is not None
        assert len(listener.runner.server.connections) >= 2
        reset(gone)
        async with asyncio.timeout(SECONDS):
            while len(listener.runner.server.connections) > 1:
                await asyncio.sleep(0.1)
        listener.release.set()
        answer = await closed(reader)

    assert answer.startswith(b"HTTP/1.1 200")  # and the end, since it cannot ask again


async def _dribble(writer: asyncio.StreamWriter) -> None:
    while True:
        writer.write(b"y")
        await asyncio.sleep(0.02)

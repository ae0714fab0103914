"""The client sends what GGP-Base sends, and takes what GGP-Base takes."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from ggp.protocol import ConnectionFailedError, ReplyTimeoutError
from ggp.protocol.client import info, read_info, send
from ggp.protocol.dialects.base import GgpBase, HttpFraming
from ggp.protocol.dialects.dresden import Dresden
from ggp.protocol.dialects.gamemaster import Gamemaster
from tests.fakes.clock import fake_clock

__all__ = ["fake_clock"]

pytestmark = pytest.mark.usefixtures("fake_clock")


Play = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def test_a_request_is_byte_for_byte_ggp_bases() -> None:
    """Recorded from its game server; no other header, no line end after the body."""
    request = GgpBase.framing.request("( PLAY Match.plain.1 NIL )", host="localhost", receiver="P1")

    assert request == (
        b"POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: localhost\r\nSender: GAMESERVER\r\n"
        b"Receiver: P1\r\nContent-Type: text/acl\r\nContent-Length: 26\r\n\r\n"
        b"( PLAY Match.plain.1 NIL )"
    )


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        (b"HTTP/1.0 200 OK\r\nContent-length: 7\r\n\r\n(m 3 4)", "(m 3 4)"),
        (b"HTTP/1.1 500 Oops\r\nContent-Length: 7\r\n\r\n(m 3 4) and more", "(m 3 4)"),
        (b"HTTP/1.0 200 OK\nX: y\n\n(m 3\r\n4)\r\n", "(m 3\r\n4)"),
        (b"Content-Length: 9\r\n\r\n (m 3 4)\n", "(m 3 4)"),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", ""),
        (b"HTTP/1.0 200 OK\r\n\r\n\xff", "\ufffd"),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 70\r\n\r\n(m 3 4)", "(m 3 4)"),
        (b"HTTP/1.0 200 OK\r\n\r\n", ""),
    ],
)
async def test_replies_are_read_leniently(answer: bytes, reply: str) -> None:
    """Status and line ends do not matter; without Content-Length the end of the stream counts."""
    async with scripted_player(answering(answer)) as url:
        assert await send(url, "( INFO )", timeout=5) == reply


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.0 200 OK\r\n",
        b"HTTP/1.0 200 OK\r\nContent-Length: many\r\n\r\n(m 3 4)",
        b"X" * 100_000,
    ],
)
async def test_half_a_reply_is_a_connection_error(answer: bytes) -> None:
    """GGP-Base records it as CE."""
    async with scripted_player(answering(answer)) as url:
        with pytest.raises(ConnectionFailedError, match="no complete reply from http"):
            await send(url, "( INFO )", timeout=5)


async def test_dresden_reads_up_to_the_end_of_the_stream() -> None:
    """Whatever Content-Length says."""
    answer = b"HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\n(m 3 4)"

    async with scripted_player(answering(answer)) as url:
        assert await send(url, "( INFO )", timeout=5, framing=Dresden.framing) == "(m 3 4)"


async def test_a_silent_player_is_late() -> None:
    """GGP-Base records it as TO; trickling does not extend the time."""

    async def trickle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        while not writer.is_closing():
            writer.write(b"X: y\r\n")
            await writer.drain()
            await asyncio.sleep(0.02)

    async with scripted_player(trickle) as url:
        with pytest.raises(ReplyTimeoutError, match=r"within 0\.2 s"):
            await send(url, "( INFO )", timeout=0.2)


async def test_a_player_that_is_not_there_is_named() -> None:
    """The message holds the address and the cause."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]

        with pytest.raises(ConnectionFailedError, match=f"cannot connect to 127.0.0.1:{port}"):
            await send(f"http://127.0.0.1:{port}", "( INFO )", timeout=1)


@pytest.mark.parametrize("url", ["", "http://", "ftp://x", "http://x:99999", "http://x:y", "//"])
async def test_an_address_that_is_none_is_refused(url: str) -> None:
    """Before anything is sent."""
    with pytest.raises(ConnectionFailedError, match="expected an address such as"):
        await send(url, "( INFO )", timeout=1)


async def test_info_sends_info_and_reads_pairs() -> None:
    """The request is GGP-Base's ping, with an empty receiver."""
    seen: list[bytes] = []
    body = b"((name Me) (status available) (species alien))"
    header = b"HTTP/1.0 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body)

    async with scripted_player(answering(header + body, seen)) as url:
        found = await info(url)

    assert (found.name, found.status, found.more) == ("Me", "available", (("species", "alien"),))
    assert b"\r\nReceiver: \r\n" in seen[0]
    assert seen[0].endswith(b"\r\n\r\n( INFO )")


@pytest.mark.parametrize("framing", [GgpBase.framing, Dresden.framing, Gamemaster.framing])
def test_no_name_begins_a_line_of_its_own(framing: HttpFraming) -> None:
    """Some players take a bare CR for the end of a line."""
    name = "P\r1\nX: 1\x0b\x85\u2028"

    request = framing.request("( INFO )", host=name, path=f"/{name}", receiver=name).decode()

    head = request.partition("\r\n\r\n")[0]
    assert head.splitlines() == head.split("\r\n")
    assert len(head.splitlines()) == len(framing.head)


@pytest.mark.parametrize("url", ["http://h:1/\r", "http://h:1/a b", "http://h:1/\x00", "http://[h"])
async def test_what_is_no_address_is_not_asked(url: str) -> None:
    """The error says what one looks like."""
    with pytest.raises(ConnectionFailedError, match="expected an address such as"):
        await send(url, "( INFO )", timeout=1)


def test_what_a_player_tells_of_itself_is_cut() -> None:
    """Each value, and how many there are."""
    text = "(" + "".join(f"(key{n} {'v' * 1000})" for n in range(1000)) + f"(name {'n' * 1000}))"

    found = read_info(text)

    assert len(found.name) == len(found.more[0][1]) == 100
    assert len(found.more) == 50


@pytest.mark.parametrize(
    ("text", "name", "status"),
    [
        ("( ( name Random ) ( status available ) )", "Random", "available"),
        ("((NAME My Player 1)(Status busy))", "MyPlayer1", "busy"),
        ("[[name,x],[status,available]]", "x", "available"),
        ("ready", "", "ready"),
        ("(status)", "", "status"),
        ("", "", ""),
        ("nil", "", ""),
        ("( NIL )", "", ""),
        ("((name nil) (status None))", "", ""),
        ("((name Nile) (status null))", "Nile", ""),
        ("<html>404 not found</html>", "", ""),
    ],
)
def test_info_is_read_as_ggp_base_reads_it(text: str, name: str, status: str) -> None:
    """Keys in any case, values joined, a bare word is the status."""
    found = read_info(text)

    assert (found.name, found.status) == (name, status)


def answering(answer: bytes, seen: list[bytes] | None = None) -> Play:
    """A player that reads a request, sends these bytes and closes."""

    async def play(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await reader.readuntil(b"\r\n\r\n")
        request += await reader.readexactly(len("( INFO )"))
        if seen is not None:
            seen.append(request)
        writer.write(answer)
        await writer.drain()

    return play


@asynccontextmanager
async def scripted_player(play: Play) -> AsyncIterator[str]:
    """A player that follows a script; gives its address."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await play(reader, writer)
        except ConnectionError:
            pass  # the client left, as it may
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"

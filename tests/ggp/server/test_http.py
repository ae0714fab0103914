"""Transport of messages: methods, paths, headers, and what is no HTTP at all."""

from __future__ import annotations

import asyncio
import logging

import pytest

from ggp.engine import EngineConfig
from ggp.protocol.dialects.base import GgpBase
from tests.ggp.server.wire import Wire, parsed, serving, start

pytestmark = pytest.mark.usefixtures("fake_clock")


INFO = b"( INFO )"
DRESDEN = (
    b"POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: Gamecontroller\r\nReceiver: 127.0.0.1\r\n"
    b"Content-type: text/acl\r\nContent-length: 8\r\n\r\n( INFO )"
)
POST = b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 8\r\n"
SLEEPY = EngineConfig(player="tests.ggp.engine.odd_players:Sleepy")
WATCHFUL = EngineConfig(player="tests.ggp.engine.odd_players:Watchful", reasoner="interpreter")
CHUNKED = b"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    "request_bytes",
    [
        DRESDEN,
        POST + b"\r\n( INFO )",
        POST + b"Connection: keep-alive\r\n\r\n( INFO )",
        b"POST /any/path?q=1 HTTP/1.0\r\nContent-Length: 8\r\n\r\n( INFO )",
        CHUNKED + b"8\r\n( INFO )\r\n0\r\n\r\n",
        b"GET /(info)\r\n\r\n",
        b"POST / HTTP/1.0\r\nContent-Length: 11\r\n\r\n\xef\xbb\xbf( INFO )",
        b"GET /%28+INFO+%29 HTTP/1.0\r\nAccept: text/delim\r\nHost: 127.0.0.1\r\n\r\n\r\n",
        b"GET /(INFO) HTTP/1.1\r\nHost: h\r\n\r\n",
        b"GET /%28%20info%20%29 HTTP/1.1\r\nHost: h\r\n\r\n",
        b"GET /?request=%28INFO%29 HTTP/1.1\r\nHost: h\r\n\r\n",
        b"GET /some/page?x=1&request=(INFO)&y=2 HTTP/1.1\r\nHost: h\r\n\r\n",
    ],
)
async def test_a_message_may_come_in_many_ways(request_bytes: bytes) -> None:
    """The answer has a length, is not chunked, and the connection ends with it."""
    async with serving() as wire:
        response = await wire.send(request_bytes)

    assert response.status == 200
    assert response.body.startswith("((name tester)")
    assert int(response.headers["content-length"]) == len(response.body)
    assert "transfer-encoding" not in response.headers
    assert response.headers["access-control-allow-origin"] == "*"


async def test_the_content_type_is_that_of_the_dialect() -> None:
    """`text/acl` for GGP-Base and Dresden, `text/plain` for Gamemaster's infix; no charset."""
    async with serving() as wire:
        prefix = await wire.post("(INFO)")
        infix = await wire.post("ping(p)")

    assert prefix.headers["content-type"] == "text/acl"
    assert infix.headers["content-type"] == "text/plain"


async def test_an_http_1_0_request_gets_an_http_1_0_answer() -> None:
    """No interim answer, and the connection is closed without being asked."""
    async with serving() as wire:
        answer = await wire.raw(DRESDEN)

    assert answer.startswith(b"HTTP/1.0 200 OK\r\n")


async def test_a_browser_may_ask_first() -> None:
    """OPTIONS has what a page of another origin needs, by the standard and by GGP-Base."""
    async with serving() as wire:
        response = await wire.send(
            b"OPTIONS / HTTP/1.1\r\nHost: h\r\nOrigin: http://x\r\n"
            b"Access-Control-Request-Method: POST\r\n\r\n"
        )

    assert (response.status, response.body) == (200, "")
    assert response.headers["content-length"] == "0"
    assert response.headers["access-control-allow-methods"] == "POST, GET, OPTIONS"
    assert "Content-Type" in response.headers["access-control-allow-headers"]
    assert response.headers["access-control-max-age"] == "86400"
    assert response.headers["access-control-allow-age"] == "86400"


async def test_who_looks_with_a_browser_is_welcome() -> None:
    """`GET /` explains, an icon is not found, HEAD has no body."""
    async with serving() as wire:
        page = await wire.send(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        icon = await wire.send(b"GET /favicon.ico HTTP/1.1\r\nHost: h\r\n\r\n")
        head = await wire.send(b"HEAD / HTTP/1.1\r\nHost: h\r\n\r\n")
        put = await wire.send(b"PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n")

    assert (page.status, page.headers["content-type"]) == (200, "text/plain")
    assert "General Game Playing" in page.body
    assert (icon.status, icon.body.count("\n")) == (404, 1)
    assert (head.status, head.body) == (200, "")
    assert (put.status, put.body) == (405, "expected one of POST, GET, HEAD, OPTIONS\n")


async def test_curl_may_wait_to_be_asked_for_the_body() -> None:
    """`Expect: 100-continue` in HTTP/1.1."""
    async with serving() as wire:
        reader, writer = await asyncio.open_connection(wire.host, wire.port)
        writer.write(POST + b"Expect: 100-continue\r\n\r\n")
        interim = await reader.readuntil(b"\r\n\r\n")
        writer.write(INFO)
        final = parsed(await reader.read())
        writer.close()

    assert interim == b"HTTP/1.1 100 Continue\r\n\r\n"
    assert final.body.startswith("((name tester)")


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"POST / HTTP/1.0\nContent-Length: 8\n\n( INFO )",
        b"POST / HTTP/1.0\r\n\r\n( INFO )",
        b"POST / HTTP/1.0\r\nContent-Length: 5\r\n\r\n( INFO )",
        b"POST / HTTP/1.0\r\nContent-Length: -3\r\n\r\n( INFO )",
        b"POST / HTTP/1.0\r\nContent-Length: many\r\n\r\n( INFO )",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20,
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 1000 + b"\r\n",
        b"GET /" + b"x" * 300_000 + b" HTTP/1.1\r\n\r\n",
    ],
)
async def test_what_is_no_http_gets_one_line(
    request_bytes: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """No page, no stack trace, and the server goes on."""
    caplog.set_level(logging.DEBUG)
    async with serving() as wire:
        response = await wire.send(request_bytes)
        assert await is_alive(wire)

    assert response.status == 400
    assert response.body.startswith("expected an HTTP request whose lines end in CRLF")
    assert response.body.count("\n") == 1
    assert len(response.body) < 300
    assert not any(record.exc_info for record in caplog.records)


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (b"", "a message such as (INFO) or ping(id), got: end of message at character 1"),
        (b"%28+INFO+%29", "a message such as (INFO) or ping(id), got: %28+INFO+%29 at character 1"),
        (b"(INFO\xff)", "a message in UTF-8, got: byte 0xff at character 6"),
        (b"(INFO \x1b[2J\n)", ") after the 0 arguments of INFO, got: \\x1b[2J at character 7"),
    ],
)
async def test_what_is_no_message_gets_one_line(body: bytes, line: str) -> None:
    """The line has what was expected, what came, and where."""
    head = b"POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % len(body)
    async with serving() as wire:
        response = await wire.send(head + body)

    assert (response.status, response.body) == (400, f"expected {line}\n")


async def test_a_body_that_is_too_large_is_refused_at_once() -> None:
    """By what the header says, and by what comes where no header says it."""
    declared = b"POST / HTTP/1.0\r\nContent-Length: 99999999999\r\n\r\n( INFO )"
    chunk = b"400\r\n" + b" " * 1024 + b"\r\n"
    chunked = CHUNKED + chunk * 3
    async with serving(max_body_bytes=2000) as wire:
        responses = [await wire.send(declared), await wire.send(chunked)]
        assert await is_alive(wire)

    assert [response.status for response in responses] == [413, 413]
    assert responses[0].body == "expected a body of at most 2000 bytes, got: at least 99999999999\n"


async def test_a_compressed_body_stays_compressed() -> None:
    """A small body cannot become a large one: it is simply no message."""
    head = b"POST / HTTP/1.0\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n"
    async with serving() as wire:
        response = await wire.send(head + b"\x1f\x8b\x08\x00")

    assert response.status == 400
    assert "UTF-8" in response.body


@pytest.mark.parametrize("is_start", [True, False], ids=["start", "play"])
async def test_a_client_may_end_its_side_and_still_read(is_start: bool) -> None:
    """As `nc -N` does, also where the answer takes nearly as long as the clock allows."""
    async with serving(engine=SLEEPY if is_start else WATCHFUL) as wire:
        if not is_start:
            await wire.say(start("m", clocks="1 300"))
        message = start("m", clocks="300 5") if is_start else "(PLAY m NIL)"
        reader, writer = await asyncio.open_connection(wire.host, wire.port)
        writer.write(GgpBase.framing.request(message, host="h", receiver="tester"))
        writer.write_eof()
        response = parsed(await reader.read())
        writer.close()

    assert (response.status, response.body) == (200, "ready" if is_start else "take")


async def test_slow_clients_are_turned_away() -> None:
    """Slow headers end in silence, a slow body in one line."""
    async with serving(receive_seconds=0.2) as wire:
        no_headers, half_a_body, nothing = await asyncio.gather(
            trickled(wire, b"POST / HTTP/1.0\r\nContent-"),
            trickled(wire, b"POST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n( IN"),
            trickled(wire, b""),
        )
        assert await is_alive(wire)

    assert (no_headers, nothing) == (b"", b"")
    assert parsed(half_a_body).status == 408


async def test_a_broken_off_request_leaves_nothing_behind(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The client left in the middle of its body."""
    async with serving() as wire:
        _, writer = await asyncio.open_connection(wire.host, wire.port)
        writer.write(POST + b"\r\n( IN")
        await writer.drain()
        writer.transport.abort()
        assert await is_alive(wire)

    assert not any(record.exc_info for record in caplog.records)
    assert not any(record.levelno >= logging.ERROR for record in caplog.records)


async def test_who_dawdles_gives_way_to_who_comes() -> None:
    """At the limit the oldest client without a request is turned away, not the newest."""
    async with serving(max_connections=2) as wire:
        opened = [await asyncio.open_connection(wire.host, wire.port) for _ in range(2)]
        opened[0][1].write(POST + b"\r\n( IN")
        assert await is_alive(wire)
        opened.append(await asyncio.open_connection(wire.host, wire.port))
        first = await opened[0][0].read()
        for _, writer in opened:
            writer.close()

    assert first == b""


async def trickled(wire: Wire, request: bytes) -> bytes:
    """The server's answer to a client that stops in the middle."""
    return await wire.raw(request)


async def is_alive(wire: Wire) -> bool:
    """Whether INFO is still answered."""
    return (await wire.say("(INFO)")).startswith("((name tester)")

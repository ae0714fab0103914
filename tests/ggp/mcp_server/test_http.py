"""The tools over HTTP: several clients, and who may not ask."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import pytest
from aiohttp import ClientSession
from typer.testing import CliRunner

from ggp.cli import app
from tests.shared import REPOSITORY

TOKEN = "s3cret"
HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


@contextmanager
def serving(*options: str) -> Iterator[str]:
    """`ggp mcp --http` on a free port; its address."""
    command = [sys.executable, "-m", "ggp", "mcp", "--http", "0", *options]
    environment = dict(os.environ)
    with subprocess.Popen(
        command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()
            assert process.wait(20) == 0


@asynccontextmanager
async def serving_here(token: str = "", *names: str) -> AsyncIterator[str]:
    """A server within this process, on a free port; its address."""
    from ggp.mcp_server import http
    from ggp.mcp_server.server import make_server

    told: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    ending = asyncio.Event()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(http, "termination_event", lambda: ending)
        server_address = http.ServerAddress("127.0.0.1", 0, frozenset(names), token)
        server = asyncio.create_task(
            http.serve_http(make_server(), server_address, told.set_result)
        )
        try:
            yield await told
        finally:
            ending.set()
            await server


@pytest.mark.thorough
async def test_the_verb_serves_until_it_is_ended() -> None:
    """In a process of its own, which says its address and ends with exit code 0."""
    from mcp import Client

    with serving() as address:
        async with Client(address) as client:
            begun = await client.call_tool("new_match", {"rules": "ticTacToe"})

    assert not begun.is_error


async def test_clients_share_what_they_know_the_handle_of() -> None:
    """Two clients on one match: a move that was made for another turn is refused."""
    from mcp import Client

    async with serving_here() as address, Client(address) as one, Client(address) as other:
        begun = await one.call_tool("new_match", {"rules": "ticTacToe"})
        assert begun.structured_content is not None
        match = begun.structured_content["match"]
        arguments = {"match": match, "move": "mark 2 2", "turn": 1}
        first = await one.call_tool("play", arguments)
        second = await other.call_tool("play", arguments)
        seen = await other.call_tool("state", {"match": match})

    assert not first.is_error
    assert second.is_error
    assert second.structured_content is not None
    assert second.structured_content["error"]["code"] == "not_now"
    assert seen.structured_content is not None
    assert seen.structured_content["turn"] == 2


async def test_a_client_may_end_its_side_and_still_read() -> None:
    """As `nc -N` does; one that ends it within its request gets nothing and holds nothing."""
    body = json.dumps(INITIALIZE)
    lines = "".join(f"{name}: {value}\r\n" for name, value in HEADERS.items())
    async with serving_here() as address:
        host = address.removeprefix("http://").removesuffix("/mcp")
        head = f"POST /mcp HTTP/1.1\r\nHost: {host}\r\n{lines}Content-Length: {len(body)}\r\n\r\n"
        whole, part = [await ended(host, (head + said).encode()) for said in (body, body[:20])]

    assert whole.startswith(b"HTTP/1.1 200")
    assert b"serverInfo" in whole
    assert part == b""


async def ended(host: str, said: bytes) -> bytes:
    """The answer to a client that ends its sending side at once."""
    name, _, port = host.partition(":")
    reader, writer = await asyncio.open_connection(name, int(port))
    writer.write(said)
    writer.write_eof()
    async with asyncio.timeout(20):
        answer = await reader.read()
    writer.close()
    return answer


async def test_strangers_pages_and_other_names_are_refused() -> None:
    """Without the token, from a page elsewhere, or by a name that is not the server's."""
    known = HEADERS | {"Authorization": f"Bearer {TOKEN}"}
    cases = [
        (HEADERS, 401),
        (HEADERS | {"Authorization": "Bearer s3cre"}, 401),
        (known | {"Host": "evil.example"}, 421),
        (known | {"Origin": "https://evil.example"}, 403),
        (known | {"Host": "games.example.org"}, 200),
    ]
    async with serving_here(TOKEN, "games.example.org") as address:
        found = [await status_of(address, headers) for headers, _ in cases]

    assert found == [status for _, status in cases]


async def status_of(address: str, headers: dict[str, str]) -> int:
    """The status of an answer to a first request with these headers."""
    async with (
        ClientSession() as session,
        session.post(address, json=INITIALIZE, headers=headers) as answer,
    ):
        return answer.status


INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--http", "nowhere"], "--http: expected PORT or HOST:PORT"),
        (["--token", "x"], "--token needs --http as well"),
    ],
)
def test_wrong_options_are_named(arguments: list[str], told: str) -> None:
    """With what would be right."""
    done = CliRunner().invoke(app, ["mcp", *arguments])

    assert done.exit_code == 2
    assert told in done.stderr

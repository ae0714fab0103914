"""Contestants: what a running player is asked before it plays."""

from __future__ import annotations

import asyncio

from ggp.seating.contestant import ask_name


def test_a_host_that_does_not_speak_the_protocol_is_warned_of() -> None:
    """A web server, say, answers INFO with a page."""
    warnings: list[str] = []
    page = "<html>no player</html>"

    async def ask() -> str:
        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"( INFO )")
            writer.write(f"HTTP/1.0 200 OK\r\n\r\n{page}".encode())
            writer.close()

        async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            return await ask_name(f"127.0.0.1:{port}", warnings.append)

    name = asyncio.run(ask())

    assert warnings == [f"{name} does not look like a player: it answers INFO with {page}"]

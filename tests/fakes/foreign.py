"""Players of others, down to the byte: what they send, and what they do with the connection."""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence

Act = Callable[[asyncio.StreamWriter], Awaitable[None]]
"""An action of a player when a request has come."""

CRLF = b"\r\n"
HEAD = (
    b"HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: %d\r\n"
    b"Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Methods: POST, GET, OPTIONS\r\n"
    b"Access-Control-Allow-Headers: Content-Type\r\nAccess-Control-Allow-Age: 86400\r\n\r\n"
)
"""Of GGP-Base's player."""
_LENGTH = re.compile(rb"^content-length: *(\d+)", re.IGNORECASE | re.MULTILINE)
_WORD = re.compile(rb"[A-Za-z]+")


def ggp_base(text: str) -> bytes:
    """A reply as GGP-Base's player sends it."""
    body = text.encode()
    return HEAD % len(body) + body


def sends(answer: bytes) -> Act:
    """These bytes, then the connection is closed."""

    async def act(writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        await writer.drain()

    return act


def says(text: str) -> Act:
    """A reply as GGP-Base's player sends it."""
    return sends(ggp_base(text))


def keeps_open(answer: bytes) -> Act:
    """These bytes, and the connection stays as it is."""

    async def act(writer: asyncio.StreamWriter) -> None:
        await sends(answer)(writer)
        await asyncio.get_running_loop().create_future()

    return act


def late(seconds: float, answer: bytes, first: bytes = b"") -> Act:
    """Some bytes at once, the others after a while."""

    async def act(writer: asyncio.StreamWriter) -> None:
        await sends(first)(writer)
        await asyncio.sleep(seconds)
        await sends(answer)(writer)

    return act


def trickles(seconds: float, parts: Sequence[bytes]) -> Act:
    """A part at once, the next after a while, and so on."""

    async def act(writer: asyncio.StreamWriter) -> None:
        for part in parts:
            await sends(part)(writer)
            await asyncio.sleep(seconds)

    return act


async def resets(writer: asyncio.StreamWriter) -> None:
    """RST instead of an answer."""
    found = writer.get_extra_info("socket")
    found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


silent: Act = keeps_open(b"")
closes: Act = sends(b"")


class Foreign:
    """A player that follows a script.

    Attributes:
        requests: What it was sent, whole, in order of arrival.
        asked: Set with each request of the words that it holds, in upper case.
    """

    def __init__(self, script: Mapping[str, Act | Sequence[Act]]) -> None:
        """Learn a script.

        Args:
            script: What is done with the first, second, ... request of each word in upper case; the
                last is done again. Other words are answered with `ready`.
        """
        self.requests: list[bytes] = []
        self.asked: dict[str, asyncio.Event] = {}
        self._script = script

    @property
    def bodies(self) -> list[str]:
        """The messages it was sent."""
        return [request.partition(CRLF * 2)[2].decode() for request in self.requests]

    @property
    def words(self) -> list[str]:
        """Their words in upper case."""
        return [word_of(request) for request in self.requests]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        try:
            request = await _request(reader)
            self.requests.append(request)
            word = word_of(request)
            self.heard(word).set()
            await self._act(word)(writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the manager has left, as it may
        finally:
            writer.close()

    def heard(self, word: str) -> asyncio.Event:
        """Is set when a request of this word has come."""
        return self.asked.setdefault(word, asyncio.Event())

    def _act(self, word: str) -> Act:
        acts = self._script.get(word, says("ready"))
        if callable(acts):
            return acts
        return acts[min(self.words.count(word), len(acts)) - 1]


@contextlib.asynccontextmanager
async def running(player: Foreign, host: str = "127.0.0.1") -> AsyncIterator[str]:
    """A player that listens; its address. What it is doing at the end is cut off."""
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        with contextlib.suppress(asyncio.CancelledError):
            await player.serve(reader, writer)
        tasks.discard(task)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"http://{host}:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def word_of(request: bytes) -> str:
    """The word of a request's message, in upper case."""
    found = _WORD.search(request.partition(CRLF * 2)[2])
    return found[0].decode().upper() if found else ""


async def _request(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(CRLF * 2)
    length = _LENGTH.search(head)
    assert length is not None, head
    return head + await reader.readexactly(int(length[1]))

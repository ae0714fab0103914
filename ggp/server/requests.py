"""The message of a request: in the body, in the path or in the query."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final
from urllib.parse import parse_qs, unquote_plus

from aiohttp import HttpVersion11, hdrs, web

from ggp.protocol import Message, MessageLimits, Start, decode, shown, start_header
from ggp.server.config import ServerConfig
from ggp.server.replies import RefusalError


class RequestError(RefusalError):
    """A request that carries no message."""


async def message_of(request: web.BaseRequest, config: ServerConfig) -> str:
    """The text that a POST or GET carries.

    Raises:
        RequestError: There is none, it is too long, too slow, broken off or not UTF-8.
    """
    if request.method == hdrs.METH_GET:
        return _from_address(request.raw_path)
    try:
        async with asyncio.timeout(config.receive_seconds):
            body = await _body(request, config.max_body_bytes)
    except TimeoutError as error:
        seconds = f"{config.receive_seconds:g} s"
        raise RequestError(408, f"expected the whole body within {seconds}, got: a part") from error
    # aiohttp says it by a RuntimeError if the client is gone before anything is read.
    except (web.RequestPayloadError, ConnectionError, RuntimeError) as error:
        raise RequestError(400, "expected a whole body, got: a part of it") from error
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        bad = f"byte 0x{body[error.start]:02x} at character {error.start + 1}"
        raise RequestError(400, f"expected a message in UTF-8, got: {bad}") from error


def _from_address(address: str) -> str:
    """The message in `/<percent-encoded message>` or in `/?request=<percent-encoded message>`."""
    path, _, query = address.partition("?")
    asked = parse_qs(query, max_num_fields=20).get("request") if _has_request(query) else None
    text = asked[0] if asked else unquote_plus(address.lstrip("/"))
    if "(" not in text:
        expected = "expected a message such as /(INFO) or /?request=ping(id)"
        raise RequestError(404, f"{expected}, got: {shown(path)}")
    return text


def _has_request(query: str) -> bool:
    return query.startswith("request=") or "&request=" in query


async def _body(request: web.BaseRequest, max_bytes: int) -> bytes:
    _check_size(request.content_length or 0, max_bytes)
    if request.headers.get(hdrs.EXPECT, "").lower() == "100-continue":
        await _continue(request)
    body = bytearray()
    async for part in request.content.iter_any():
        body += part
        _check_size(len(body), max_bytes)
    return bytes(body)


async def _continue(request: web.BaseRequest) -> None:
    # HTTP/1.0 knows no interim answers; GGP-Base would take one for the reply.
    if request.version == HttpVersion11:
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        request.writer.output_size = 0


def _check_size(num_bytes: int, max_bytes: int) -> None:
    if num_bytes > max_bytes:
        got = f"at least {num_bytes}"
        raise RequestError(413, f"expected a body of at most {max_bytes} bytes, got: {got}")


SHORT_CHARACTERS: Final = 20_000
"""Read in a millisecond or two."""
MAX_WAITING: Final = 20
"""Long messages of which one is read and the others wait."""


class Reader:
    """Turns texts into messages; long ones in a thread, one at a time."""

    def __init__(self, limits: MessageLimits) -> None:
        self._limits = limits
        self._turn = asyncio.Lock()
        self._num_waiting = 0

    async def read(self, text: str, is_refused: Callable[[Start], bool]) -> Message:
        """The message that a text is.

        Args:
            text: As it came.
            is_refused: Whether a START cannot be served whatever its rules are. Then it is given as
                far as it can be told at a start_header, without rules and clocks.

        Raises:
            ProtocolError: It is no message.
            RefusalError: Too many others are to be read.
        """
        if len(text) <= SHORT_CHARACTERS:
            return decode(text, self._limits)
        start = start_header(text)
        if start is not None and is_refused(start):
            return start
        if self._num_waiting >= MAX_WAITING:
            raise RefusalError(503, "too many long messages at once")
        self._num_waiting += 1
        try:
            async with self._turn:
                # In a thread: the interpreter switches between it and the loop, nobody else waits.
                return await asyncio.to_thread(decode, text, self._limits)
        finally:
            self._num_waiting -= 1

"""Finding the message in a request: in the body, the path or the query."""

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
    """A request without a usable message."""


async def message_of(request: web.BaseRequest, config: ServerConfig) -> str:
    """Return the message text of a POST or GET.

    Raises:
        RequestError: The message is missing, too long, too slow, incomplete or not UTF-8.
    """
    if request.method == hdrs.METH_GET:
        return _from_address(request.raw_path)
    body = bytearray()
    _check_size(request.content_length or 0, config.max_body_bytes)
    try:
        async with asyncio.timeout(config.receive_seconds):
            if request.headers.get(hdrs.EXPECT, "").lower() == "100-continue":
                await _continue(request)
            async for part in request.content.iter_any():
                body += part
                _check_size(len(body), config.max_body_bytes)
    except TimeoutError as error:
        seconds = f"{config.receive_seconds:g} s"
        raise RequestError(408, f"expected the whole body within {seconds}, got: a part") from error
    # aiohttp raises RuntimeError if the client disconnects before anything has been read.
    except (web.RequestPayloadError, ConnectionError, RuntimeError) as error:
        raise RequestError(400, "expected a whole body, got: a part of it") from error
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        bad = f"byte 0x{body[error.start]:02x} at character {error.start + 1}"
        raise RequestError(400, f"expected a message in UTF-8, got: {bad}") from error


def _from_address(address: str) -> str:
    """Extract the message from `/<percent-encoded message>` or `/?request=<same>`."""
    path, _, query = address.partition("?")
    asked = parse_qs(query, max_num_fields=20).get("request") if _has_request(query) else None
    text = asked[0] if asked else unquote_plus(address.lstrip("/"))
    if "(" not in text:
        expected = "expected a message such as /(INFO) or /?request=ping(id)"
        raise RequestError(404, f"{expected}, got: {shown(path)}")
    return text


def _has_request(query: str) -> bool:
    return query.startswith("request=") or "&request=" in query


async def _continue(request: web.BaseRequest) -> None:
    # HTTP/1.0 has no interim responses; GGP-Base would take one for the reply.
    if request.version == HttpVersion11:
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        request.writer.output_size = 0


def _check_size(num_bytes: int, max_bytes: int) -> None:
    if num_bytes > max_bytes:
        got = f"at least {num_bytes}"
        raise RequestError(413, f"expected a body of at most {max_bytes} bytes, got: {got}")


SHORT_CHARACTERS: Final = 20_000
"""Messages up to this length are parsed in a millisecond or two."""
MAX_WAITING: Final = 20
"""Number of long messages that may wait while another one is parsed."""


class Reader:
    """A parser of messages that parses long ones in a thread, one at a time."""

    def __init__(self, limits: MessageLimits) -> None:
        self._limits = limits
        self._turn = asyncio.Lock()
        self._num_waiting = 0

    async def read(self, text: str, is_refused: Callable[[Start], bool]) -> Message:
        """Parse a request body into a message.

        Args:
            text: The text as received.
            is_refused: Returns whether to refuse a START regardless of its rules. If so, only the
                header of the START is parsed and returned, without rules and clocks.

        Raises:
            ProtocolError: The text is not a message.
            RefusalError: Too many other messages are waiting.
        """
        if len(text) <= SHORT_CHARACTERS:
            return decode(text, self._limits)
        start = start_header(text)
        if start is not None and is_refused(start):
            return start
        if self._num_waiting >= MAX_WAITING:
            raise RefusalError(503, "too many long messages at the same time; try again later")
        self._num_waiting += 1
        try:
            async with self._turn:
                # Python switches between this thread and the event loop, so other messages need
                # not wait.
                return await asyncio.to_thread(decode, text, self._limits)
        finally:
            self._num_waiting -= 1

"""Send messages to a player, byte for byte like the game managers of a dialect.

Each message has its own HTTP/1.0 connection, without keep-alive. Replies are parsed as leniently as
GGP-Base parses them: the status and all headers except Content-Length are ignored. Without that
header, the reply ends with the stream. An HTTP library would send additional headers and refuse
some existing players.

    reply = await send("http://127.0.0.1:9147", "( INFO )", timeout=1.0)
"""

from __future__ import annotations

import asyncio
import errno
import os
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from ggp import clock
from ggp.protocol.addresses import EXAMPLE
from ggp.protocol.dialects.base import GgpBase, HttpFraming
from ggp.protocol.errors import ConnectionFailedError, ReplyTimeoutError, shown

CONNECT_SECONDS = 5.0
MAX_REPLY_BYTES = 1_000_000
MAX_PAIRS, MAX_VALUE = 50, 100
"""Limits for the information that a player reports about itself: the number of pairs, and the
number of characters in each value.
"""

_WORD = re.compile(r"[^\x00-\x20\x7f-\xa0\u2028\u2029]+")
_PAIR = re.compile(r"""[(\[]\s*+([^\s()\[\],"]++)[\s,]++([^()\[\]]*+)[)\]]""")
_NOTHING = ("nil", "none", "null")  # words for "no value" in several programming languages


@dataclass(frozen=True, slots=True)
class PlayerInfo:
    """A player's report about itself.

    Attributes:
        name: The player's name. Empty if it does not report one.
        status: `available` if the player is free.
        more: All other pairs that the player reports, in its order.
        seconds: How long the answer took.
        text: The whole answer.
    """

    name: str
    status: str
    more: tuple[tuple[str, str], ...]
    seconds: float
    text: str


async def send(
    url: str,
    message: str,
    *,
    timeout: float,
    receiver: str = "",
    framing: HttpFraming = GgpBase.framing,
) -> str:
    """Send a message and return the player's reply, without surrounding blanks.

    Args:
        url: An address such as `http://127.0.0.1:9147`. The path is used; `http` may be omitted.
        timeout: Seconds from the connection to the last byte of the reply. Connecting has its own
            limit: `CONNECT_SECONDS`, or `timeout` if that is less.
        receiver: The player's name in the match.

    Raises:
        ConnectionFailedError: There was no connection, or it broke before the reply was complete.
        ReplyTimeoutError: No complete reply arrived in time.
    """
    host, port, path = _address(url)
    reader, writer = await _connect(host, port, is_tls=url.startswith("https:"), timeout=timeout)
    try:
        async with asyncio.timeout(timeout):
            writer.write(framing.request(message, host=host, path=path, receiver=receiver))
            await writer.drain()
            return await _read_reply(reader, heeds_length=framing.heeds_length)
    except TimeoutError as error:
        raise ReplyTimeoutError(f"no reply from {url} within {timeout:g} s") from error
    except (OSError, EOFError, ValueError) as error:
        raise ConnectionFailedError(f"no complete reply from {url}: {_cause(error)}") from error
    finally:
        writer.close()


async def info(url: str, *, timeout: float = 1.0, message: str = "( INFO )") -> PlayerInfo:
    """Send INFO to a player and return its answer. `message` depends on the dialect.

    Raises:
        ConnectionFailedError: There was no connection, or it broke before the reply was complete.
        ReplyTimeoutError: No complete reply arrived in time.
    """
    start = clock.now()
    text = await send(url, message, timeout=timeout)
    return read_info(text, clock.now() - start)


def read_info(text: str, seconds: float = 0.0) -> PlayerInfo:
    """Parse an answer to INFO as GGP-Base does.

    The words of a value are joined. Keys are case-insensitive. If the answer is a single word, it
    is the status. A value `nil` counts as missing. Long texts are truncated.
    """
    found = ((key.lower(), "".join(value.split())) for key, value in _PAIR.findall(text))
    pairs = {key: value for key, value in found if value.lower() not in _NOTHING}
    name = pairs.pop("name", "")
    word = text.strip("()[] \t\r\n").lower()
    is_status = not (pairs or name) and word.isalpha() and word not in _NOTHING
    status = pairs.pop("status", word if is_status else "")
    more = tuple((shown(key), shown(value, MAX_VALUE)) for key, value in pairs.items())
    return PlayerInfo(
        shown(name, MAX_VALUE), shown(status, MAX_VALUE), more[:MAX_PAIRS], seconds, text
    )


def _address(url: str) -> tuple[str, int, str]:
    try:
        parts = urlsplit(url if "//" in url else f"//{url}", scheme="http")
        port = parts.port if _WORD.fullmatch(url) else 0
    except ValueError:
        parts, port = urlsplit(""), 0
    if not parts.hostname or port == 0 or parts.scheme not in {"http", "https"}:
        raise ConnectionFailedError(f"expected an address such as {EXAMPLE}, got: {shown(url)}")
    default = 443 if parts.scheme == "https" else 80
    return parts.hostname, port or default, parts.path or "/"


async def _connect(
    host: str, port: int, *, is_tls: bool, timeout: float
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    try:
        async with asyncio.timeout(min(timeout, CONNECT_SECONDS)):
            return await asyncio.open_connection(host, port, ssl=is_tls or None)
    except TimeoutError as error:
        raise ConnectionFailedError(f"cannot connect to {host}:{port}: no answer") from error
    except (OSError, UnicodeError) as error:
        raise ConnectionFailedError(f"cannot connect to {host}:{port}: {_cause(error)}") from error


async def _read_reply(reader: asyncio.StreamReader, *, heeds_length: bool) -> str:
    length: int | None = None
    while line := await _header(reader):
        key, colon, value = line.partition(b":")
        if heeds_length and colon and key.lower() == b"content-length":
            length = int(value)
    most = MAX_REPLY_BYTES if length is None else min(max(length, 0), MAX_REPLY_BYTES)
    # Accept a reply that is shorter than announced if the player then closes the connection.
    body = b""
    while len(body) < most and (part := await reader.read(most - len(body))):
        body += part
    return body.decode(errors="replace").strip()


async def _header(reader: asyncio.StreamReader) -> bytes:
    line = await reader.readline()
    if not line.endswith(b"\n"):
        raise EOFError("the connection was closed before the blank line after the headers")
    return line.strip()


def _cause(error: Exception) -> str:
    if isinstance(error, OSError) and error.errno and error.errno in errno.errorcode:
        return os.strerror(error.errno).lower()  # asyncio's own text repeats the address
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__

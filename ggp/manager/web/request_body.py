"""The body of a request: whole, in time, and unpacked to no more than the size that is allowed."""

from __future__ import annotations

import asyncio
import zlib
from typing import Final

from aiohttp import hdrs, web

from ggp.manager.errors import SlowRequestError, StrangeRequestError, WrongRequestError
from ggp.manager.web.app_keys import CONFIG

PACKED: Final = frozenset({"gzip", "x-gzip", "deflate"})
EITHER_FORM: Final = 32 + zlib.MAX_WBITS
"""Window bits for whatever gzip or zlib has packed, whichever the header says."""


async def read_body(request: web.Request) -> bytes:
    """The body as the client means it.

    Raises:
        SlowRequestError: It has not come in time.
        StrangeRequestError: It is packed in a way that is not known here.
        WrongRequestError: It is not whole, or not packed as it says.
        HTTPRequestEntityTooLarge: It is too large, as it came or unpacked.
    """
    config = request.app[CONFIG]
    try:
        async with asyncio.timeout(config.receive_seconds):
            body = await request.read()
    except TimeoutError:
        raise SlowRequestError(
            f"expected the whole body within {config.receive_seconds:g} s, got a part of it"
        ) from None
    except web.RequestPayloadError:
        raise WrongRequestError("expected a whole body, got a part of it") from None
    coding = request.headers.get(hdrs.CONTENT_ENCODING, "identity").strip().lower()
    if coding == "identity":
        return body
    if coding not in PACKED:
        raise StrangeRequestError(
            f"Content-Encoding: expected none, gzip or deflate, got {coding!r:.50}"
        )
    return _unpacked(body, coding, config.max_body_bytes)


def _unpacked(body: bytes, coding: str, most: int) -> bytes:
    unpacking = zlib.decompressobj(EITHER_FORM)
    try:
        found = unpacking.decompress(body, most + 1)
    except zlib.error:
        found = b""
    if len(found) > most:
        raise web.HTTPRequestEntityTooLarge(max_size=most, actual_size=len(found))
    if not unpacking.eof:
        raise WrongRequestError(
            f"Content-Encoding: expected a body that {coding} has packed, got something else"
        )
    return found

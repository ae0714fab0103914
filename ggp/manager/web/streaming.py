"""Answers that are long: sent in pieces, and to nobody who does not read them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Mapping
from typing import Final

from aiohttp import web

from ggp.errors import GgpError

_log = logging.getLogger(__name__)

PIECE_BYTES: Final = 1 << 16
"""So much waits for a client, beside what its connection holds."""
SLOW_SECONDS: Final = 30.0
"""A client that does not read a piece for so long is cut off."""


async def stream(
    request: web.Request, chunks: AsyncIterator[bytes], headers: Mapping[str, str]
) -> web.StreamResponse:
    """Answer with these chunks, as the client reads them.

    One that is cut off may come again: `Last-Event-ID` says where it was.
    """
    response = web.StreamResponse(headers=headers)
    await response.prepare(request)
    try:
        with contextlib.suppress(ConnectionError):  # the client has left
            async for chunk in chunks:
                await _write(response, chunk)
    except TimeoutError:
        _cut_off(request)
    except GgpError as error:
        _log.warning("%s was not sent to its end: %s", request.path, error)
        _cut_off(request)
    return response


async def _write(response: web.StreamResponse, chunk: bytes) -> None:
    # Views: a long chunk is the same one for all who are sent it.
    view = memoryview(chunk)
    for start in range(0, len(view), PIECE_BYTES):
        async with asyncio.timeout(SLOW_SECONDS):
            await response.write(view[start : start + PIECE_BYTES])


def _cut_off(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.abort()

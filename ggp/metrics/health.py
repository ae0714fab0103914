"""Health and readiness, as JSON for programs that start, watch and balance others.

Both are open to everybody, and say no more than yes or no.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable

from aiohttp import web


async def answer_health(_request: web.BaseRequest) -> web.Response:
    """That the process lives and its loop turns."""
    return web.json_response({"status": "alive"})


class Readiness:
    """Whether there is something that this program cannot do at present."""

    def __init__(
        self, find_hindrance: Callable[[], Awaitable[str]], fresh_seconds: float = 0.0
    ) -> None:
        """Take how it is found out.

        Args:
            find_hindrance: Says why it is not ready, in words for strangers; empty if it is.
            fresh_seconds: Time for which an answer holds, so that strangers cause no more work.
        """
        self._find_hindrance = find_hindrance
        self._fresh_seconds = fresh_seconds
        self._hindrance = ""
        self._looked = -math.inf
        self._looking = asyncio.Lock()

    async def answer(self, _request: web.BaseRequest) -> web.Response:
        """200 if it is ready, else 503 and why."""
        async with self._looking:
            if time.monotonic() > self._looked + self._fresh_seconds:
                self._hindrance = await self._find_hindrance()
                self._looked = time.monotonic()
        if self._hindrance:
            told = {"status": "not ready", "reason": self._hindrance}
            return web.json_response(told, status=503)
        return web.json_response({"status": "ready"})

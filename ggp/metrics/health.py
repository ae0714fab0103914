"""Health and readiness as JSON, for programs that start, monitor and load-balance servers.

Both are open to all clients and reveal little more than yes or no.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable

from aiohttp import web


async def answer_health(_request: web.BaseRequest) -> web.Response:
    """Respond that the process is alive and its event loop runs."""
    return web.json_response({"status": "alive"})


class Readiness:
    """Checks whether this program is currently ready to work."""

    def __init__(
        self, find_hindrance: Callable[[], Awaitable[str]], fresh_seconds: float = 0.0
    ) -> None:
        """Set how readiness is checked.

        Args:
            find_hindrance: Returns why the program is not ready, in words that anyone may read, or
                "" if it is ready.
            fresh_seconds: How long an answer is cached, so that many requests cause no additional
                work.
        """
        self._find_hindrance = find_hindrance
        self._fresh_seconds = fresh_seconds
        self._hindrance = ""
        self._looked = -math.inf
        self._looking = asyncio.Lock()

    async def answer(self, _request: web.BaseRequest) -> web.Response:
        """Respond with status 200 if the program is ready, else with 503 and the reason."""
        async with self._looking:
            if time.monotonic() > self._looked + self._fresh_seconds:
                self._hindrance = await self._find_hindrance()
                self._looked = time.monotonic()
        if self._hindrance:
            told = {"status": "not ready", "reason": self._hindrance}
            return web.json_response(told, status=503)
        return web.json_response({"status": "ready"})

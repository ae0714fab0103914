"""A sandbox that searches without a process: a thread answers what it is asked."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from ggp.mcp_server import search_process


class NearSandbox:
    """Answers as `ggp.mcp_server.search_process` does, without a process of its own."""

    def __init__(self, *_: object, **__: object) -> None:
        pass

    async def ask_named(self, name: str, *args: object) -> Any:
        """Return what a function of the process returns, as it comes out of JSON."""
        given = json.loads(json.dumps(args))
        [function] = [one for one in search_process.QUESTIONS if one.__name__ == name]
        found = await asyncio.to_thread(function, *given)
        return json.loads(json.dumps(found))

    async def close(self) -> None:
        """End; there is nothing to end."""

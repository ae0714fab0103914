"""Tasks that nobody waits for any more."""

from __future__ import annotations

import asyncio
from typing import Any


async def cancel(*tasks: asyncio.Future[Any] | None) -> None:
    """Cancel tasks, and wait until they have ended, however they do; None is none."""
    some = [task for task in tasks if task is not None]
    for task in some:
        task.cancel()
    await asyncio.gather(*some, return_exceptions=True)

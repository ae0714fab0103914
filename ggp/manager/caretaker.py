"""The caretaker: sees to matches and tournaments that say they run and that nobody runs.

That happens where the database could not be written when they ended, because its disk was full say.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from typing import Final

from ggp.errors import GgpError
from ggp.manager.service import Service
from ggp.manager.store.database import UnavailableError
from ggp.manager.tournaments import Holder

_log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 10.0


@contextlib.asynccontextmanager
async def looking_after(service: Service, holder: Holder) -> AsyncIterator[None]:
    """Look every so often, as long as the `async with` lasts."""
    task = asyncio.create_task(_look(service, holder), name="caretaker")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _look(service: Service, holder: Holder) -> None:
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        try:
            await service.host.look_after()
            await holder.look_after()
        except UnavailableError:
            pass  # next time, perhaps
        except GgpError as error:
            _log.warning("the caretaker: %s", error)

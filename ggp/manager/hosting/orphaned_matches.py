"""Strays: matches and tournaments that say they run and that nobody runs.

They come about where the database could not be written when they ended, because its disk was full
say.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from typing import Final

from ggp.errors import GgpError
from ggp.manager.hosting.host import MatchHost
from ggp.manager.hosting.tournament_runner import TournamentRunner
from ggp.manager.store.database import UnavailableError

_log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 10.0


@contextlib.asynccontextmanager
async def looking_for_strays(host: MatchHost, tournaments: TournamentRunner) -> AsyncIterator[None]:
    """Look for strays every so often, and see to them, as long as the `async with` lasts."""
    task = asyncio.create_task(_look(host, tournaments), name="strays")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _look(host: MatchHost, tournaments: TournamentRunner) -> None:
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        try:
            await host.look_after()
            await tournaments.resume_all()
        except UnavailableError:
            pass  # next time, perhaps
        except GgpError as error:
            _log.warning("looking for strays: %s", error)

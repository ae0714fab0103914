"""Whether somebody may set a match up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from aiohttp import web

from ggp.manager.errors import ConflictError
from ggp.manager.store import matches
from ggp.manager.web.app_keys import DATABASE, PLAYERS
from ggp.manager.web.callers import current_caller

MOST_OPEN: Final = 8
"""Matches of a student that wait or run at once."""


async def check_setting_up(request: web.Request, players: Iterable[str]) -> int | None:
    """See that who asks may set up one more match, with these players; its account.

    Raises:
        NotAllowedError: It may not have them play.
        ConflictError: It has as many matches open as one may have.
    """
    caller = current_caller()
    await request.app[PLAYERS].check_seats(players, caller)
    if caller.owner is None:
        return caller.account
    async with request.app[DATABASE].reading() as session:
        if await matches.num_open(session, caller.owner) >= MOST_OPEN:
            raise ConflictError(f"{MOST_OPEN} of your matches are not over; expected fewer")
    return caller.account

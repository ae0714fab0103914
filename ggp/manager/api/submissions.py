"""/submissions: players as Python files, which play in processes that the kernel confines."""

from __future__ import annotations

import asyncio

from aiohttp import web

from ggp.manager.api.answers import SubmissionAnswer
from ggp.manager.api.requests import SubmissionRequest
from ggp.manager.api.route import Route
from ggp.manager.domain.rights import Right
from ggp.manager.web.app_keys import PLAYERS


async def upload(request: web.Request, body: SubmissionRequest) -> SubmissionAnswer:
    """Keep a file; its source can be registered as a player."""
    source = await asyncio.to_thread(request.app[PLAYERS].uploads.keep, body.text)
    return SubmissionAnswer(source=source)


ROUTES = (
    Route("POST", "/submissions", upload, "Upload a player.", status=201, right=Right.REGISTER),
)

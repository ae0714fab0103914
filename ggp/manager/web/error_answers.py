"""Answers to requests that went wrong: a status, and one line for people that says so."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from aiohttp import web

import gdl
from ggp.errors import GgpError, UnknownNameError
from ggp.manager.errors import (
    BusyError,
    ConflictError,
    LoginError,
    NotAllowedError,
    NotThereError,
    SlowRequestError,
    StrangeRequestError,
    TooOftenError,
)
from ggp.manager.store.database import UnavailableError
from ggp.manager.web.rendering import page
from ggp.sandbox import SandboxBusyError

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_log = logging.getLogger(__name__)

NOT_FOUND = "404: Not Found"
"""The words of aiohttp for an address where nothing is."""


STATUSES: tuple[tuple[type[Exception], int], ...] = (
    (UnknownNameError, 404),
    (NotThereError, 404),
    (LoginError, 401),
    (NotAllowedError, 403),
    (SlowRequestError, 408),
    (ConflictError, 409),
    (StrangeRequestError, 415),
    (TooOftenError, 429),
    (BusyError, 503),
    (UnavailableError, 503),
    (SandboxBusyError, 503),
    (GgpError, 400),
    (gdl.GdlError, 400),
)
"""The status of the answer to an error; the first that fits counts."""


@web.middleware
async def answer_errors(request: web.Request, handler: Handler) -> web.StreamResponse:
    """The middleware: what went wrong becomes JSON that says so, or a page for people."""
    try:
        return await handler(request)
    except web.HTTPException as error:
        if error.status < 400:
            raise
        text = error.text or error.reason
        if error.status == 404 and text == NOT_FOUND:
            text = f"there is nothing at {request.path:.100}"
        answer = error_answer(request, error.status, text)
        if "Allow" in error.headers:
            answer.headers["Allow"] = error.headers["Allow"]
        return answer
    except (GgpError, gdl.GdlError) as error:
        return error_answer(request, status_of(error), str(error))
    except Exception:  # noqa: BLE001  # the outermost edge
        _log.exception("%s %s failed", request.method, request.path)
        return error_answer(request, 500, "internal error; the manager's log says more")


def status_of(error: Exception) -> int:
    """The HTTP status that an error of ours is answered with."""
    return next(status for kind, status in STATUSES if isinstance(error, kind))


def error_answer(
    request: web.Request, status: int, message: str, more: Mapping[str, Any] | None = None
) -> web.Response:
    """The answer to what went wrong: a page where a browser asks for one, else JSON.

    Args:
        request: What was asked.
        status: Of the answer.
        message: One line.
        more: What the JSON says beside it.
    """
    wants_page = "text/html" in request.headers.get("Accept", "")
    if wants_page and not request.path.startswith("/api/"):
        shown = page("error.html", section="", code=status, message=message)
        shown.set_status(status)
        return shown
    return web.json_response({"error": message, **(more or {})}, status=status)

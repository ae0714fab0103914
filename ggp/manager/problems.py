"""What goes wrong becomes an answer that says so: a status, and one line for people."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from aiohttp import web

import gdl
from ggp.errors import GgpError, UnknownNameError
from ggp.manager.store.matches import UnknownMatchError
from ggp.manager.store.tournaments import UnknownTournamentError

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_log = logging.getLogger(__name__)


class WrongRequestError(GgpError):
    """A request that cannot be meant; the message names the field."""


class ConflictError(GgpError):
    """What is asked for does not fit what is the case now."""


class BusyError(GgpError):
    """More is asked for at once than the manager takes on."""


STATUSES: tuple[tuple[type[Exception], int], ...] = (
    (UnknownMatchError, 404),
    (UnknownTournamentError, 404),
    (UnknownNameError, 404),
    (ConflictError, 409),
    (BusyError, 503),
    (GgpError, 400),
    (gdl.GdlError, 400),
)
"""What an error is answered with; the first that fits counts."""


@web.middleware
async def tell_problems(request: web.Request, handler: Handler) -> web.StreamResponse:
    """The middleware: what went wrong becomes JSON that says so."""
    try:
        return await handler(request)
    except web.HTTPException as error:
        if error.status < 400:
            raise
        answer = problem(error.status, error.text or error.reason)
        if "Allow" in error.headers:
            answer.headers["Allow"] = error.headers["Allow"]
        return answer
    except (GgpError, gdl.GdlError) as error:
        return problem(status_of(error), str(error))
    except Exception:  # noqa: BLE001  # the outermost edge
        _log.exception("%s %s failed", request.method, request.path)
        return problem(500, "internal error; the manager's log says more")


def status_of(error: Exception) -> int:
    """The HTTP status that an error of ours is answered with."""
    return next(status for kind, status in STATUSES if isinstance(error, kind))


def problem(status: int, message: str) -> web.Response:
    """The answer to what went wrong."""
    return web.json_response({"error": message}, status=status)

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


@web.middleware
async def tell_problems(request: web.Request, handler: Handler) -> web.StreamResponse:
    """The middleware: an error of ours in JSON under /api, on a page elsewhere."""
    try:
        return await handler(request)
    except web.HTTPException as error:
        if error.status < 400:
            raise
        return problem(error.status, error.text or error.reason)
    except (UnknownMatchError, UnknownTournamentError, UnknownNameError) as error:
        return problem(404, str(error))
    except ConflictError as error:
        return problem(409, str(error))
    except (GgpError, gdl.GdlError) as error:
        return problem(400, str(error))
    except Exception:  # noqa: BLE001  # the outermost edge
        _log.exception("%s %s failed", request.method, request.path)
        return problem(500, "internal error; the manager's log says more")


def problem(status: int, message: str) -> web.Response:
    """The answer to what went wrong."""
    return web.json_response({"error": message}, status=status)

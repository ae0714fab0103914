"""Answers that handlers share: pages from templates, CSV files, streams and errors.

An error answer has a status and one line for people that says what went wrong.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, TypeVar

from aiohttp import web
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

import gdl
from ggp.errors import GgpError, UnknownNameError
from ggp.listener.connection import Connection
from ggp.manager.domain.rights import Right, current_caller
from ggp.manager.domain.uploads import shown_source
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
from ggp.processes.tasks import cancel
from ggp.sandbox import SandboxBusyError

HERE: Final = Path(__file__).resolve().parent
STATIC: Final = HERE.parent / "static"

_log = logging.getLogger(__name__)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
T = TypeVar("T")

_ENVIRONMENT: Final = Environment(
    loader=FileSystemLoader(HERE / "templates"),
    autoescape=select_autoescape(default=True),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
CSV = "text/csv"
PIECE_BYTES: Final = 1 << 16
"""Number of bytes to buffer for a client, besides the buffer of its connection."""
BROWSER_HEADERS: Final = ("Accept-Language", "Origin", "Sec-Fetch-Mode")
"""Browsers send at least one of these headers. Programs usually send none."""
LOOK_SECONDS: Final = 0.25
"""Time between two checks that a client is still connected."""
RETRY_SECONDS: Final = 10
"""Time after which a client may try again if the manager was too busy."""
SLOW_SECONDS: Final = 30.0
"""Longest time that a client may take to read a piece. Then the connection is closed."""


def _moment(milliseconds: int | None) -> str:
    if milliseconds is None:
        return ""
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return moment.strftime("%Y-%m-%d %H:%M:%S")


def signed(figure: float) -> str:
    """Format a rounded number with its sign. 0 has no sign."""
    return f"{round(figure):+d}" if round(figure) else "0"


_ENVIRONMENT.filters["moment"] = _moment
_ENVIRONMENT.filters["signed"] = signed
_ENVIRONMENT.filters["shown_source"] = shown_source
_ENVIRONMENT.globals["rights"] = Right


def page(template: str, **values: Any) -> web.Response:
    """Render a template of `web/templates` as a page."""
    text = _ENVIRONMENT.get_template(template).render(caller=current_caller(), **values)
    return web.Response(text=text, content_type="text/html")


def csv_headers(name: str) -> dict[str, str]:
    """Return the headers of a CSV file. `name` must have only letters, digits and hyphens."""
    return {
        "Content-Type": f"{CSV}; charset=utf-8; header=present",
        "Content-Disposition": f'attachment; filename="{name}.csv"',
    }


def csv_answer(text: str, name: str) -> web.Response:
    """Return a CSV file as an answer."""
    return web.Response(body=text.encode(), headers=csv_headers(name))


async def stream(
    request: web.Request, chunks: AsyncIterator[bytes], headers: Mapping[str, str]
) -> web.StreamResponse:
    """Send chunks as fast as the client reads them.

    If a client is cut off from a stream of events, it can connect again and continue: it sends the
    id of the last event that it received as `Last-Event-ID`.
    """
    response = web.StreamResponse(headers=headers)
    await response.prepare(request)
    try:
        with contextlib.suppress(ConnectionError):  # the client has left
            async for chunk in chunks:
                await _write(response, chunk)
    except TimeoutError:
        _cut_off(request)
    except GgpError as error:
        _log.warning("%s was not sent completely: %s", request.path, error)
        _cut_off(request)
    return response


def may_have_left(request: web.Request) -> bool:
    """Return whether the client is gone, or may be gone because it has ended its sending side."""
    connection = request.protocol
    has_ended = isinstance(connection, Connection) and connection.ended_at is not None
    return _is_closed(request) or has_ended


def has_left(request: web.Request) -> bool:
    """Return whether the client is gone, as far as that can be known without sending something.

    A program may end its sending side and still read. A browser that ends it has left.
    """
    is_browser = any(header in request.headers for header in BROWSER_HEADERS)
    return _is_closed(request) or (is_browser and may_have_left(request))


def _is_closed(request: web.Request) -> bool:
    return request.transport is None or request.transport.is_closing()


async def unless_left(request: web.Request, work: Awaitable[T]) -> T:
    """Return the result of `work` for one client. Cancel `work` if the client leaves."""
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            await asyncio.wait([task], timeout=LOOK_SECONDS)
            if not task.done() and has_left(request):
                raise ConflictError("the client has closed the connection")
        return task.result()
    finally:
        await cancel(task)


async def _write(response: web.StreamResponse, chunk: bytes) -> None:
    # All receivers share one copy of a long chunk, so send views instead of copying it.
    view = memoryview(chunk)
    for start in range(0, len(view), PIECE_BYTES):
        async with asyncio.timeout(SLOW_SECONDS):
            await response.write(view[start : start + PIECE_BYTES])


def _cut_off(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.abort()


NOT_FOUND = "404: Not Found"
"""The text that aiohttp sends for an unknown path."""
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
"""The HTTP status for each kind of error. The first match counts."""
NAME_PATTERN: Final = r"^[^\x00-\x1f\x7f/?#]+$"
GAME_PATTERN: Final = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
MAX_QUOTED: Final = 50
"""Longest value, in characters, that an error message repeats."""
_PATTERNS: Final = {
    NAME_PATTERN: "a name without /, ? and #, on one line",
    GAME_PATTERN: "letters, digits, '.', '_' and '-', a letter or digit first",
}
_EXPECTED: Final = {
    "string_type": "a text",
    "string_too_short": "at least {min_length} characters",
    "string_too_long": "at most {max_length} characters",
    "int": "a whole number",
    "float": "a number",
    "finite_number": "a number",
    "bool": "true or false",
    "list_type": "a list",
    "dict_type": "an object",
    "model": "an object",
    "too_short": "at least {min_length} of them",
    "too_long": "at most {max_length} of them",
    "greater_than_equal": "at least {ge:.0f}",
    "greater_than": "more than {gt:.0f}",
    "less_than_equal": "at most {le:.0f}",
    "less_than": "less than {lt:.0f}",
}
"""The expected value in words, by pydantic's error type or the first word of that type."""


@web.middleware
async def answer_errors(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Turn errors of a handler into a JSON answer or, for browsers, into a page."""
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
        return error_answer(request, 500, "internal error; see the manager's log")


def status_of(error: Exception) -> int:
    """Return the HTTP status for one of our errors."""
    return next(status for kind, status in STATUSES if isinstance(error, kind))


def error_answer(
    request: web.Request, status: int, message: str, more: Mapping[str, Any] | None = None
) -> web.Response:
    """Return an error page if a browser requests a page, else JSON with the error and `more`."""
    wants_page = "text/html" in request.headers.get("Accept", "")
    if wants_page and not request.path.startswith("/api/"):
        shown = page("error.html", section="", code=status, message=message)
        shown.set_status(status)
    else:
        shown = web.json_response({"error": message, **(more or {})}, status=status)
    if status == 503:
        shown.headers["Retry-After"] = str(RETRY_SECONDS)
    return shown


def error_message(error: ValidationError, model: type[BaseModel]) -> str:
    """Describe the first error: the field, what was expected, and what was given.

    The message does not repeat the value of a secret field. See `_is_secret`.
    """
    first = error.errors(include_url=False)[0]
    place = ".".join(filter(_is_place, map(str, first["loc"]))) or "body"
    return f"{place}: {_message(first, model)}"


def _is_place(part: str) -> bool:
    """Return whether `part` is a field or an index. Pydantic also names the branches of unions."""
    return part.isidentifier() or part.isdigit()


def _message(error: ErrorDetails, model: type[BaseModel]) -> str:
    kind, context, given = error["type"], error.get("ctx", {}), error["input"]
    if kind == "missing":
        return "this field is missing"
    if kind == "extra_forbidden":
        return _no_such_field(error, model)
    if kind == "json_invalid":
        return f"expected JSON, got something else: {context['error']}"
    if kind == "value_error":
        return str(context["error"])
    expected = _expected(kind, context)
    if expected is None:
        return error["msg"]
    got = "" if _is_secret(error, model) else f", got {_quoted(given)}"
    return f"expected {expected}{got}"


def _is_secret(error: ErrorDetails, model: type[BaseModel]) -> bool:
    """Return whether the value is of a field with `repr=False`, or may contain such a field."""
    fields, place = model.model_fields, error["loc"]
    field = fields.get(str(place[0])) if place else None
    return any(not one.repr for one in ([field] if field else fields.values()))


def _expected(kind: str, context: Mapping[str, Any]) -> str | None:
    if kind == "string_pattern_mismatch":
        return _PATTERNS.get(context["pattern"])
    if kind in {"literal_error", "enum"}:
        return f"one of {context['expected']}".replace("'', ", "").replace("'", "")
    if kind == "string_too_short" and context["min_length"] == 1:
        return "a text"
    for known in (kind, kind.partition("_")[0]):
        if known in _EXPECTED:
            return _EXPECTED[known].format_map(context)
    return None


def _no_such_field(error: ErrorDetails, model: type[BaseModel]) -> str:
    if len(error["loc"]) > 1:  # a nested object has other fields
        return "there is no such field"
    near = get_close_matches(str(error["loc"][0]), model.model_fields, n=1)
    if near:
        return f"there is no such field; did you mean {near[0]}?"
    return f"there is no such field; expected {', '.join(model.model_fields) or 'none'}"


def _quoted(given: Any) -> str:
    if given in ("", None):
        return "nothing"
    if isinstance(given, list | dict):
        return str(len(given)) if isinstance(given, list) else "an object"
    text = str(given).lower() if isinstance(given, bool) else repr(given)
    return text if len(text) <= MAX_QUOTED else f"{len(str(given))} characters"

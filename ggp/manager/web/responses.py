"""Answers that are no JSON: pages made from templates, CSV, and long ones sent in pieces."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from aiohttp import web
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from ggp.errors import GgpError
from ggp.manager.domain.rights import Right, current_caller

HERE: Final = Path(__file__).resolve().parent
STATIC: Final = HERE.parent / "static"

_log = logging.getLogger(__name__)

_ENVIRONMENT: Final = Environment(
    loader=FileSystemLoader(HERE / "templates"),
    autoescape=select_autoescape(default=True),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
CSV = "text/csv"
PIECE_BYTES: Final = 1 << 16
"""So much waits for a client, beside what its connection holds."""
SLOW_SECONDS: Final = 30.0
"""A client that does not read a piece for so long is cut off."""


def _moment(milliseconds: int | None) -> str:
    if milliseconds is None:
        return ""
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return moment.strftime("%Y-%m-%d %H:%M:%S")


def signed(figure: float) -> str:
    """A whole number with its sign; 0 has none."""
    return f"{round(figure):+d}" if round(figure) else "0"


_ENVIRONMENT.filters["moment"] = _moment
_ENVIRONMENT.filters["signed"] = signed
_ENVIRONMENT.globals["rights"] = Right


def page(template: str, **values: Any) -> web.Response:
    """A page made from a template of `web/templates`."""
    text = _ENVIRONMENT.get_template(template).render(caller=current_caller(), **values)
    return web.Response(text=text, content_type="text/html")


def csv_headers(name: str) -> dict[str, str]:
    """The headers of a file of this name, which is made of letters, digits and hyphens."""
    return {
        "Content-Type": f"{CSV}; charset=utf-8; header=present",
        "Content-Disposition": f'attachment; filename="{name}.csv"',
    }


def csv_answer(text: str, name: str) -> web.Response:
    """A whole file."""
    return web.Response(body=text.encode(), headers=csv_headers(name))


async def stream(
    request: web.Request, chunks: AsyncIterator[bytes], headers: Mapping[str, str]
) -> web.StreamResponse:
    """Answer with these chunks, as the client reads them.

    One that is cut off may come again: `Last-Event-ID` says where it was.
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
        _log.warning("%s was not sent to its end: %s", request.path, error)
        _cut_off(request)
    return response


async def _write(response: web.StreamResponse, chunk: bytes) -> None:
    # Views: a long chunk is the same one for all who are sent it.
    view = memoryview(chunk)
    for start in range(0, len(view), PIECE_BYTES):
        async with asyncio.timeout(SLOW_SECONDS):
            await response.write(view[start : start + PIECE_BYTES])


def _cut_off(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.abort()

"""Answers that are CSV, which browsers keep as a file."""

from __future__ import annotations

from aiohttp import web

CSV = "text/csv"


def csv_headers(name: str) -> dict[str, str]:
    """The headers of a file of this name, which is made of letters, digits and hyphens."""
    return {
        "Content-Type": f"{CSV}; charset=utf-8; header=present",
        "Content-Disposition": f'attachment; filename="{name}.csv"',
    }


def csv_answer(text: str, name: str) -> web.Response:
    """A whole file."""
    return web.Response(body=text.encode(), headers=csv_headers(name))

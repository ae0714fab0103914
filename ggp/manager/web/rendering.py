"""Templates become pages."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from aiohttp import web
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from ggp.manager.domain.rights import Right
from ggp.manager.web.callers import current_caller

HERE: Final = Path(__file__).resolve().parent
STATIC: Final = HERE.parent / "static"


def _moment(milliseconds: int | None) -> str:
    """A time for people: to the second, in UTC."""
    if milliseconds is None:
        return ""
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return moment.strftime("%Y-%m-%d %H:%M:%S")


def signed(figure: float) -> str:
    """A whole number with its sign; 0 has none."""
    return f"{round(figure):+d}" if round(figure) else "0"


_ENVIRONMENT: Final = Environment(
    loader=FileSystemLoader(HERE / "templates"),
    autoescape=select_autoescape(default=True),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.filters["moment"] = _moment
_ENVIRONMENT.filters["signed"] = signed
_ENVIRONMENT.globals["rights"] = Right


def page(template: str, **values: Any) -> web.Response:
    """A page made from a template of `web/templates`."""
    text = _ENVIRONMENT.get_template(template).render(caller=current_caller(), **values)
    return web.Response(text=text, content_type="text/html")

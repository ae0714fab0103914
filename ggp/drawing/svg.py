"""Writing SVG: elements as text, and all that comes from outside escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

_ILLEGIBLE = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
MAX_TITLE = 400
EDGE = 2.0
"""Around a picture, for lines that run along it."""
FONT = "system-ui, sans-serif"


def tag(name: str, *content: str, **attributes: object) -> str:
    """An element; `_` in the name of an attribute stands for `-`, one with None is left out.

    What is in it must be SVG already, or come from `plain`.
    """
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(_shown(value))}"
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(content)
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def plain(text: str) -> str:
    """Text that may be anything, as the content of an element."""
    return escape(_legible(text))


def clipped(text: str, most: int) -> str:
    """Text of so many letters, an ellipsis in the place of all that are more."""
    return text if len(text) <= most else text[: max(0, most - 1)] + "…"


def title(text: str) -> str:
    """Title for those who point at a part, or have it read to them."""
    return tag("title", plain(clipped(text, MAX_TITLE)))


def label(text: str, x: float, y: float, size: float, fill: str, anchor: str = "middle") -> str:
    """Text whose middle line runs through y."""
    return tag(
        "text",
        plain(text),
        x=x,
        y=y,
        # Half the height of letters; not all programs know of `dominant-baseline`.
        dy="0.35em",
        font_size=size,
        fill=fill,
        text_anchor=None if anchor == "middle" else anchor,
    )


def picture(
    width: float, height: float, title: str, parts: Iterable[str], *, has_links: bool = False
) -> str:
    """A whole document of so many units."""
    return tag(
        "svg",
        tag("title", plain(title)),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{-EDGE:g} {-EDGE:g} {width + 2 * EDGE:g} {height + 2 * EDGE:g}",
        font_family=FONT,
        text_anchor="middle",
        role="group" if has_links else "img",  # what is in an `img` cannot be reached
        aria_label=title,
    )


def _shown(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else _legible(str(value))


def _legible(text: str) -> str:
    return _ILLEGIBLE.sub("", text)

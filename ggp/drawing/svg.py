"""Write SVG elements as text, and escape all untrusted text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

_ILLEGIBLE = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
MAX_TITLE = 400
EDGE = 2.0
"""Space around a picture, for lines along its edge."""
FONT = "system-ui, sans-serif"


def tag(name: str, *content: str, **attributes: object) -> str:
    """Write an element. In attribute names `_` becomes `-`. Leave out attributes that are None.

    The content must be SVG already, or come from `plain`.
    """
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(_shown(value))}"
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(content)
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def plain(text: str) -> str:
    """Escape text for use as the content of an element."""
    return escape(_legible(text))


def clipped(text: str, most: int) -> str:
    """Shorten a text to `most` characters. If it is longer, end it with an ellipsis."""
    return text if len(text) <= most else text[: max(0, most - 1)] + "…"


def title(text: str) -> str:
    """Write a title element. Browsers show it on hover, and screen readers read it aloud."""
    return tag("title", plain(clipped(text, MAX_TITLE)))


def label(text: str, x: float, y: float, size: float, fill: str, anchor: str = "middle") -> str:
    """Write a text element, vertically centred at `y`."""
    return tag(
        "text",
        plain(text),
        x=x,
        y=y,
        # Move the text down by half the height of letters, because not all programs support
        # `dominant-baseline`.
        dy="0.35em",
        font_size=size,
        fill=fill,
        text_anchor=None if anchor == "middle" else anchor,
    )


def picture(
    width: float, height: float, title: str, parts: Iterable[str], *, has_links: bool = False
) -> str:
    """Write a complete SVG document. Width and height are in SVG units."""
    return tag(
        "svg",
        tag("title", plain(title)),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{-EDGE:g} {-EDGE:g} {width + 2 * EDGE:g} {height + 2 * EDGE:g}",
        font_family=FONT,
        text_anchor="middle",
        role="group" if has_links else "img",  # links in an `img` are not accessible
        aria_label=title,
    )


def _shown(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else _legible(str(value))


def _legible(text: str) -> str:
    return _ILLEGIBLE.sub("", text)

"""Put many pictures on one sheet, with their names below them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from ggp.drawing.svg import clipped, label, picture, tag

SIDE, GAP, NAME_HEIGHT = 220.0, 24.0, 26.0
COLUMNS, MAX_NAME = 5, 28
PAPER, INK = "#ffffff", "#1a1d21"
_OPENING = re.compile(r"<svg\b")

Named = tuple[str, str]
"""A name and an SVG document."""


def sheet_svg(pictures: Sequence[Named], columns: int = COLUMNS) -> str:
    """Return the sheet as an SVG document."""
    columns = max(1, min(columns, len(pictures)))
    parts = []
    for index, (name, svg) in enumerate(pictures):
        x = GAP + index % columns * (SIDE + GAP)
        y = GAP + index // columns * (SIDE + NAME_HEIGHT + GAP)
        place = f'<svg x="{x:g}" y="{y:g}" width="{SIDE:g}" height="{SIDE:g}"'
        parts.append(_OPENING.sub(place, svg, count=1))
        parts.append(
            label(clipped(name, MAX_NAME), x + SIDE / 2, y + SIDE + NAME_HEIGHT / 2, 14, INK)
        )
    rows = -(-len(pictures) // columns)
    width = GAP + columns * (SIDE + GAP)
    height = GAP + rows * (SIDE + NAME_HEIGHT + GAP)
    paper = tag("rect", width=width, height=height, fill=PAPER)
    return picture(width, height, "Games", [paper, *parts])


def sheet_html(pictures: Sequence[Named]) -> str:
    """Return the sheet as a self-contained HTML page."""
    figures = "\n".join(
        f"<figure>{svg}<figcaption>{escape(plain_name(name))}</figcaption></figure>"
        for name, svg in pictures
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>Games</title>\n'
        "<style>body { display: grid; gap: 1.5rem; font: 1rem system-ui, sans-serif;"
        " grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); margin: 1.5rem; }"
        " figure { margin: 0; text-align: center; } svg { width: 100%; height: 14rem; }"
        f"</style></head>\n<body>\n{figures}\n</body>\n</html>\n"
    )


def html_page(title: str, style: str, inside: str) -> str:
    """Return a self-contained HTML page. `title` and `inside` must be HTML already."""
    return (
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{title}</title>\n<style>{style}</style></head>\n"
        f"<body>\n<main>\n{inside}\n</main>\n</body>\n</html>\n"
    )


def plain_name(name: str) -> str:
    """Remove the control characters that are not allowed in HTML and XML from a name."""
    return "".join(letter for letter in name if letter >= " ")

"""Sketches of trees, drawn as text or as SVG pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True, slots=True)
class Sketch:
    """A node of a drawing, with its children."""

    label: str
    remark: str = ""
    """Short remark on what happened at this node."""
    children: tuple[Sketch, ...] = ()
    is_faded: bool = False
    """Whether this node was never visited."""
    is_chosen: bool = False
    """Whether the parent chooses this node."""


def draw(sketch: Sketch) -> list[str]:
    """Draw the tree as lines of text, one line for each node, with children below their parent.

    Chosen nodes are marked with `*`, and nodes that were never visited with dots.
    """
    return list(_lines(sketch, "", ""))


def _lines(sketch: Sketch, first: str, rest: str) -> Iterator[str]:
    mark = " *" if sketch.is_chosen else ""
    remark = f"   {sketch.remark}" if sketch.remark else ""
    yield f"{first}{sketch.label}{mark}{remark}"
    for number, child in enumerate(sketch.children, start=1):
        is_last = number == len(sketch.children)
        stroke = "··" if child.is_faded else "──"
        corner = "└" if is_last else "├"
        below = "   " if is_last else "│  "
        yield from _lines(child, f"{rest}{corner}{stroke} ", rest + below)


CHAR = 6.6  # width of a character of the labels, in pixels
GAP = 14.0  # pixels between two leaves
LEVEL = 64.0  # pixels from one level to the next
MARGIN = 24.0
TITLE = 30.0  # pixels above each tree for its heading
STYLE = (
    "text{font:12px sans-serif;text-anchor:middle}.title{font-weight:bold;text-anchor:start}"
    ".remark{font-size:10px;fill:#666}line{stroke:#555}.faded{fill:#bbb}"
    "line.faded{stroke:#ccc;stroke-dasharray:3 3}line.chosen{stroke:#c22;stroke-width:2.5}"
)


@dataclass(slots=True)
class _Placed:
    sketch: Sketch
    x: float
    y: float
    children: list[_Placed]


def draw_svg(sketches: Sequence[tuple[str, Sketch]]) -> str:
    """Draw the trees one below the other in one picture, each under its heading."""
    body: list[str] = []
    top, width = MARGIN, 0.0
    for heading, sketch in sketches:
        body.append(f'<text class="title" x="{MARGIN:g}" y="{top:g}">{escape(heading)}</text>')
        placed, right = _place(sketch, MARGIN, top + TITLE)
        body.extend(_elements(placed))
        width = max(width, right + MARGIN, MARGIN * 2 + len(heading) * CHAR)
        top += TITLE + _depth(sketch) * LEVEL
    size = f'width="{width:.0f}" height="{top:.0f}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
        f"<style>{STYLE}</style>",
        '<rect width="100%" height="100%" fill="white"/>',
        *body,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _place(sketch: Sketch, left: float, y: float) -> tuple[_Placed, float]:
    """Return the node with its position, and the right edge of the space that it takes."""
    own = max(len(sketch.label), len(sketch.remark)) * CHAR
    children, right = [], left
    for child in sketch.children:
        placed, end = _place(child, right, y + LEVEL)
        children.append(placed)
        right = end + GAP
    if not children:
        return _Placed(sketch, left + own / 2, y, []), left + own
    middle = (children[0].x + children[-1].x) / 2
    shift = max(0.0, left + own / 2 - middle)  # shift if a label is wider than everything below it
    for placed in children:
        _move(placed, shift)
    end = max(right - GAP + shift, middle + shift + own / 2)
    return _Placed(sketch, middle + shift, y, children), end


def _move(placed: _Placed, by: float) -> None:
    placed.x += by
    for child in placed.children:
        _move(child, by)


def _elements(placed: _Placed) -> list[str]:
    found = []
    for child in placed.children:
        kind = _kind(child.sketch)
        start = placed.y + (18 if placed.sketch.remark else 6)
        ends = f'x1="{placed.x:.1f}" y1="{start:.1f}" '
        ends += f'x2="{child.x:.1f}" y2="{child.y - 13:.1f}"'
        found.append(f"<line{kind} {ends}/>")
        found.extend(_elements(child))
    sketch, place = placed.sketch, f'x="{placed.x:.1f}"'
    faded = ' class="faded"' if sketch.is_faded else ""
    found.append(f'<text{faded} {place} y="{placed.y:.1f}">{escape(sketch.label)}</text>')
    if sketch.remark:
        remark = escape(sketch.remark)
        found.append(f'<text class="remark" {place} y="{placed.y + 13:.1f}">{remark}</text>')
    return found


def _kind(sketch: Sketch) -> str:
    if sketch.is_faded:
        return ' class="faded"'
    return ' class="chosen"' if sketch.is_chosen else ""


def _depth(sketch: Sketch) -> int:
    return 1 + max(map(_depth, sketch.children), default=0)

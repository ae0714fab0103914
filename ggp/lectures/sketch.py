"""A tree to be drawn: what stands at each node, and what of it was never looked at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sketch:
    """A node of a drawing and what hangs below it."""

    label: str
    remark: str = ""
    """An event at this node, in a few words."""
    children: tuple[Sketch, ...] = ()
    is_faded: bool = False
    """Whether nobody looked at this node."""
    is_chosen: bool = False
    """Whether this is what the node above decides on."""


def draw(sketch: Sketch) -> list[str]:
    """The tree as lines of text, a node a line, children below their parent.

    Chosen nodes are marked by `*`, those never looked at by dots.
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

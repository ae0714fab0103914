"""Pictures that have much in common, with what they share written once.

The positions of a match differ in a few places. Each element that several pictures have stands in a
`<defs>`, and they refer to it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

MIN_LETTERS: Final = 60
"""Of an element that is worth a reference, which has half as many."""
# What `ggp.drawing.svg` writes has `<` and `>` in tags only, also within attributes.
_TAG: Final = re.compile(r"<(?P<end>/)?(?P<name>[A-Za-z]+)[^<>]*?(?P<empty>/)?>")


@dataclass(slots=True)
class _Element:
    """An element of a picture: its text, and the elements and texts within."""

    opening: str
    name: str
    parts: list[_Element | str] = field(default_factory=list)
    text: str = ""


def share(pictures: Sequence[str], prefix: str) -> tuple[str, list[str]]:
    """What pictures share, and the pictures, in which it is left out.

    Args:
        pictures: SVG as `ggp.drawing` writes it.
        prefix: Of the ids; no other picture on the page may use it.

    Returns:
        A picture of nothing that holds the shared parts, and the others in their order.
    """
    roots = [_read(picture) for picture in pictures]
    counts: Counter[str] = Counter()
    for root in roots:
        for part in root.parts:
            _count(part, counts)
    ids: dict[str, str] = {}

    def written(part: _Element | str) -> str:
        if isinstance(part, str):
            return part
        if counts[part.text] > 1 and len(part.text) >= MIN_LETTERS:
            name = ids.setdefault(part.text, f"{prefix}{len(ids):x}")
            return f'<use href="#{name}"/>'
        return _closed(part, "".join(map(written, part.parts)))

    left = [_closed(root, "".join(map(written, root.parts))) for root in roots]
    # An id needs a place to stand, and an element may have one of its own.
    defs = "".join(f'<g id="{name}">{text}</g>' for text, name in ids.items())
    hidden = 'width="0" height="0" style="position:absolute" aria-hidden="true"'
    shared = f'<svg xmlns="http://www.w3.org/2000/svg" {hidden}><defs>{defs}</defs></svg>'
    return shared if ids else "", left


def _count(part: _Element | str, counts: Counter[str]) -> None:
    """Count elements; what is in one that has been seen is not worth a place of its own."""
    if isinstance(part, str):
        return
    counts[part.text] += 1
    if counts[part.text] == 1:
        for inner in part.parts:
            _count(inner, counts)


def _read(picture: str) -> _Element:
    """The elements of a picture."""
    top = _Element("", "")
    stack, place = [top], 0
    for match in _TAG.finditer(picture):
        stack[-1].parts.append(picture[place : match.start()])
        place = match.end()
        if match["end"]:
            done = stack.pop()
            done.text = _closed(done, "".join(map(_text, done.parts)))
            continue
        element = _Element(match[0], match["name"])
        stack[-1].parts.append(element)
        if match["empty"]:
            element.text = match[0]
        else:
            stack.append(element)
    [root] = [part for part in top.parts if isinstance(part, _Element)]
    return root


def _text(part: _Element | str) -> str:
    return part if isinstance(part, str) else part.text


def _closed(element: _Element, inside: str) -> str:
    """The element around something; as it was if it had no end."""
    if element.opening.endswith("/>"):
        return element.opening
    return f"{element.opening}{inside}</{element.name}>"

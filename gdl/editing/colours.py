"""What each word of a text is, for whoever gives it a colour."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from gdl.editing.draft import Draft
from gdl.editing.index import Kind
from gdl.editing.occurrences import Part

_NUMBER = re.compile(r"[+-]?[0-9]+")


class Colour(NamedTuple):
    """A word or a comment, what it is, and whether it is defined there."""

    start: int
    end: int
    kind: Kind | Literal["comment", "number"]
    is_definition: bool = False


def colours(draft: Draft) -> list[Colour]:
    """The words and comments of a text, in order."""
    index = draft.index
    found = [Colour(start, end, "comment") for start, end in draft.comments]
    for one in index.occurrences:
        kind = index.kind(one.symbol)
        is_number = kind is Kind.CONSTANT and _NUMBER.fullmatch(one.symbol.name)
        is_head = one.part is Part.HEAD and one.holder is None and kind is not Kind.KEYWORD
        found.append(Colour(one.start, one.end, "number" if is_number else kind, is_head))
    return sorted(found)

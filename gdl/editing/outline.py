"""Overviews of a text: the outline of its statements, and what each of its words is."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal, NamedTuple

from gdl.editing.draft import Draft
from gdl.editing.index import Kind, title
from gdl.editing.occurrences import Occurrence, Part
from gdl.syntax import Form, Group


@dataclass(frozen=True, slots=True)
class Entry:
    """A statement, or several in a row about the same, such as `next cell/3`.

    `word` is the place of the first one's relation, `children` are the statements if there are
    several.
    """

    name: str
    detail: str
    kind: Kind
    start: int
    end: int
    word: tuple[int, int]
    children: tuple[Entry, ...] = field(default=())


def outline(draft: Draft) -> list[Entry]:
    """The outline of a text: the subjects of its statements, in order."""
    index = draft.index
    heads: dict[int, Occurrence] = {}
    for one in index.occurrences:
        is_arrow = isinstance(one.form, Group) and len(one.form.items) == 1
        is_head = one.part is Part.HEAD and one.holder is None
        if is_head and not (is_arrow and one.symbol.name in ("<=", "::")):
            heads.setdefault(one.statement, one)
    entries = [
        _entry(draft, statement, heads.get(number))
        for number, statement in enumerate(draft.statements)
    ]
    return [_together(list(row)) for _, row in groupby(entries, key=lambda entry: entry.name)]


def _entry(draft: Draft, statement: Form, head: Occurrence | None) -> Entry:
    span = statement.span
    kind = draft.index.kind(head.symbol) if head else Kind.CONSTANT
    word = (head.start, head.end) if head else (span.start, span.start)
    return Entry(title(statement), "", kind, span.start, span.end, word)


def _together(entries: list[Entry]) -> Entry:
    first = entries[0]
    if len(entries) == 1:
        return first
    detail = f"{len(entries)} statements"
    end = entries[-1].end
    return Entry(first.name, detail, first.kind, first.start, end, first.word, tuple(entries))


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

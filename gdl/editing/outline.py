"""The outline of a rulesheet: what its statements are about, those in a row together."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby

from gdl.editing.draft import Draft
from gdl.editing.index import Kind, title
from gdl.editing.occurrences import Occurrence, Part
from gdl.editing.phrases import plural
from gdl.syntax import Form, Group


@dataclass(frozen=True, slots=True)
class Entry:
    """A statement, or several in a row about the same.

    Attributes:
        name: What they are about, such as `next cell/3`.
        detail: How many there are; empty for one.
        kind: Of their relation.
        start: Offset of the first one.
        end: Offset behind the last one.
        word: Places of the first one's relation.
        children: The statements, if there are several.
    """

    name: str
    detail: str
    kind: Kind
    start: int
    end: int
    word: tuple[int, int]
    children: tuple[Entry, ...] = field(default=())


def outline(draft: Draft) -> list[Entry]:
    """What the statements of a text are about, in order."""
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
    detail = plural(len(entries), "statement")
    end = entries[-1].end
    return Entry(first.name, detail, first.kind, first.start, end, first.word, tuple(entries))

"""What is told of the symbol under the pointer, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gdl.editing.draft import Draft
from gdl.editing.index import Kind
from gdl.editing.keywords import MEANINGS, RANDOM
from gdl.editing.occurrences import Occurrence, Part, Space, Symbol
from gdl.editing.phrases import code, listed, plain, plural
from gdl.errors import Source

Seen = Mapping[str, Sequence[Sequence[str]]]
"""The values that each argument of a symbol, such as `cell/3`, has had in states that were played;
of a constant, such as `100`, nothing."""
MOST_LINES = 6
"""Numbers of lines that are named."""


class Hover(NamedTuple):
    """A text on the word from `start` to `end`."""

    start: int
    end: int
    text: str


def hover(draft: Draft, offset: int, seen: Seen) -> Hover | None:
    """What is to be said of the symbol at an offset; None where there is none."""
    one = draft.at(offset)
    if one is None:
        return None
    return Hover(one.start, one.end, "\n\n".join(_paragraphs(draft, one, seen)))


def _paragraphs(draft: Draft, one: Occurrence, seen: Seen) -> Iterator[str]:
    index, symbol = draft.index, one.symbol
    kind = index.kind(symbol)
    yield f"**{_shown(draft, one)}**: {kind}{_arguments(symbol)}"
    if kind is Kind.KEYWORD:
        yield MEANINGS.get(symbol.name, "")
    if symbol.name == "random" and kind is Kind.ROLE:
        yield RANDOM
    if kind is Kind.VARIABLE:
        yield _of_variable(draft, symbol)
        return
    yield from _remark(draft, symbol)
    definitions = index.definitions(symbol)
    if definitions and kind is not Kind.CONSTANT:
        yield f"Defined {_lines(draft, definitions)}."
    users = index.users(symbol)
    if users and kind is not Kind.KEYWORD:
        yield f"Used by {listed([code(user) for user in users], most=MOST_LINES)}."
    elif kind not in (Kind.KEYWORD, Kind.CONSTANT, Kind.ROLE):
        yield "No condition uses it."
    else:
        yield f"{plural(len(index.places(symbol)), 'place')} in the text."
    yield from _values(draft, symbol, seen)


def _shown(draft: Draft, one: Occurrence) -> str:
    written = plain(draft.text[one.start : one.end])
    return f"{written}/{one.symbol.arity}" if one.symbol.arity else written


def _arguments(symbol: Symbol) -> str:
    if symbol.space is Space.VARIABLE or not symbol.arity:
        return ""
    return f", {plural(symbol.arity, 'argument')}"


def _of_variable(draft: Draft, symbol: Symbol) -> str:
    """In which conditions a variable gets its values."""
    places = draft.index.places(symbol)
    bound: list[str] = []
    for one in draft.index.occurrences:
        if one.statement != symbol.statement or one.part is not Part.BODY or one.holder:
            continue
        is_within = any(one.start < place.start < one.form.span.end for place in places)
        if is_within and one.symbol.name not in ("not", "distinct", "or", "and"):
            bound.append(code(_written(one)))
    where = f" In {listed(bound, most=MOST_LINES)}." if bound else " In no condition."
    return f"{plural(len(places), 'place')} in this statement.{where}"


def _written(one: Occurrence) -> str:
    span = one.form.span
    return " ".join(span.source.text[span.start : span.end].split())


def _remark(draft: Draft, symbol: Symbol) -> Iterator[str]:
    """The comment above the first definition."""
    definitions = draft.index.definitions(symbol)
    if not definitions or symbol.space is Space.KEYWORD:
        return
    start = draft.statements[definitions[0].statement].span.start
    lines = draft.text[:start].split("\n")[:-1]
    found: list[str] = []
    mark = "%" if draft.is_epilog else ";"
    while lines and lines[-1].strip().startswith(mark):
        found.insert(0, lines.pop().strip().lstrip(mark).strip())
    text = " ".join(line for line in found if any(map(str.isalnum, line)))
    if text:
        yield f"*{plain(text)}*"


def _lines(draft: Draft, places: Sequence[Occurrence]) -> str:
    source = Source("", draft.text)
    numbers = dict.fromkeys(source.position(one.start)[0] for one in places)
    word = "in line" if len(numbers) == 1 else "in lines"
    return f"{word} {listed([str(number) for number in numbers], most=MOST_LINES)}"


def _values(draft: Draft, symbol: Symbol, seen: Seen) -> Iterator[str]:
    """A line for each argument: what it was when the game was played, or else what is written."""
    known = seen.get(str(symbol))
    rows = known if known is not None else draft.index.values(symbol)
    if not any(rows):
        return
    title = "Values seen in play:" if known is not None else "Values written:"
    yield "\n".join(
        [title, ""]
        + [
            f"{number}. {' '.join(map(code, values)) or 'none'}"
            for number, values in enumerate(rows, start=1)
        ]
    )

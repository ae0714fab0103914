"""Occurrences: every place of a text where a symbol or a variable stands, and as what it does.

Forms are looked at as they are written, before any translation, so texts with faults have some too.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from gdl.check.source_places import first_word
from gdl.rulesheet import RESERVED
from gdl.rulesheet.rules import CONNECTIVES
from gdl.syntax import Form, Group, Word

OPERATION = "::"


class Space(StrEnum):
    """The kind of thing that a name stands for: the same name may be one of each."""

    KEYWORD = "keyword"
    RELATION = "relation"
    TERM = "term"  # A function, or a constant if it has no arguments
    VARIABLE = "variable"


class Part(StrEnum):
    """Part of a statement."""

    HEAD = "head"
    BODY = "body"
    EFFECT = "effect"  # of an operation of a sequential game


class Symbol(NamedTuple):
    """A name in lower case and what it belongs to: for variables the number of their statement."""

    space: Space
    name: str
    arity: int
    statement: int = -1

    def __str__(self) -> str:
        has_arity = self.space is not Space.VARIABLE and self.arity
        return f"{self.name}/{self.arity}" if has_arity else self.name


class Holder(NamedTuple):
    """The symbol that an occurrence is an argument of, and the argument's index, from 0."""

    name: str
    arity: int
    position: int


class Occurrence(NamedTuple):
    """One place of a symbol: where its word stands, its form with its arguments, what holds it."""

    start: int
    end: int
    symbol: Symbol
    part: Part
    statement: int
    form: Form
    holder: Holder | None

    def is_argument_of(self, name: str, position: int) -> bool:
        """Whether this is the argument of a keyword, which has as many as it should."""
        return self.holder == Holder(name, RESERVED[name], position)


class _Waiting(NamedTuple):
    form: Form
    part: Part
    is_atom: bool
    holder: Holder | None


def occurrences(
    statements: Iterable[Form], *, is_epilog: bool = False, is_sequential: bool = False
) -> list[Occurrence]:
    """All occurrences in statements, in the order of the text.

    In a sequential game facts of the state stand in conditions without `true`: relations and
    functions are the same then.
    """
    found = [
        occurrence
        for number, statement in enumerate(statements)
        for occurrence in _of_statement(statement, number, is_sequential)
        if not is_epilog or _is_written(occurrence)
    ]
    found.sort(key=lambda one: one.start)
    return found


def _of_statement(statement: Form, number: int, is_sequential: bool) -> Iterator[Occurrence]:
    waiting = list(_parts(statement))
    atoms = Space.TERM if is_sequential else Space.RELATION
    while waiting:
        form, part, is_atom, holder = waiting.pop()
        items = form.items if isinstance(form, Group) else (form,)
        if not items:
            continue
        first, args = items[0], items[1:]
        if not isinstance(first, Word):
            waiting += [_Waiting(item, part, False, None) for item in items]
            continue
        name = first.text.lower()
        is_word = first is form
        if is_atom and name in CONNECTIVES and not is_word:
            waiting += [_Waiting(item, part, name != "distinct", None) for item in args]
            space = Space.KEYWORD
        else:
            waiting += [
                _Waiting(item, part, False, Holder(name, len(args), index))
                for index, item in enumerate(args)
            ]
            space = _space(first, atoms if is_atom else Space.TERM, is_atom=is_atom)
        owner = number if space is Space.VARIABLE else -1
        symbol = Symbol(space, name, len(args), owner)
        span = first.span
        yield Occurrence(span.start, span.end, symbol, part, number, form, holder)


def _space(word: Word, usual: Space, *, is_atom: bool) -> Space:
    if word.is_variable:
        return Space.VARIABLE
    return Space.KEYWORD if is_atom and word.text.lower() in RESERVED else usual


def _parts(statement: Form) -> Iterator[_Waiting]:
    """The parts of a statement; the arrow of a rule is one of them."""
    if not isinstance(statement, Group) or statement.head not in ("<=", OPERATION):
        yield _Waiting(statement, Part.HEAD, True, None)
        return
    arrow, rest = statement.items[0], statement.items[1:]
    if statement.head == "<=":
        yield _Waiting(Group((arrow,), arrow.span), Part.HEAD, True, None)
        yield from (_Waiting(form, Part.HEAD, True, None) for form in rest[:1])
        yield from (_Waiting(form, Part.BODY, True, None) for form in rest[1:])
        return
    yield from (_Waiting(form, Part.HEAD, True, None) for form in rest[:1])
    yield from (_Waiting(form, Part.BODY, True, None) for form in rest[1:2])
    yield from (_Waiting(form, Part.EFFECT, True, None) for form in rest[2:])


def _is_written(occurrence: Occurrence) -> bool:
    """Whether the author has written the word of a form that was read from Epilog."""
    first = first_word(occurrence.form)
    text = first.span.source.text[occurrence.start : occurrence.end]
    if occurrence.symbol.space is Space.VARIABLE:
        return text != "_" and text[:1].isupper()
    return text == first.text or text.startswith('"')


def at(found: Sequence[Occurrence], offset: int) -> Occurrence | None:
    """The occurrence at an offset, or that ends there; None if there is none."""
    low = bisect_right(found, offset, key=lambda one: one.start)
    before = found[low - 1] if low else None
    return before if before is not None and offset <= before.end else None

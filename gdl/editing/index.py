"""Symbols of a text: their kinds, where they are defined and used, and their values.

An occurrence is a place where a symbol or a variable is used, with its role there. The index is
built from the untranslated text, so texts with faults have occurrences too.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple, TypeGuard

from gdl.check.diagnostic import first_word
from gdl.lazy import lazy_property
from gdl.rulesheet import RESERVED, Relation, Rulesheet
from gdl.rulesheet.graph import DependsOn
from gdl.rulesheet.rules import CONNECTIVES
from gdl.syntax import Form, Group, Word

OPERATION = "::"


class Space(StrEnum):
    """Namespace of a symbol. The same name in two namespaces stands for two symbols."""

    KEYWORD = "keyword"
    RELATION = "relation"
    TERM = "term"  # A function, or a constant if it has no arguments
    VARIABLE = "variable"


class Part(StrEnum):
    """Part of a statement in which a symbol occurs."""

    HEAD = "head"
    BODY = "body"
    EFFECT = "effect"  # effect of an operation in a sequential game


class Symbol(NamedTuple):
    """Name in lower case with its namespace. For a variable, also the number of its statement."""

    space: Space
    name: str
    arity: int
    statement: int = -1

    def __str__(self) -> str:
        has_arity = self.space is not Space.VARIABLE and self.arity
        return f"{self.name}/{self.arity}" if has_arity else self.name


class Holder(NamedTuple):
    """Symbol that contains an occurrence as an argument, and the index of that argument, from 0."""

    name: str
    arity: int
    position: int


class Occurrence(NamedTuple):
    """Use of a symbol: its span, its form with its arguments, and what it is an argument of."""

    start: int
    end: int
    symbol: Symbol
    part: Part
    statement: int
    form: Form
    holder: Holder | None

    def is_argument_of(self, name: str, position: int) -> bool:
        """Return whether this is argument `position` of the keyword `name` with the right arity."""
        return self.holder == Holder(name, RESERVED[name], position)


class _Waiting(NamedTuple):
    form: Form
    part: Part
    is_atom: bool
    holder: Holder | None


def occurrences(
    statements: Iterable[Form], *, is_epilog: bool = False, is_sequential: bool = False
) -> list[Occurrence]:
    """Return all occurrences in statements, in the order of the text.

    In a sequential game, conditions ask for facts of the state without `true`. So relations and
    functions share a namespace.
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
    first = first_word(occurrence.form)
    text = first.span.source.text[occurrence.start : occurrence.end]
    if occurrence.symbol.space is Space.VARIABLE:
        return text != "_" and text[:1].isupper()
    return text == first.text or text.startswith('"')


def at(found: Sequence[Occurrence], offset: int) -> Occurrence | None:
    """Return the occurrence that contains `offset` or ends there, or None."""
    low = bisect_right(found, offset, key=lambda one: one.start)
    before = found[low - 1] if low else None
    return before if before is not None and offset <= before.end else None


MAX_VALUES = 12  # number of values to show for an argument


class Kind(StrEnum):
    """The kind of thing that a symbol stands for in the game."""

    KEYWORD = "keyword"
    STATIC = "static relation"
    VIEW = "view"
    MOVE_VIEW = "view that depends on the moves"
    UNDEFINED = "relation that nothing defines"
    ROLE = "role"
    BASE = "fact of the state"
    INPUT = "move"
    PERCEPT = "percept"
    FUNCTION = "function"
    CONSTANT = "constant"
    VARIABLE = "variable"


Test = Callable[[Occurrence], bool]
_HEADS: tuple[tuple[Kind, Test], ...] = (
    (Kind.ROLE, lambda one: one.is_argument_of("role", 0)),
    (
        Kind.BASE,
        lambda one: (
            one.is_argument_of("init", 0)
            or one.is_argument_of("next", 0)
            or one.is_argument_of("base", 0)
        ),
    ),
    (Kind.INPUT, lambda one: one.is_argument_of("legal", 1) or one.is_argument_of("input", 1)),
    (Kind.PERCEPT, lambda one: one.is_argument_of("sees", 1)),
)
"""Test for each kind whether an occurrence in a head makes its symbol one of that kind."""
_DEFINED_BY = {"true": ("init", "next", "base"), "does": ("legal", "input")}


class Index:
    """All occurrences of symbols in a text, in order and by symbol."""

    def __init__(
        self,
        occurrences: list[Occurrence],
        statements: tuple[Form, ...],
        rulesheet: Rulesheet | None,
    ) -> None:
        self.occurrences = occurrences
        self.statements = statements
        self._rulesheet = rulesheet
        self.by_symbol: dict[Symbol, list[Occurrence]] = {}
        for one in occurrences:
            self.by_symbol.setdefault(one.symbol, []).append(one)

    def places(self, symbol: Symbol) -> list[Occurrence]:
        """Return all occurrences of a symbol, in order."""
        return self.by_symbol.get(symbol, [])

    @lazy_property
    def kinds(self) -> dict[Symbol, Kind]:
        """Kind of each symbol."""
        return {symbol: self._kind(symbol) for symbol in self.by_symbol}

    def kind(self, symbol: Symbol) -> Kind:
        """Return the kind of a symbol. If several kinds fit, the first one in `Kind` counts."""
        return self.kinds.get(symbol, Kind.CONSTANT)

    def _kind(self, symbol: Symbol) -> Kind:
        if symbol.space is Space.KEYWORD:
            return Kind.KEYWORD
        if symbol.space is Space.VARIABLE:
            return Kind.VARIABLE
        if symbol.space is Space.RELATION:
            return self._kind_of_relation(symbol)
        return self._kind_of_term(symbol)

    def _kind_of_term(self, symbol: Symbol) -> Kind:
        places = self.places(symbol)
        made = [one for one in places if one.part is Part.HEAD and one.holder]
        for kind, is_kind in _HEADS:
            if any(map(is_kind, made)):
                return kind
        if any(one.part is Part.EFFECT for one in places):
            return Kind.BASE
        if any(one.holder is None for one in places):  # a condition in a sequential game
            return self._kind_of_relation(symbol)
        return Kind.FUNCTION if symbol.arity else Kind.CONSTANT

    def _kind_of_relation(self, symbol: Symbol) -> Kind:
        if not any(one.part is Part.HEAD and not one.holder for one in self.places(symbol)):
            return Kind.UNDEFINED
        if self._rulesheet is None:
            return Kind.VIEW
        name = self._rulesheet.spelling.of(symbol.name)
        depends_on = self._rulesheet.graph.dependence(Relation(name, symbol.arity))
        return {
            DependsOn.RULES: Kind.STATIC,
            DependsOn.STATE: Kind.VIEW,
            DependsOn.MOVES: Kind.MOVE_VIEW,
        }[depends_on]

    def definitions(self, symbol: Symbol) -> list[Occurrence]:
        """Return the places where a symbol is defined.

        The heads of its rules define a relation, `init`, `next` and `base` define a fact of the
        state, `legal` and `input` define a move, `sees` defines a percept, and `role` defines a
        role. The definition of a variable or other word is its first occurrence, if possible in a
        fact or else in a head.
        """
        places = self.places(symbol)
        if symbol.space is Space.VARIABLE:
            return places[:1]
        if symbol.space is Space.KEYWORD:
            return self._definitions_of_keyword(symbol)
        heads = [one for one in places if one.part is Part.HEAD and one.holder is None]
        if heads:
            return heads
        effects = [one for one in places if one.part is Part.EFFECT and one.holder is None]
        made = [
            one for one in places if one.part is Part.HEAD and any(test(one) for _, test in _HEADS)
        ]
        if made or effects:
            return sorted([*made, *effects], key=lambda one: one.start)
        if symbol.space is Space.RELATION:
            return []
        facts = [one for one in places if not _is_rule(self.statements[one.statement])]
        heads = [one for one in places if one.part is Part.HEAD]
        return (facts or heads or places)[:1]

    def _definitions_of_keyword(self, symbol: Symbol) -> list[Occurrence]:
        names = _DEFINED_BY.get(symbol.name, (symbol.name,))
        return [
            one
            for name in names
            if name in RESERVED
            for one in self.places(Symbol(Space.KEYWORD, name, RESERVED[name]))
            if one.part is Part.HEAD
        ]

    def users(self, symbol: Symbol) -> list[str]:
        """Return the subjects of the statements that use a symbol outside the head, in order."""
        found = {
            title(self.statements[one.statement]): None
            for one in self.places(symbol)
            if one.part is not Part.HEAD
        }
        return [text for text in found if text]

    def values(self, symbol: Symbol) -> list[list[str]]:
        """Return the ground terms that occur as each argument of a relation or function.

        They are in the order of the text. If there are more than `MAX_VALUES`, an ellipsis stands
        for the others.
        """
        found: list[dict[str, None]] = [{} for _ in range(symbol.arity)]
        for one in self.places(symbol):
            args = one.form.items[1:] if isinstance(one.form, Group) else ()
            for values, arg in zip(found, args, strict=False):
                if isinstance(arg, Word) and not arg.is_variable:
                    values.setdefault(arg.text)
                elif isinstance(arg, Group) and arg.head and not _has_variable(arg):
                    values.setdefault(str(arg))
        return [shortened(values) for values in found]

    def variables_of(self, statement: int) -> list[Symbol]:
        """Return the variables of a statement, in order."""
        return list(
            dict.fromkeys(
                one.symbol
                for one in self.occurrences
                if one.statement == statement and one.symbol.space is Space.VARIABLE
            )
        )


def shortened(values: Iterable[str]) -> list[str]:
    """Return the first `MAX_VALUES` values, followed by an ellipsis if there are more."""
    texts = list(values)
    return texts if len(texts) <= MAX_VALUES else [*texts[:MAX_VALUES], "…"]


def title(statement: Form) -> str:
    """Return the subject of a statement: its relation, and the argument of a keyword."""
    head: Form = statement
    if _is_rule(statement):
        head = statement.items[1] if len(statement.items) > 1 else statement.items[0]
    if isinstance(head, Word):
        return head.text
    name, arity = head.head, len(head.items) - 1
    if name in RESERVED and arity:
        said = head.items[1] if name in ("role", "init", "next", "base") else head.items[-1]
        subject = str(head.items[1]) if name == "goal" else _signature(said)
        return f"{name} {subject}"
    return _signature(head)


def _is_rule(statement: Form) -> TypeGuard[Group]:
    return isinstance(statement, Group) and statement.head in ("<=", "::")


def _signature(form: Form) -> str:
    if isinstance(form, Word):
        return form.text
    first = form.items[0] if form.items else None
    name = first.text if isinstance(first, Word) else "()"
    return f"{name}/{len(form.items) - 1}" if len(form.items) > 1 else name


def _has_variable(form: Form) -> bool:
    if isinstance(form, Word):
        return form.is_variable
    return any(map(_has_variable, form.items))

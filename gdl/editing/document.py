"""A rulesheet that is being edited: its outline, colours and values, and all other services."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from itertools import groupby
from random import Random
from typing import Literal, NamedTuple

from gdl.check import Severity
from gdl.editing import completion, cures, hovering, renaming
from gdl.editing.draft import Draft
from gdl.editing.hovering import FirstState
from gdl.editing.index import Kind, Occurrence, Part, shortened, title
from gdl.errors import GdlError, GdlSyntaxError
from gdl.interpreter.limits import Limits
from gdl.interpreter.machine import Interpreter
from gdl.kif import format_kif
from gdl.lazy import lazy_property
from gdl.machine import State
from gdl.rulesheet import RESERVED, Rulesheet
from gdl.syntax import Form, Group
from gdl.terms import Compound, Term
from gdl.tokens import NUMBER


@dataclass(frozen=True, slots=True)
class Entry:
    """Entry of the outline: one statement, or several adjacent ones with the same subject.

    `word` is the span of the first statement's relation. If the entry combines several statements,
    such as those for `next cell/3`, `children` has an entry for each.
    """

    name: str
    detail: str
    kind: Kind
    start: int
    end: int
    word: tuple[int, int]
    children: tuple[Entry, ...] = field(default=())


def outline_of(draft: Draft) -> list[Entry]:
    """Return the outline of a text: an entry for each subject of its statements, in order."""
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


class Colour(NamedTuple):
    """Highlighted word or comment, with its kind and whether this is where the word is defined."""

    start: int
    end: int
    kind: Kind | Literal["comment", "number"]
    is_definition: bool = False


def colours_of(draft: Draft) -> list[Colour]:
    """Return the words and comments of a text for syntax highlighting, in order."""
    index = draft.index
    found = [Colour(start, end, "comment") for start, end in draft.comments]
    for one in index.occurrences:
        kind = index.kind(one.symbol)
        is_number = kind is Kind.CONSTANT and NUMBER.fullmatch(one.symbol.name)
        is_head = one.part is Part.HEAD and one.holder is None and kind is not Kind.KEYWORD
        found.append(Colour(one.start, one.end, "number" if is_number else kind, is_head))
    return sorted(found)


MAX_STEPS = 200
MAX_EXAMINED = 200  # number of values to keep for an argument
_LIMITS = Limits(seconds=0.5)


def values_seen(
    rulesheet: Rulesheet, *, seconds: float = 2.0, playouts: int = 5, seed: int = 0
) -> dict[str, list[list[str]]]:
    """Return the values that each argument of each symbol takes in random games.

    If there are more than `MAX_VALUES`, an ellipsis stands for the others. The keys are symbols in
    lower case, such as `cell/3`. Never raises: if the rules are too slow or cannot be played,
    values are missing.
    """
    seen = _Seen(rulesheet, time.monotonic() + seconds)
    try:
        machine = Interpreter(rulesheet, _LIMITS)
        for number in range(playouts):
            seen.play(machine, Random(seed + number), is_first=number == 0)
    except GdlError:
        pass  # return the values seen so far
    return seen.shown()


class _Seen:
    def __init__(self, rulesheet: Rulesheet, end: float) -> None:
        self._end = end
        self._values: dict[str, list[dict[str, None]]] = {}
        self._relations = [
            relation
            for relation in rulesheet.definitions
            if relation.arity and relation.name not in RESERVED
        ]

    def play(self, machine: Interpreter, random: Random, *, is_first: bool) -> None:
        state: State = machine.initial_state()
        for step in range(MAX_STEPS):
            for fact in machine.facts(state):
                self._note(fact)
            if time.monotonic() > self._end:
                return
            moves = []
            is_over = machine.is_terminal(state)
            for role in () if is_over else machine.roles:
                legal = machine.legal_moves(state, role)
                for move in legal:
                    self._note(move)
                moves += [random.choice(legal)] if legal else []
            is_stuck = len(moves) < len(machine.roles)
            if (is_first and step < 2) or is_over:
                self._ask(machine, state, [] if is_stuck else moves)
            if is_stuck:
                return
            state = machine.next_state(state, moves)

    def _ask(self, machine: Interpreter, state: State, moves: list[Term]) -> None:
        for relation in list(self._relations):
            if time.monotonic() > self._end:
                return
            try:
                for atom in machine.holding(relation.name, relation.arity, state, moves):
                    self._note(atom)
            except GdlError:
                self._relations.remove(relation)

    def _note(self, term: Term) -> None:
        if not isinstance(term, Compound):
            return
        key = f"{term.name.lower()}/{len(term.args)}"
        columns = self._values.setdefault(key, [{} for _ in term.args])
        for column, arg in zip(columns, term.args, strict=True):
            if len(column) < MAX_EXAMINED:
                column.setdefault(str(arg))
            if isinstance(arg, Compound):
                self._note(arg)

    def shown(self) -> dict[str, list[list[str]]]:
        """Return the values seen in each argument, by symbol such as `cell/3`, shortened.

        If all values of an argument are numbers, they are sorted. Otherwise they keep the order in
        which they occurred.
        """
        return {
            key: [_shortened(column) for column in columns] for key, columns in self._values.items()
        }


def _shortened(column: dict[str, None]) -> list[str]:
    texts = list(column)
    if all(text.lstrip("-").isdecimal() for text in texts):
        texts.sort(key=int)
    return shortened(texts)


class Document(Draft):
    """Version of a rulesheet's text, with all services for its author; see `Draft`."""

    hover = hovering.hover

    def definitions(self, offset: int) -> list[Occurrence]:
        """Return the places where the symbol at an offset is defined."""
        one = self.at(offset)
        return self.index.definitions(one.symbol) if one else []

    def references(self, offset: int) -> list[Occurrence]:
        """Return all occurrences of the symbol at an offset."""
        one = self.at(offset)
        return self.index.places(one.symbol) if one else []

    renameable = renaming.renameable
    rename = renaming.rename
    completions = completion.completions
    begun = completion.begun
    fact_at = hovering.fact_at
    cures = cures.cures

    @lazy_property
    def first_state(self) -> FirstState:
        """Explainer of why facts hold or do not hold in the initial state."""
        return FirstState(self.rulesheet if self.is_sound else None)

    @lazy_property
    def has_errors(self) -> bool:
        """Whether any finding is an error."""
        return any(found.severity is Severity.ERROR for found in self.diagnostics)

    outline = lazy_property(outline_of)
    colours = lazy_property(colours_of)

    def values_seen(self, seconds: float = 2.0) -> dict[str, list[list[str]]]:
        """Return the values that arguments take in random games, for `hover`; see `values_seen`."""
        if not self.is_sound or self.rulesheet is None:
            return {}
        return values_seen(self.rulesheet, seconds=seconds)

    def formatted(self) -> str:
        """Return the text with standard formatting.

        Raises:
            GdlSyntaxError: The text has syntax errors or is Epilog.
        """
        if self.is_epilog:
            raise GdlSyntaxError("expected prefix KIF, got Epilog, which cannot be formatted")
        return format_kif(self.text, self.name)

"""Read prefix KIF, the notation of the GDL specification: text to tokens, forms and rules.

>>> [str(form) for form in read_forms("(role x) ; the only one")]
['(role x)']

The reader keeps track of nesting with its own stack instead of recursion. So a text that is nested
very deeply causes an error, not a crash.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gdl.errors import GdlSyntaxError, Source, Span
from gdl.rulesheet import Rulesheet
from gdl.syntax import MAX_DEPTH, Form, Group, Word, is_epilog, only_form
from gdl.terms import Term
from gdl.tokens import BLANKS, TOKEN

if TYPE_CHECKING:
    from pyparsing import ParseResults


MAX_ERRORS = 20  # per text; later errors are usually consequences of the first ones
_STATEMENT_WORDS = ("<=", "init", "next", "base", "input")
_NEVER_CLOSED = "this '(' is never closed"


@dataclass(frozen=True, slots=True, eq=False)
class Comment:
    """A comment from `;` to the end of its line. Only the formatter uses comments."""

    text: str
    span: Span


def scan(source: Source) -> list[Word | Comment]:
    """Return all words, parentheses (as words) and comments of a text in order."""
    import pyparsing as pp

    found: list[Word | Comment] = []

    def keep(_text: str, start: int, tokens: ParseResults) -> list[str]:
        text: str = tokens[0]
        kind = Comment if text.startswith(";") else Word
        found.append(kind(text, Span(source, start, start + len(text))))
        return []

    token = pp.Regex(TOKEN).set_whitespace_chars(BLANKS)
    end = pp.StringEnd().set_whitespace_chars(BLANKS)
    grammar = pp.ZeroOrMore(token.set_parse_action(keep)) + end
    grammar.parse_with_tabs().parse_string(source.text)
    return found


def read_forms(text: str, name: str = "<text>") -> tuple[Form, ...]:
    """Return the top-level forms of a KIF text, without its comments.

    Raises GdlSyntaxError if a parenthesis has no partner, or groups nest deeper than `MAX_DEPTH`.
    """
    forms, errors = read_scanned(scan(Source(name, text)), max_errors=1)
    if errors:
        raise errors[0]
    return forms


def read_scanned(
    tokens: Sequence[Word | Comment], max_errors: int = MAX_ERRORS
) -> tuple[tuple[Form, ...], tuple[GdlSyntaxError, ...]]:
    """Return the forms of a KIF text and its first `max_errors` faults in order.

    An unclosed form ends where a statement begins in column 1. A statement is recognised by its
    first word, if no condition can begin with that word. If no such statement follows, the form
    ends at the next form in column 1. A rule that is closed too early continues up to the surplus
    ')', unless a statement begins between them.
    """
    reading = _Reading(tokens, is_faulty=False)
    while not reading.is_over() and not reading.errors:
        reading.read_form()
    if reading.errors:
        reading = _Reading(tokens, is_faulty=True)
        while not reading.is_over() and len(reading.errors) < max_errors:
            reading.read_form()
    return tuple(reading.forms), tuple(reading.errors)


class _Reading:
    def __init__(self, tokens: Iterable[Word | Comment], *, is_faulty: bool) -> None:
        self._tokens = [token for token in tokens if isinstance(token, Word)]
        self._position = 0
        # If one group surrounds all statements, no statement is a top-level form.
        self._is_cut = is_faulty and [token.text for token in self._tokens[:2]] != ["(", "("]
        self.forms: list[Form] = []
        self._ranges: list[tuple[int, int]] = []  # first and last token of each form
        self._surplus: set[int] = set()  # indexes of tokens to skip
        self.errors: list[GdlSyntaxError] = []

    def is_over(self) -> bool:
        return self._position == len(self._tokens)

    def read_form(self) -> None:
        start = self._position
        if self._tokens[start].text == ")":
            self._position += 1
            if not self._reopen_rule(start):
                self._surplus.add(start)
                self._blame("this ')' closes nothing; remove it", start)
            return
        is_shallow = self._find_end(start)
        if is_shallow:
            self._add(start, self._position - 1)

    def _add(self, start: int, last: int) -> None:
        tokens = [self._tokens[x] for x in range(start, last + 1) if x not in self._surplus]
        self.forms.append(_nested(tokens))
        self._ranges.append((start, last))

    def _reopen_rule(self, end: int) -> bool:
        """Extend a rule that was closed too early, up to the surplus ')' at index `end`.

        Return False if there is no such rule.
        """
        number = self._rule_before_conditions()
        if number is None:
            return False
        start, surplus = self._ranges[number]
        kept = [x for x in range(start, end + 1) if x != surplus and x not in self._surplus]
        if _depth(self._tokens[x].text for x in kept):
            return False  # something is not closed
        self._surplus.add(surplus)
        self._blame("this ')' closes the rule too early; remove it", surplus)
        del self.forms[number:], self._ranges[number:]
        self._add(start, end)
        return True

    def _rule_before_conditions(self) -> int | None:
        for number in range(len(self.forms) - 2, -1, -1):
            following = self._ranges[number + 1][0]
            if self._is_in_first_column(following) or self._is_of_statement(following):
                return None
            form = self.forms[number]
            if isinstance(form, Group) and form.head == "<=":
                return number
        return None

    def _find_end(self, start: int) -> bool:
        depth = 0
        for index in range(start, len(self._tokens)):
            text = self._tokens[index].text
            if text == "(":
                if self._is_cut and depth and self._begins_statement(index):
                    self._blame(_NEVER_CLOSED, start)
                    self._position = index
                    return True
                if depth == MAX_DEPTH:
                    self._blame(f"groups nest deeper than {MAX_DEPTH}", index)
                    self._position = self._next_in_first_column(start + 1)
                    return False
            depth += {"(": 1, ")": -1}.get(text, 0)
            if depth == 0:
                self._position = index + 1
                return True
        self._blame(_NEVER_CLOSED, start)
        self._position = self._next_in_first_column(start + 1)
        return True

    def _blame(self, message: str, position: int) -> None:
        self.errors.append(GdlSyntaxError(message, self._tokens[position].span))

    def _next_in_first_column(self, position: int) -> int:
        for index in range(position, len(self._tokens)):
            if self._is_in_first_column(index):
                return index
        return len(self._tokens)

    def _is_in_first_column(self, position: int) -> bool:
        token = self._tokens[position]
        return token.text == "(" and token.span.column == 1

    def _begins_statement(self, position: int) -> bool:
        return self._is_of_statement(position) and self._is_in_first_column(position)

    def _is_of_statement(self, position: int) -> bool:
        following = self._tokens[position + 1 : position + 2]
        return bool(following) and following[0].text.lower() in _STATEMENT_WORDS


def _depth(texts: Iterable[str]) -> int:
    return sum({"(": 1, ")": -1}.get(text, 0) for text in texts)


def _nested(tokens: list[Word]) -> Form:
    top: list[Form] = []
    opened: list[tuple[Word, list[Form]]] = []  # each open parenthesis and what surrounds it
    for token in tokens:
        if token.text == "(":
            opened.append((token, top))
            top = []
        elif token.text == ")":
            top = _closed(opened, top, token.span)
        else:
            top.append(token)
    while opened:
        top = _closed(opened, top, tokens[-1].span)
    return top[0]


def _closed(opened: list[tuple[Word, list[Form]]], items: list[Form], end: Span) -> list[Form]:
    start, outer = opened.pop()
    span = Span(end.source, start.span.start, end.end)
    outer.append(Group(tuple(items), span))
    return outer


def read_kif(text: str, name: str = "<text>") -> Rulesheet:
    """Return the rulesheet that a KIF text describes.

    The text may be one group around all statements, as in a START message. Raises GdlSyntaxError as
    `read_forms` does, and if the text is Epilog.
    """
    forms = read_forms(text, name)
    if is_epilog(text, default=False):  # KIF would read `role(x)` as a word and a group
        raise GdlSyntaxError(
            "expected prefix KIF, got Epilog; use 'gdl.read_epilog', or 'gdl.read_rules', "
            "which reads both",
            forms[0].span,
        )
    return _rulesheet(forms, name)


def read_faulty_kif(text: str, name: str) -> tuple[Rulesheet, tuple[GdlSyntaxError, ...]]:
    """Return the readable part of a KIF text, and the faults that `read_scanned` finds."""
    return read_scanned_kif(scan(Source(name, text)), name)


def read_scanned_kif(
    tokens: Sequence[Word | Comment], name: str
) -> tuple[Rulesheet, tuple[GdlSyntaxError, ...]]:
    """Return the readable part of a KIF text and its faults, given the tokens from `scan`."""
    forms, errors = read_scanned(tokens)
    return _rulesheet(forms, name), errors


def _rulesheet(forms: tuple[Form, ...], name: str) -> Rulesheet:
    if len(forms) == 1 and isinstance(forms[0], Group):
        inner = forms[0].items
        forms = inner if inner and isinstance(inner[0], Group) else forms
    return Rulesheet.from_forms(forms, name)


def read_term(text: str, rulesheet: Rulesheet | None = None, name: str = "<term>") -> Term:
    """Parse a text that consists of one term, such as a move. Use the spelling of `rulesheet`."""
    form = only_form(read_forms(text, name), Source(name, text), "term")
    return (rulesheet or Rulesheet.from_forms((), name)).term(form)


Tokens = list[Word | Comment]


def rescan(source: Source, before: Source, tokens: Tokens) -> Tokens:
    """Return the tokens of `source`, given the tokens of its earlier version `before`.

    Only the changed lines are scanned. No token continues after the end of a line, so the tokens of
    an unchanged line are unchanged.
    """
    lines, old_lines = source.text.split("\n"), before.text.split("\n")
    first = _count_equal(lines, old_lines)
    most = min(len(lines), len(old_lines)) - first
    last = min(most, _count_equal(lines[::-1], old_lines[::-1]))
    head = sum(len(line) + 1 for line in lines[:first])
    tail = sum(len(line) + 1 for line in lines[len(lines) - last :])
    start, end = min(head, len(source.text)), max(head, len(source.text) + 1 - tail)
    shift = len(source.text) - len(before.text)
    old_end = max(head, len(before.text) + 1 - tail)
    middle = scan(Source(source.name, source.text[start:end]))
    return [
        *_moved((token for token in tokens if token.span.start < head), source, 0),
        *_moved(middle, source, start),
        *_moved((token for token in tokens if token.span.start >= old_end), source, shift),
    ]


def _count_equal(lines: list[str], others: list[str]) -> int:
    count = 0
    for line, other in zip(lines, others, strict=False):
        if line != other:
            break
        count += 1
    return count


def _moved(tokens: Iterable[Word | Comment], source: Source, shift: int) -> Tokens:
    return [
        type(token)(token.text, Span(source, token.span.start + shift, token.span.end + shift))
        for token in tokens
    ]

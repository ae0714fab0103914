"""Checks of the text alone: bare words, duplicates, spelling, what other readers refuse."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from gdl.check.diagnostic import Diagnostic, finding
from gdl.check.source_places import Part, Use, body_forms, uses
from gdl.rulesheet import Rulesheet
from gdl.rulesheet.words import CONNECTIVES
from gdl.syntax import Form, Group, Word, words

_VARIABLE = re.compile(r"(?<![^\s(])\?[^\s()]*")


def check_statements(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Statements without meaning, what a reader has to say, single words that are statements."""
    for code, span, message in rulesheet.origin.remarks:
        yield finding(code, span, message)
    for problem in rulesheet.problems:
        assert problem.span is not None
        yield finding("statement", problem.span, problem.message)
    for rule in rulesheet.rules:
        if isinstance(rule.form, Word):
            yield finding(
                "bare-word",
                rule.span,
                f"the word '{rule.form}' is a statement of its own; "
                "expected a rule or a fact in parentheses",
            )


def check_duplicates(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Statements that say the same, whatever their variables are called."""
    first_lines: dict[str, int] = {}
    for rule in rulesheet.rules:
        text = _renamed(rule.form)
        if text in first_lines:
            yield finding(
                "duplicate",
                rule.span,
                f"this repeats the statement of line {first_lines[text]}; remove one",
            )
        else:
            first_lines[text] = rule.span.line


def _renamed(form: Form) -> str:
    """The text of a form in one case, with its variables numbered as they come."""
    numbers: dict[str, int] = {}
    return _VARIABLE.sub(
        lambda found: f"?{numbers.setdefault(found[0], len(numbers))}", str(form).lower()
    )


def check_spelling(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Symbols that differ only in case; the rarer spelling is taken for the slip.

    Variables are compared within one statement, all other symbols within the rulesheet.
    """
    symbols: list[Word] = []
    variables: list[list[Word]] = []
    for form in rulesheet.forms:
        variables.append([])
        for word in words(form):
            (variables[-1] if word.is_variable else symbols).append(word)
    yield from _spellings(symbols, "symbol")
    for found in variables:
        yield from _spellings(found, "variable")


def _spellings(found: list[Word], kind: str) -> Iterator[Diagnostic]:
    texts = {word.text for word in found}
    if len({text.lower() for text in texts}) == len(texts):
        return
    counts = Counter(word.text for word in found)
    usual: dict[str, str] = {}
    for text, _ in counts.most_common():
        usual.setdefault(text.lower(), text)
    reported: set[str] = set()
    for word in found:
        right = usual[word.text.lower()]
        if word.text != right and word.text not in reported:
            reported.add(word.text)
            yield finding(
                "spelling",
                word.span,
                f"{kind} '{word}' differs from '{right}' only in case; write '{right}'",
                instead=right,
            )


def check_leniencies(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Report what is read here as its meaning is clear, though it is not in the specification."""
    for rule in rulesheet.rules:
        if isinstance(rule.form, Group) and rule.form.head == "<=" and not body_forms(rule.form):
            yield finding(
                "empty-body",
                rule.form.items[0].span,
                "this rule has no condition; write a fact without '<='",
            )
        for form in body_forms(rule.form):
            yield from _connectives(form)
    for use in uses(rulesheet):
        if isinstance(use.form, Group) and not use.args:
            yield finding("needless-parentheses", use.form.span, _bare(use))


def _bare(use: Use) -> str:
    kind = "constant" if use.part is Part.TERM else "proposition"
    return f"the {kind} '{use.word}' stands in parentheses; write {use.word} without them"


def _connectives(form: Form) -> Iterator[Diagnostic]:
    if not isinstance(form, Group) or form.head not in CONNECTIVES or form.head == "distinct":
        return
    span = form.items[0].span
    if form.head == "or" and len(form.items) == 1:
        yield finding("empty-or", span, "this 'or' has no branch and never holds; give it one")
    inner = form.items[1] if len(form.items) > 1 else None
    if form.head == "not" and isinstance(inner, Group) and inner.head in CONNECTIVES:
        yield finding(
            "wide-not",
            span,
            f"'not' stands before '{inner.head}'; the specification has it before relations only",
        )
    for item in form.items[1:]:
        yield from _connectives(item)

"""Statements in the syntax of other languages: calls, and rules with the arrow after the head.

They are recognised by adjacent forms of prefix KIF, as in `terminal :- over(X).`
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from gdl.errors import RulesheetError, Span
from gdl.syntax import Form, Group, Word

RULE = "(<= HEAD CONDITION ...)"
_ARROWS = frozenset({":-", "<-", "<--", "<=", "<==", ":=", "if"})
_GLUED = re.compile(r"(:-|<--|<==|<=|<-|:=)")  # within a word, as in `p(X):-q(X)`


@dataclass(frozen=True, slots=True)
class InfixRule:
    """Rule whose arrow stands between its head and its conditions."""

    forms: tuple[Form, ...]
    arrow: int  # index of the arrow in `forms`
    span: Span

    @property
    def problem(self) -> RulesheetError:
        """Error for reasoners to raise: the parts of the rule would be separate statements."""
        word = self.forms[self.arrow]
        message = f"'{word}' stands between head and conditions; a rule is written {RULE}"
        return RulesheetError(message, self.span)


@dataclass(frozen=True, slots=True)
class InfixRules:
    """All infix rules of a rulesheet, in the order of the text."""

    rules: tuple[InfixRule, ...] = ()

    def around(self, statement: Form) -> InfixRule | None:
        """Return the infix rule that a statement is part of, or None."""
        number = bisect_right(self.rules, statement.span.start, key=lambda it: it.span.start) - 1
        rule = self.rules[number] if number >= 0 else None
        return rule if rule is not None and statement.span.end <= rule.span.end else None


def is_arrow(form: Form) -> bool:
    """Return whether a form is an arrow that other languages put between head and conditions."""
    return isinstance(form, Word) and form.text in _ARROWS


def is_call(name: Form, args: Form) -> bool:
    """Return whether two forms are a call in the syntax `p(a b)`."""
    is_name = isinstance(name, Word) and (name.text[-1].isalnum() or name.text[-1] == "_")
    return is_name and isinstance(args, Group) and name.span.end == args.span.start


def infix_rules(statements: Sequence[Form]) -> InfixRules:
    """Find the infix rules among the statements of a rulesheet."""
    found: list[InfixRule] = []
    forms = _parted(statements)
    for place, form in enumerate(forms):
        if isinstance(form, Group):
            items = _parted(form.items)
            if len(items) > 2 and is_arrow(items[1]):
                found.append(InfixRule(tuple(items), 1, form.span))
        elif place and is_arrow(form) and _follows_head(form, forms[place - 1]):
            start, end = _head(forms, place), _end(forms, place)
            if end > place + 1:
                span = Span(form.span.source, forms[start].span.start, forms[end - 1].span.end)
                found.append(InfixRule(tuple(forms[start:end]), place - start, span))
    return InfixRules(tuple(found))


def _parted(forms: Sequence[Form]) -> list[Form]:
    """Split words that contain an arrow into parts, as in `p(X):-q(X)`. Keep other forms."""
    found: list[Form] = []
    for form in forms:
        if not isinstance(form, Word) or form.text in _ARROWS or not _GLUED.search(form.text):
            found.append(form)
            continue
        start = form.span.start
        for part in filter(None, _GLUED.split(form.text)):
            found.append(Word(part, form.span._replace(start=start, end=start + len(part))))
            start += len(part)
    return found


def _follows_head(arrow: Word, before: Form) -> bool:
    is_ended = before.text.endswith(".") if isinstance(before, Word) else before.head == "<="
    is_on_line = arrow.span.column > 1 or arrow.text == ":-"
    return is_on_line and not is_ended and not is_arrow(before)


def _head(forms: Sequence[Form], arrow: int) -> int:
    """Return the index where the head begins. A head such as `legal(P, go)` is two forms."""
    return arrow - 2 if arrow > 1 and is_call(forms[arrow - 2], forms[arrow - 1]) else arrow - 1


def _end(forms: Sequence[Form], arrow: int) -> int:
    """Return the index after the last condition.

    A rule ends after a period and before the head of the next rule. It also ends where a statement
    begins a line, unless a comma precedes the statement.
    """
    place = arrow + 1
    while place < len(forms):
        before, form = forms[place - 1], forms[place]
        is_open = place == arrow + 1 or (isinstance(before, Word) and before.text[-1] in ",&!~+")
        if isinstance(before, Word) and before.text.endswith(".") and not is_open:
            return place
        following = next((n for n in (place + 1, place + 2) if _is_arrow_at(forms, n)), None)
        if following is not None and _head(forms, following) == place:
            return place
        if form.span.column == 1 and not is_open:
            return place
        place += 1
    return place


def _is_arrow_at(forms: Sequence[Form], place: int) -> bool:
    return place < len(forms) and is_arrow(forms[place])

"""Removal of findings that are only consequences of a mistake that another finding reports."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from gdl.check.diagnostic import Diagnostic
from gdl.errors import Span
from gdl.rulesheet import RESERVED, Rulesheet
from gdl.syntax import Form, Group, Word, head_and_body, words

_MISREAD = ("statement", "keyword-arity", "bare-word")
_LACKING = {
    "no-role": ("role",),
    "no-init": ("init", "next", "legal"),
    "no-legal": ("legal", "role"),
    "no-goal": ("goal", "role"),
    "no-terminal": ("terminal",),
    "unknown-role": ("role",),
    "undeclared": ("base", "input"),
}
"""For each code about a missing statement, the keywords of statements that may supply it."""
_MAKERS = {
    "undefined": ("",),
    "undefined-fact": ("init", "next"),
    "no-init": ("init", "next"),
    "undefined-move": ("legal",),
}
"""For each code about a name that no rule makes, the heads of statements that may make it.

An empty head stands for the author's own relations.
"""
_MAKING = ("", "role", "init", "next", "legal")
_UNNEEDED = ("no-init", "unused", "unread-fact")
"""Codes of findings about unused names. A misread statement may use them."""
_EXPRESSIONS = (
    *("undefined", "statement", "arity-clash", "keyword-arity", "keyword-term", "bare-word"),
)
"""Codes whose findings may mark a whole expression and propose a replacement."""
_NAME = re.compile(r"[^,&|~!.]+")  # in a word such as `~over` or `true_line,role`


def without_effects(rulesheet: Rulesheet, found: Collection[Diagnostic]) -> set[Diagnostic]:
    """Return the findings without those that disappear once the author fixes another one.

    Leave out findings about something missing that a misread statement may supply. Also leave out
    findings inside an expression for which another finding proposes a replacement, and findings
    inside a comment in another language's syntax.
    """
    misread = _misread(rulesheet, found)
    undefined = {one.span for one in found if one.code == "undefined"}
    kept = {
        one
        for one in found
        if not _is_lacking_only(one, misread)
        and not (one.code == "misspelt" and one.span in undefined)  # a comma between conditions
    }
    for cause in found:
        if cause.instead.startswith(";"):
            kept -= {one for one in kept if _is_behind(one.span, cause.span)}
        elif _is_rewritten(cause):
            kept -= {one for one in kept if one is not cause and _is_inside(one.span, cause.span)}
    return kept


@dataclass(slots=True)
class _Misread:
    """Statements that were probably misread.

    Attributes:
        names: All names in these statements.
        made: For each keyword, such as `next`, the names that the statements may define with it.
            The key "" is for names of the author's own relations.
        has_values: Whether the statements may supply values for arguments in other statements.
    """

    names: set[str] = field(default_factory=set)
    made: dict[str, set[str]] = field(default_factory=dict)
    has_values: bool = False


def _misread(rulesheet: Rulesheet, found: Collection[Diagnostic]) -> _Misread:
    starts = [form.span.start for form in rulesheet.forms]
    faults = [
        (number, one.code)
        for one in found
        if one.code in _MISREAD or _is_rewritten(one)
        for number in range(
            bisect_right(starts, one.span.start) - 1, max(bisect_left(starts, one.span.end), 1)
        )
    ]
    misread = _Misread()
    for number, code in {*faults}:
        if number >= 0:
            _note(misread, rulesheet, rulesheet.forms[number], is_bare=code == "bare-word")
    return misread


def _note(misread: _Misread, rulesheet: Rulesheet, form: Form, *, is_bare: bool) -> None:
    rule = rulesheet.infix_rules.around(form)
    parts = (form,) if rule is None else rule.forms
    head = (head_and_body(form)[0],) if rule is None else rule.forms[: rule.arrow]
    name = head[0].head if isinstance(head[0], Group) else head[0].text.lower()
    makers: dict[str, Sequence[Form]] = {}
    if name in RESERVED:  # `base` makes nothing, `legal` makes moves
        makers = {name: parts} if name in _MAKING else {}
        misread.made.setdefault("", set()).add(name)
    elif rule is not None or (isinstance(form, Group) and form.head == "<="):
        makers = {"": head}
    elif not (is_bare and isinstance(form, Word)):
        makers = dict.fromkeys(_MAKING, parts)
    misread.names |= _names(parts)
    misread.has_values |= bool(makers)
    for maker, made in makers.items():
        misread.made.setdefault(maker, set()).update(_names(made))


def _names(forms: Iterable[Form]) -> set[str]:
    found = [word.text.lower() for form in forms for word in words(form)]
    return {*found, *(name for text in found for name in _NAME.findall(text))}


def _is_lacking_only(one: Diagnostic, misread: _Misread) -> bool:
    if not misread.names.isdisjoint(_LACKING.get(one.code, ())):
        return True
    if one.code == "undefined-value" and misread.has_values and not one.instead:
        return True  # a misread statement may supply any value
    span = one.span
    name = span.source.text[span.start : span.end].lower()
    makers = _MAKERS.get(one.code, ()) if not one.instead else ()
    is_made = any(name in misread.made.get(head, ()) for head in makers)
    return is_made or (one.code in _UNNEEDED and name in misread.names)


def _is_rewritten(one: Diagnostic) -> bool:
    """Return whether a finding marks a whole expression and proposes a replacement."""
    is_statement = one.code == "statement" and bool(one.instead)
    return is_statement or (one.code in _EXPRESSIONS and one.instead.startswith("("))


def _is_behind(span: Span, mark: Span) -> bool:
    return span.start > mark.start and span.line == mark.line


def _is_inside(span: Span, around: Span) -> bool:
    return around.start <= span.start and span.end <= around.end

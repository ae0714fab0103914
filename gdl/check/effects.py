"""Findings that only follow from others, such as from a statement that was not read as meant."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection

from gdl.check.diagnostic import Diagnostic
from gdl.errors import Span
from gdl.rulesheet import Rulesheet
from gdl.syntax import words

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
"""What is said where something is missing, and the keywords of statements that may have it."""
_UNDEFINED = ("undefined", "undefined-fact", "undefined-move")
_UNNEEDED = ("no-init", "unused", "unread-fact")
"""What is said of a name that nothing makes, or needs, where a statement was not read that may."""
_EXPRESSIONS = ("undefined", "statement", "keyword-arity", "keyword-term")
"""Codes of findings that may mark a whole expression and say what it should be."""


def without_effects(rulesheet: Rulesheet, found: Collection[Diagnostic]) -> set[Diagnostic]:
    """The findings but those that are gone as soon as another one is mended.

    That is what a statement has that could not be read, what stands in an expression that is meant
    to be another one, and what stands behind the mark of a comment of another language.
    """
    misread = _names_misread(rulesheet, found)
    kept = {one for one in found if not _is_lacking_only(one, misread)}
    for cause in found:
        if cause.instead.startswith(";"):
            kept -= {one for one in kept if _is_behind(one.span, cause.span)}
        elif cause.instead.startswith("(") and cause.code in _EXPRESSIONS:
            kept -= {one for one in kept if one is not cause and _is_inside(one.span, cause.span)}
    return kept


def _names_misread(rulesheet: Rulesheet, found: Collection[Diagnostic]) -> set[str]:
    """All words of the statements that could not be read as what they are meant for."""
    starts = [form.span.start for form in rulesheet.forms]
    faults = [
        number
        for one in found
        if one.code in _MISREAD or (one.code in _EXPRESSIONS and one.instead.startswith("("))
        for number in range(
            bisect_right(starts, one.span.start) - 1, max(bisect_left(starts, one.span.end), 1)
        )
    ]
    forms = [rulesheet.forms[number] for number in {*faults} if number >= 0]
    return {word.text.lower() for form in forms for word in words(form)}


def _is_lacking_only(one: Diagnostic, misread: set[str]) -> bool:
    if not misread.isdisjoint(_LACKING.get(one.code, ())):
        return True
    if one.code == "undefined-value" and misread and not one.instead:
        return True  # a statement that was not read may bring any value
    span = one.span
    name = span.source.text[span.start : span.end].lower()
    is_unknown = one.code in _UNDEFINED and not one.instead
    return name in misread and (is_unknown or one.code in _UNNEEDED)


def _is_behind(span: Span, mark: Span) -> bool:
    return span.start > mark.start and span.line == mark.line


def _is_inside(span: Span, around: Span) -> bool:
    return around.start <= span.start and span.end <= around.end

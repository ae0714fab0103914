"""Checks that help the author of a rulesheet. They return sorted findings and never raise.

>>> import gdl
>>> for found in gdl.check("(role x) (legal x go) (<= (goal x 100) (true done))", "it.kif"):
...     print(found)
it.kif:1:1: warning: the game never ends; write a 'terminal' rule
it.kif:1:46: warning: no 'init' or 'next' makes a fact 'done/0', so it never holds
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from gdl.check.always_holds import check_question_marks
from gdl.check.demands import check_unread
from gdl.check.depends_on import check_dependence, check_negation, check_recursion
from gdl.check.diagnostic import CODES, Code, Diagnostic, Severity, finding
from gdl.check.effects import without_effects
from gdl.check.foreign_rules import check_calls, check_infix_rules
from gdl.check.misspelt import check_misspelling
from gdl.check.misspelt_keyword import check_misspelt_keywords
from gdl.check.no_init import check_first_facts
from gdl.check.play import PlayLimits, check_play
from gdl.check.roles import check_goal_values, check_needs, check_percepts, check_roles
from gdl.check.statements import (
    check_arities,
    check_duplicates,
    check_keywords,
    check_leniencies,
    check_spelling,
    check_statements,
)
from gdl.check.undeclared import check_undeclared
from gdl.check.undefined import check_facts, check_moves, check_undefined, check_unused
from gdl.check.undefined_value import check_values
from gdl.check.unsafe import check_safety
from gdl.errors import GdlError, GdlSyntaxError, Source, Span
from gdl.notation import read_faulty_rules
from gdl.rulesheet import Rulesheet

__all__ = [
    "CODES",
    "Code",
    "Diagnostic",
    "PlayLimits",
    "Severity",
    "check",
    "check_play",
    "check_read",
]

_Checks = tuple[Callable[[Rulesheet], Iterable[Diagnostic]], ...]
_OF_STATEMENTS: _Checks = (
    check_statements,
    check_infix_rules,
    check_calls,
    check_duplicates,
    check_spelling,
    check_leniencies,
    check_arities,
    check_keywords,
    check_safety,
)
_OF_ALL: _Checks = (
    check_negation,
    check_recursion,
    check_dependence,
    check_undefined,
    check_facts,
    check_moves,
    check_undeclared,
    check_misspelt_keywords,
    check_misspelling,
    check_values,
    check_question_marks,
    check_unused,
    check_unread,
    check_roles,
    check_first_facts,
    check_needs,
    check_goal_values,
    check_percepts,
)


def check(rules: Rulesheet | str, name: str = "<text>") -> tuple[Diagnostic, ...]:
    """Return all faults that can be found without playing, sorted by place, notes last.

    Never raises: statements without meaning and syntax errors are reported as findings. After a
    syntax error, skip the checks that combine several statements, because one of them may have been
    misread. `name` is the file name in the findings.
    """
    if isinstance(rules, Rulesheet):
        return _findings(rules, _OF_STATEMENTS + _OF_ALL)
    try:
        rulesheet, faults = read_faulty_rules(rules, name)
    except GdlError as error:
        span = error.span or Span(Source(name, ""), 0, 0)
        return (finding("statement", span, error.message),)
    return check_read(rulesheet, faults)


def check_read(
    rulesheet: Rulesheet, faults: Sequence[GdlSyntaxError] = ()
) -> tuple[Diagnostic, ...]:
    """Return the findings of `check` for the readable part of a text, and the syntax errors.

    In a statement that is never closed, report only keywords with too many arguments. They show
    where a parenthesis is missing.
    """
    if not faults:
        return check(rulesheet)
    found = [finding("syntax", fault.span, fault.message) for fault in faults if fault.span]
    starts = {one.span.start for one in found}
    misread = [form.span for form in rulesheet.forms if form.span.start in starts]
    found += [
        one
        for one in _findings(rulesheet, _OF_STATEMENTS)
        if one.code == "keyword-arity"
        or not any(span.start <= one.span.start < span.end for span in misread)
    ]
    return tuple(sorted(found, key=lambda one: one.order))


def _findings(rulesheet: Rulesheet, checks: _Checks) -> tuple[Diagnostic, ...]:
    found = {found for check_one in checks for found in check_one(rulesheet)}
    found = without_effects(rulesheet, found)
    faulty = {one.span for one in found if one.severity is not Severity.NOTE}
    causes = (one for one in found if one.severity is not Severity.NOTE or one.span not in faulty)
    return tuple(sorted(causes, key=lambda one: one.order))

"""Constants that should be variables: `y1` next to `?y1`, and `distinct` with two constants."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import NamedTuple

from gdl.check.diagnostic import Diagnostic, as_written, finding
from gdl.check.undefined_value import check_values, constants, variable_places
from gdl.errors import Span
from gdl.rulesheet import Rule, Rulesheet
from gdl.rulesheet.flow import ArgumentFlow, Place
from gdl.rulesheet.rules import CONNECTIVES
from gdl.syntax import Form, Group, Word, head_and_body, words

_DISTINCT = "distinct"


class _Slip(NamedTuple):
    rule: Rule
    place: Place
    word: Word
    variable: Word


def check_question_marks(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Find constants that look like variables without their `?`, and comparisons of constants."""
    slips = _slips(rulesheet)
    known = {found.span for found in check_values(rulesheet)} if slips else set()
    for slip in slips:
        if slip.word.span not in known:
            meant = as_written(slip.variable)
            message = (
                f"the constant '{slip.word}' occurs only in rules with the variable {meant}; "
                f"did you mean {meant}?"
            )
            yield finding("misspelt", slip.word.span, message, instead=meant)
    explained = {slip.word.span for slip in slips}
    for rule in rulesheet.rules:
        for condition in head_and_body(rule.form)[1]:
            yield from _constant_conditions(condition, rulesheet, explained)


def _slips(rulesheet: Rulesheet) -> list[_Slip]:
    found, others = list[_Slip](), set[str]()
    for rule in rulesheet.rules:
        variables = {_bare(it): it for it in words(rule.form) if it.is_variable}
        head, body = head_and_body(rule.form)
        arguments = {it.span: at for form in (head, *body) for at, it in constants(form, rulesheet)}
        for word in words(rule.form):
            variable, place = variables.get(_bare(word)), arguments.get(word.span)
            if variable is not None and variable.span == word.span:
                continue  # the parser of Epilog made the constant and the variable from one word
            if variable is not None and place is not None:
                found.append(_Slip(rule, place, word, variable))
            elif not word.is_variable:
                others.add(_bare(word))
    found = [slip for slip in found if _bare(slip.word) not in others]
    return _fitting(found, rulesheet) if found else []


def _fitting(found: list[_Slip], rulesheet: Rulesheet) -> list[_Slip]:
    """Return those of the `found` constants that were probably meant to be variables.

    A constant is dropped if it occurs in several rules, and if the variable with its name takes
    other values. An example is the mark `x` in rules in which `?x` is a column.
    """
    rules: dict[str, set[int]] = defaultdict(set)
    for slip in found:
        rules[_bare(slip.word)].add(slip.rule.form.span.start)
    domains = ArgumentFlow(rulesheet.rules).domains()
    domain_of = {place: number for number, one in enumerate(domains) for place in one.places}
    return [
        slip
        for slip in found
        if len(rules[_bare(slip.word)]) == 1
        or slip.place.name == _DISTINCT
        or domain_of[slip.place]
        in {
            domain_of[at]
            for at, it in variable_places(slip.rule)
            if it.name == slip.variable.text.lower()
        }
    ]


def _bare(word: Word) -> str:
    return word.text.lower().removeprefix("?")


def _constant_conditions(
    form: Form, rulesheet: Rulesheet, explained: Collection[Span], *, is_denied: bool = False
) -> Iterator[Diagnostic]:
    """Find conditions that compare two constants.

    Two constants may be meant to be equal, so report an equality only if it looks like a slip.
    """
    if not isinstance(form, Group) or form.head not in CONNECTIVES:
        return
    if form.head != _DISTINCT:
        for item in form.items[1:]:
            denies = is_denied != (form.head == "not")
            yield from _constant_conditions(item, rulesheet, explained, is_denied=denies)
        return
    found = [word for item in form.items[1:] for word in words(item)]
    is_known = any(word.is_variable or word.span in explained for word in found)
    left_right = {str(rulesheet.term(item)) for item in form.items[1:]}
    if is_known or len(left_right) < 2:
        return
    texts = " and ".join(as_written(item) for item in form.items[1:])
    cure = "" if rulesheet.origin.is_epilog else f"; a variable is written ?{found[0]}"
    if not is_denied:
        message = f"{texts} are two constants, so this always holds and says nothing{cure}"
        yield finding("always-holds", form.span, message)
    elif {_bare(word) for word in found} & _all_variables(rulesheet):
        message = f"{texts} are two constants and never the same, so this never holds{cure}"
        yield finding("never-holds", form.span, message)


def _all_variables(rulesheet: Rulesheet) -> set[str]:
    return {_bare(it) for form in rulesheet.forms for it in words(form) if it.is_variable}

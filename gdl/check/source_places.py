"""Places in the source of the parts of a rule: from literals and variables back to words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache

from gdl.errors import Source, Span
from gdl.rulesheet import RESERVED, Literal, Relation, Rule, Rulesheet
from gdl.rulesheet.rules import CONNECTIVES, Spelling
from gdl.syntax import Form, Group, Word, words
from gdl.terms import Compound, Constant, Variable, variables

_VARIABLE = re.compile(r"\?\S+|[^\W\d]\w*")  # of either notation


class Part(Enum):
    """Part of a statement that a symbol stands in."""

    HEAD = auto()
    BODY = auto()
    TERM = auto()


@dataclass(frozen=True, slots=True)
class Use:
    """One place where a symbol is used, as a relation or inside a term."""

    symbol: Relation
    part: Part
    word: Word
    form: Form

    @property
    def args(self) -> tuple[Form, ...]:
        """The arguments as written."""
        return self.form.items[1:] if isinstance(self.form, Group) else ()


@lru_cache(maxsize=1)  # several checks of the same rulesheet ask, one after the other
def uses(rulesheet: Rulesheet) -> tuple[Use, ...]:
    """Every use of every symbol but variables in the statements that mean something, in order."""
    found = [use for rule in rulesheet.rules for use in _uses(rule.form, rulesheet.spelling)]
    return tuple(sorted(found, key=lambda use: use.word.span.start))


def _uses(statement: Form, spelling: Spelling) -> Iterator[Use]:
    spelled = spelling.of
    waiting = [(head_form(statement), Part.HEAD)]
    waiting += [(item, Part.BODY) for item in body_forms(statement)]
    while waiting:
        form, part = waiting.pop()
        if isinstance(form, Word):
            if not form.is_variable:
                yield Use(Relation(spelled(form.text), 0), part, form, form)
            continue
        inner = Part.TERM
        args = form.items[1:]
        if part is Part.BODY and form.head in CONNECTIVES:
            inner = Part.TERM if form.head == "distinct" else Part.BODY
        else:
            word = first_word(form)
            yield Use(Relation(spelled(word.text), len(args)), part, word, form)
        waiting += [(item, inner) for item in args]


def head_form(statement: Form) -> Form:
    """The head of a rule; a fact is its own head."""
    if isinstance(statement, Group) and statement.head == "<=":
        return statement.items[1]
    return statement


def body_forms(statement: Form) -> tuple[Form, ...]:
    """The conditions of a rule as written; a fact has none."""
    if isinstance(statement, Group) and statement.head == "<=":
        return statement.items[2:]
    return ()


def first_word(form: Form) -> Word:
    """The symbol of an expression that has a meaning, so its first item is a word."""
    first = form.items[0] if isinstance(form, Group) else form
    assert isinstance(first, Word)
    return first


def form_at(statement: Form, span: Span) -> Form:
    """The part of a statement with exactly this span; the statement itself if there is none.

    Looks everywhere, as the parts of a translated statement are not in the order of the text.
    """
    waiting = [statement]
    while waiting:
        form = waiting.pop()
        if form.span == span:
            return _denied(form)
        if isinstance(form, Group):
            waiting.extend(reversed(form.items))
    return statement


def _denied(form: Form) -> Form:
    """Form under a `not` that a translation has put at the same place; else the form itself."""
    is_denial = isinstance(form, Group) and form.head == "not" and len(form.items) > 1
    if is_denial and isinstance(form, Group) and form.items[1].span == form.span:
        return form.items[1]
    return form


def written(form: Form) -> str:
    """A form as it stands in the text: `?x` in KIF, and `X` in Epilog.

    What stands nowhere in the text, as a translation has made it, is given in KIF.
    """
    text = " ".join(form.span.source.text[form.span.start : form.span.end].split())
    if isinstance(form, Word) and form.is_variable and not _VARIABLE.fullmatch(text):
        return form.text
    return text or str(form)


def symbol_span(rule: Rule, span: Span) -> Span:
    """The span of the symbol of the literal that has the given span."""
    return first_word(form_at(rule.form, span)).span


def variable_word(variable: Variable, within: Form) -> Word:
    """The first place of a variable in a part of a rule in which it occurs."""
    places = (word for word in words(within) if word.text.lower() == variable.name)
    return next(places, Word(variable.name, within.span))


def argument_forms(rule: Rule, literal: Literal) -> tuple[Form, ...]:
    """The arguments of a literal as written."""
    form = form_at(rule.form, literal.span)
    if isinstance(form, Group) and len(form.items) == len(literal.args) + 1:
        return form.items[1:]
    return (form,) * len(literal.args)


def start(rulesheet: Rulesheet) -> Span:
    """Beginning of a rulesheet, for findings about the whole of it."""
    if not rulesheet.forms:
        return Span(Source(rulesheet.name, ""), 0, 0)
    first = rulesheet.forms[0].span
    return Span(first.source, first.start, first.start + 1)


def keyword_rules(rulesheet: Rulesheet, keyword: str) -> tuple[Rule, ...]:
    """The rules and facts that define a reserved relation."""
    return rulesheet.definitions.get(Relation(keyword, RESERVED[keyword]), ())


def rules_for(rulesheet: Rulesheet, keyword: str, role: Constant) -> tuple[Rule, ...]:
    """The rules of a reserved relation whose first argument may be this role."""
    return tuple(
        rule
        for rule in keyword_rules(rulesheet, keyword)
        if isinstance(rule.head, Compound) and rule.head.args[0] in (role, *variables(rule.head))
    )


def role_place(rulesheet: Rulesheet, role: Constant) -> Span:
    """The fact that names a role."""
    for rule in keyword_rules(rulesheet, "role"):
        if isinstance(rule.head, Compound) and rule.head.args[0] is role:
            return rule.span
    raise AssertionError(role)

"""Constants in conditions where no fact can have them, such as variables without their `?`."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from gdl.check.diagnostic import Diagnostic, finding, first_word, keyword_rules
from gdl.check.likeness import nearest
from gdl.check.roles import check_roles
from gdl.check.undefined import check_facts, check_moves
from gdl.lazy import lazy_property
from gdl.rulesheet import Relation, Rule, Rulesheet
from gdl.rulesheet.flow import ArgumentFlow, Place
from gdl.rulesheet.rules import CONNECTIVES, literals
from gdl.syntax import Form, Group, Word, head_and_body, words
from gdl.terms import Compound, Term, Variable, args_of


class FittingVariables:
    """Index of the variables that fit a place. It analyses the rules on first use."""

    def __init__(self, rulesheet: Rulesheet) -> None:
        self.rulesheet = rulesheet

    @lazy_property
    def _domain_of(self) -> dict[Place, int]:
        domains = ArgumentFlow(self.rulesheet.rules).domains()
        return {place: number for number, one in enumerate(domains) for place in one.places}

    def of(self, variable: Variable, rule: Rule, among: Collection[Variable]) -> list[Variable]:
        """Return the variables in `among` that may replace `variable`, sorted by name."""
        domains: dict[Variable, set[int]] = {}
        for place, found in variable_places(rule):
            domains.setdefault(found, set()).add(self._domain_of[place])
        own = domains.get(variable, set())
        fitting = [other for other in among if own & domains.get(other, set())]
        return sorted(fitting, key=lambda other: other.name)


def variable_places(rule: Rule) -> Iterator[tuple[Place, Variable]]:
    """Yield the variables in the head and the conditions of a rule, with their places."""
    for atom in (rule.head, *(literal.atom for literal in literals(rule.body))):
        yield from _places(atom)


def _places(term: Term) -> Iterator[tuple[Place, Variable]]:
    if not isinstance(term, Compound):
        return
    for number, arg in enumerate(term.args):
        if isinstance(arg, Variable):
            yield Place(term.name, len(term.args), number), arg
        else:
            yield from _places(arg)


_ASKED = (check_facts, check_moves, check_roles)
"""Checks whose findings are not repeated here."""
_MAX_NAMED = 5  # possible values that a message lists


def check_values(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Find constants in conditions that no head or fact can have in that place.

    Ignore the heads of rules that themselves require such a constant. Assume that a variable can
    take every value that is possible in one of its places. So the conditions that are reported
    never hold.
    """
    if rulesheet.origin.builtins:  # built-in relations may make any number
        return
    flow = ArgumentFlow(rulesheet.rules)
    domain_of = {place: number for number, one in enumerate(flow.domains()) for place in one.places}
    made: dict[int, set[str]] = {}
    for domain, name in _made(_needs(rulesheet, domain_of)):
        made.setdefault(domain, set()).add(name)
    known = {found.span for check in _ASKED for found in check(rulesheet)}
    asked = (
        (rule.form, *found)
        for rule in rulesheet.rules
        for condition in head_and_body(rule.form)[1]
        for found in constants(condition, rulesheet)
    )
    begun = {Relation.of(args_of(rule.head)[0]) for rule in keyword_rules(rulesheet, "init")}
    for statement, place, word in asked:
        values = made.get(domain_of[place], set()) if place in domain_of else set()
        if values and _name(word, rulesheet) not in values and word.span not in known:
            fact = Relation(place.name, place.arity)
            lacks_first = fact in rulesheet.fluents and fact not in begun
            first = fact.name if lacks_first else ""
            yield _finding(word, statement, values, first, is_epilog=rulesheet.origin.is_epilog)


_Value = tuple[int, str]  # a domain and a constant in it


class _Need(NamedTuple):
    """Constants in a rule's head, and constants that its conditions require."""

    made: set[_Value]
    asked: set[_Value]


def _needs(rulesheet: Rulesheet, domain_of: dict[Place, int]) -> list[_Need]:
    def values(*forms: Form) -> set[_Value]:
        return {
            (domain_of[place], _name(word, rulesheet))
            for form in forms
            for place, word in constants(form, rulesheet)
            if place in domain_of
        }

    parts = [head_and_body(rule.form) for rule in rulesheet.rules]
    return [
        _Need(
            values(head),
            values(*(it for it in body if isinstance(it, Group) and it.head not in CONNECTIVES)),
        )
        for head, body in parts
    ]


def _made(rules: list[_Need]) -> set[_Value]:
    """Return the constants in the heads of those rules whose required constants are made as well.

    Constants that no head contains are not required.
    """
    possible = set().union(*(rule.made for rule in rules))
    missing = [rule.asked & possible for rule in rules]
    waiting: dict[_Value, list[int]] = {}
    for number, asked in enumerate(missing):
        for value in asked:
            waiting.setdefault(value, []).append(number)
    ready = [number for number, asked in enumerate(missing) if not asked]
    made: set[_Value] = set()
    while ready:
        new = rules[ready.pop()].made - made
        made |= new
        for number in {number for value in new for number in waiting.get(value, ())}:
            missing[number] -= new
            if not missing[number]:
                ready.append(number)
    return made


def _name(word: Word, rulesheet: Rulesheet) -> str:
    return str(rulesheet.term(word))


def constants(form: Form, rulesheet: Rulesheet) -> Iterator[tuple[Place, Word]]:
    """Yield the constants in the arguments of a head or condition, with their places."""
    waiting = [form]
    while waiting:
        form = waiting.pop()
        if not isinstance(form, Group):
            continue
        args = form.items[1:]
        waiting += args
        if form.head in CONNECTIVES and form.head != "distinct":
            continue
        name = rulesheet.spelling.of(first_word(form).text)
        for number, arg in enumerate(args):
            if isinstance(arg, Word) and not arg.is_variable:
                yield Place(name, len(args), number), arg


def _finding(
    word: Word, statement: Form, values: set[str], first: str, *, is_epilog: bool
) -> Diagnostic:
    """Return the finding about a constant that no fact has.

    Args:
        values: The constants that are possible in this place.
        first: The name of the facts if no `init` makes any, else "".
    """
    variables = {one.text.lower() for one in words(statement) if one.is_variable}
    meant, cure = nearest(word.text, values), ""
    if f"?{word.text.lower()}" in variables:
        meant = f"?{word.text}"
    elif word.text[0].isupper() and not is_epilog and not any(it[0].isupper() for it in values):
        meant, cure = f"?{word.text}", f"a variable is written ?{word.text}"
    elif word.text == "_" and not is_epilog:
        meant, cure = "", "a variable is written ?x, and each '_' needs its own: ?x, ?y"
    named = sorted(values)
    more = f" and {len(named) - _MAX_NAMED} more" if len(named) > _MAX_NAMED else ""
    cure = cure or (f"did you mean '{meant}'?" if meant else "")
    if first and not cure:
        cure = f"no 'init' makes a fact '{first}'; write those of the first state"
    cure = cure or f"possible values: {', '.join(named[:_MAX_NAMED])}{more}"
    message = f"nothing has '{word.text}' at this place, so this never holds; {cure}"
    return finding("undefined-value", word.span, message, instead=meant)

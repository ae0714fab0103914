"""Check of rule safety: a condition must bind each variable of a head, `not` and `distinct`.

See "safety" in Love et al., General Game Playing: Game Description Language Specification, 2008.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from gdl.check.demands import fact_asked, fact_made
from gdl.check.diagnostic import (
    Diagnostic,
    as_written,
    finding,
    form_at,
    keyword_rules,
    variable_word,
)
from gdl.check.foreign import computing, summed
from gdl.check.likeness import is_near
from gdl.check.undefined_value import FittingVariables
from gdl.rulesheet import Body, Comparison, Disjunction, Item, Literal, Relation, Rule, Rulesheet
from gdl.rulesheet.rules import item_variables
from gdl.syntax import Form, head_and_body, words
from gdl.terms import Variable, args_of, variables

_ADD = "add a condition that binds it"
_MAX_MEANT = 3  # variables to suggest


def check_safety(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Find variables in heads, `not` and `distinct` that no condition binds."""
    fitting = FittingVariables(rulesheet)
    for rule in rulesheet.rules:
        if any(isinstance(item, Disjunction) and not item.branches for item in rule.body):
            continue  # an empty `or` never holds, so this rule never applies
        bound = bound_variables(rule.body)
        yield from _head(rule, bound, fitting)
        yield from _body(rule, rule.body, bound, fitting)


def bound_variables(body: Body, outer: frozenset[Variable] = frozenset()) -> frozenset[Variable]:
    """Return the variables that a body binds, if the variables in `outer` are already bound.

    A disjunction binds the variables that all of its branches bind. `(not (distinct ...))` is an
    equality, which binds one side if the other is bound.
    """
    bound = outer
    before = None
    while bound != before:  # an equality may depend on another one
        before = bound
        for item in body:
            bound |= _bound_by(item, bound)
    return bound


def _bound_by(item: Item, bound: frozenset[Variable]) -> frozenset[Variable]:
    if isinstance(item, Literal):
        return frozenset(variables(item.atom)) if item.is_positive else frozenset()
    if isinstance(item, Disjunction):
        branches = [bound_variables(branch, bound) for branch in item.branches]
        return frozenset.intersection(*branches) if branches else frozenset()
    left, right = variables(item.left), variables(item.right)
    if item.is_distinct:
        return frozenset()
    return frozenset((right if left <= bound else set()) | (left if right <= bound else set()))


def _head(
    rule: Rule, bound: frozenset[Variable], fitting: FittingVariables
) -> Iterator[Diagnostic]:
    head = head_and_body(rule.form)[0]
    for variable in _sorted(variables(rule.head) - bound):
        word = variable_word(variable, head)
        other = _other_role(rule, variable, fitting.rulesheet)
        meant = bound - _distinct_from(rule.body, variable)
        cure = _cure(rule, variable, head, meant, fitting, other or _ADD)
        if not rule.body:
            yield finding(
                "variable-fact",
                word.span,
                f"a fact cannot have the variable {as_written(word)}; write a constant, or a rule "
                "with a condition that binds it",
            )
        elif not any(variable in item_variables(item) for item in rule.body):
            yield finding(
                "unsafe-head",
                word.span,
                f"variable {as_written(word)} of the head is in no condition; {cure}",
                instead=_near(rule, variable, head, meant),
            )
        else:
            yield finding(
                "unsafe-head",
                word.span,
                f"variable {as_written(word)} of the head is in no positive condition"
                f"{_of_every_branch(rule, variable)}; {cure}",
                instead=_near(rule, variable, head, meant),
            )


def _of_every_branch(rule: Rule, variable: Variable) -> str:
    choices = [item for item in rule.body if isinstance(item, Disjunction)]
    in_some = any(variable in bound_variables(b) for item in choices for b in item.branches)
    return " of every branch of 'or'" if in_some else ""


def _body(
    rule: Rule, body: Body, bound: frozenset[Variable], fitting: FittingVariables
) -> Iterator[Diagnostic]:
    for item in body:
        if isinstance(item, Disjunction):
            for branch in item.branches:
                yield from _body(rule, branch, bound_variables(branch, bound), fitting)
        elif isinstance(item, Comparison):
            if item.is_distinct and item.left == item.right:
                yield finding(
                    "never-holds",
                    item.span,
                    "nothing is distinct from itself, so this condition never holds; compare "
                    "two different terms",
                )
            word = "distinct" if item.is_distinct else "not distinct"
            yield from _unbound(rule, item, bound, fitting, ("unsafe-distinct", f"'{word}'"))
        elif not item.is_positive:
            yield from _unbound(rule, item, bound, fitting, ("unsafe-not", "'not'"))


def _unbound(
    rule: Rule,
    item: Literal | Comparison,
    bound: frozenset[Variable],
    fitting: FittingVariables,
    what: tuple[str, str],
) -> Iterator[Diagnostic]:
    code, keyword = what
    missing = item_variables(item) - bound - variables(rule.head)  # another finding covers the head
    for variable in _sorted(missing):
        form = form_at(rule.form, item.span)
        word = variable_word(variable, form)
        meant = bound - _distinct_from(rule.body, variable)
        yield finding(
            code,
            word.span,
            f"variable {as_written(word)} under {keyword} is in no positive condition; "
            f"{_cure(rule, variable, form, meant, fitting)}"
            f"{_none_at_all(rule, item, bound) if _is_plain(as_written(word)) else ''}",
            instead=_near(rule, variable, form, meant),
        )


def _distinct_from(body: Body, variable: Variable) -> set[Variable]:
    """Return the variables that a `distinct` condition separates from this one."""
    found: set[Variable] = set()
    for item in body:
        if isinstance(item, Disjunction):
            found = found.union(*(_distinct_from(branch, variable) for branch in item.branches))
        elif isinstance(item, Comparison) and item.is_distinct:
            both = variables(item.left) | variables(item.right)
            found |= both - {variable} if variable in both else set()
    return found


def _near(rule: Rule, variable: Variable, form: Form, bound: frozenset[Variable]) -> str:
    """Return a bound variable with a similar name, as written, unless `form` contains it."""
    if summed(variable.name):
        return ""
    beside = {word.text.lower() for word in words(form)}
    name = variable.name.removeprefix("?")
    near = [
        other
        for other in _sorted(bound)
        if other.name not in beside and is_near(name, other.name.removeprefix("?"))
    ]
    return as_written(variable_word(near[0], rule.form)) if near else ""


def _cure(
    rule: Rule,
    variable: Variable,
    form: Form,
    bound: frozenset[Variable],
    fitting: FittingVariables,
    add: str = _ADD,
) -> str:
    """Return advice: a condition to add, another variable to use, or how GDL expresses `?n+1`."""
    if number := summed(variable.name):
        return computing(number)
    return f"{add}{_meant(rule, variable, form, bound, fitting)}"


def _is_plain(variable: str) -> bool:
    return variable.startswith("?") and not summed(variable)


def _meant(
    rule: Rule,
    variable: Variable,
    form: Form,
    bound: frozenset[Variable],
    fitting: FittingVariables,
) -> str:
    """Return a question about the variable that may be meant: similar, unused or fitting."""
    if near := _near(rule, variable, form, bound):
        return f" (or is {near} meant?)"
    counts = Counter(word.text.lower() for word in words(rule.form))
    once = [variable for variable in _sorted(bound) if counts[variable.name] == 1]
    names = [as_written(variable_word(variable, rule.form)) for variable in once]
    names = [name for name in names if name != "_"]  # anonymous in Epilog
    if len(names) == 1:
        return f" (or is {names[0]} meant, which occurs only once?)"
    beside = {word.text.lower() for word in words(form)}
    others = fitting.of(variable, rule, [one for one in bound if one.name not in beside])
    if not 0 < len(others) <= _MAX_MEANT:
        return ""
    names = [as_written(variable_word(variable, rule.form)) for variable in others]
    return f" (or is {' or '.join(names)} meant, which may stand here?)"


def _other_role(rule: Rule, variable: Variable, rulesheet: Rulesheet) -> str:
    """Return advice on how to bind the other of two roles, or "" if the rule is not about roles."""
    fact = fact_made(rule)
    if fact is None or len(rulesheet.roles) != 2 or rulesheet.origin.is_epilog:
        return ""
    made = args_of(args_of(rule.head)[0])
    place = made.index(variable) if variable in made else -1
    begun = [args_of(rule.head)[0] for rule in keyword_rules(rulesheet, "init")]
    first = {args_of(it)[place] for it in begun if Relation.of(it) == fact}
    had = [args_of(it.args[0])[place] for it in _positive(rule.body) if fact_asked(it) == fact]
    is_of_role = place >= 0 and first and first <= set(rulesheet.roles)
    if not is_of_role or len(had) != 1 or not isinstance(had[0], Variable) or had[0] is variable:
        return ""
    if any(variable in item_variables(item) for item in rule.body):
        return ""
    old, new = (as_written(variable_word(it, rule.form)) for it in (had[0], variable))
    return f"for the other role add (role {new}) (distinct {old} {new})"


def _positive(body: Body) -> list[Literal]:
    return [item for item in body if isinstance(item, Literal) and item.is_positive]


def _none_at_all(rule: Rule, item: Literal | Comparison, bound: frozenset[Variable]) -> str:
    """Return how to require that no such fact exists for any value, or "" if that is not meant."""
    if isinstance(item, Comparison):
        return ""
    fact = args_of(item.atom)[0] if item.relation == ("true", 1) else item.atom
    missing = item_variables(item) - bound
    elsewhere = (variables(rule.head), *(item_variables(x) for x in rule.body if x is not item))
    if isinstance(fact, Variable) or any(missing & found for found in elsewhere):
        return ""  # other occurrences need the same value
    known = " ".join(variable.name for variable in _sorted(item_variables(item) & bound))
    name = f"any_{Relation.of(fact).name}"
    helper = f"({name} {known})" if known else name
    return (
        f"; or, to require that none exists, write (<= {helper} {item.atom}) and here "
        f"(not {helper})"
    )


def _sorted(found: set[Variable] | frozenset[Variable]) -> list[Variable]:
    return sorted(found, key=lambda variable: variable.name)

"""Checks of single statements: their text, symbols, numbers of arguments and variables.

Love et al., General Game Playing: Game Description Language Specification, 2008, rule safety.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from gdl.check.diagnostic import (
    Diagnostic,
    Part,
    Use,
    as_written,
    finding,
    form_at,
    uses,
    variable_word,
)
from gdl.rulesheet import (
    KEYWORDS,
    RESERVED,
    Body,
    Comparison,
    Disjunction,
    Item,
    Literal,
    Relation,
    Rule,
    Rulesheet,
)
from gdl.rulesheet.rules import CONNECTIVES, item_variables
from gdl.syntax import Form, Group, Word, head_and_body, words
from gdl.terms import Variable, args_of, variables

_COMMENTS = ("//", "/*", "#", "%", "--")  # of other languages
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
                f"the word '{rule.form}' is a statement of its own; expected "
                + (
                    "';' before a comment"
                    if rule.form.text.startswith(_COMMENTS)
                    else "a rule or a fact in parentheses"
                ),
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
        body = head_and_body(rule.form)[1]
        if isinstance(rule.form, Group) and rule.form.head == "<=" and not body:
            yield finding(
                "empty-body",
                rule.form.items[0].span,
                "this rule has no condition; write a fact without '<='",
            )
        for form in body:
            yield from _connectives(form)
    for use in uses(rulesheet):
        if isinstance(use.form, Group) and not use.args:
            kind = "constant" if use.part is Part.TERM else "proposition"
            message = (
                f"the {kind} '{use.word}' stands in parentheses; write {use.word} without them"
            )
            yield finding("needless-parentheses", use.form.span, message)


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


HEADS_ONLY = {
    "init": "ask for it with 'true' instead",
    "next": "conditions know the present state only, see 'true'",
    "base": "define a relation of your own for both",
    "input": "define a relation of your own for both",
    "sees": "percepts are for players, the rules see 'does'",
}


def check_arities(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Keywords, relations and functions with a wrong or an unusual number of arguments."""
    relations: list[Use] = []
    functions: list[Use] = []
    given = RESERVED.keys() | rulesheet.origin.given  # of their arguments others know more
    for use in uses(rulesheet):
        if use.part is not Part.TERM:
            (relations if use.symbol.name not in given else []).append(use)
            yield from _keyword_arity(use)
        elif use.args:
            functions.append(use)
    yield from _clashes(relations, "relation")
    yield from _clashes(functions, "function")


def _keyword_arity(use: Use) -> Iterator[Diagnostic]:
    name, arity = use.symbol
    expected = RESERVED.get(name, arity)
    if arity != expected:
        yield finding(
            "keyword-arity", use.word.span, f"'{name}' takes {_arguments(expected)}, got {arity}"
        )


def _arguments(count: int) -> str:
    words = {0: "no argument", 1: "one argument"}
    return words.get(count, f"{count} arguments")


def _clashes(found: Iterable[Use], kind: str) -> Iterator[Diagnostic]:
    by_name: dict[str, dict[int, list[Use]]] = {}
    for use in found:
        by_name.setdefault(use.symbol.name, {}).setdefault(use.symbol.arity, []).append(use)
    for name, by_arity in by_name.items():
        usual = max(by_arity, key=lambda arity: len(by_arity[arity]))
        for arity, places in by_arity.items():
            if arity != usual:
                first = min(places, key=lambda use: use.word.span.start)
                yield finding(
                    "arity-clash",
                    first.word.span,
                    f"{kind} '{name}' has {_arguments(arity)} here and {usual} "
                    f"in line {by_arity[usual][0].word.span.line}; they are not the same {kind}",
                )


def check_keywords(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Keywords where they cannot stand: in heads, in terms, and in bodies the first of each."""
    lines: dict[str, list[int]] = defaultdict(list)
    for use in uses(rulesheet):
        if use.part is Part.BODY and use.symbol.name in HEADS_ONLY:
            lines[use.symbol.name].append(use.word.span.line)
    for use in uses(rulesheet):
        name = use.symbol.name
        if use.part is Part.HEAD and name in ("true", "does"):
            right = "'init' and 'next' define the states" if name == "true" else "the players move"
            yield finding(
                "keyword-head", use.word.span, f"'{name}' cannot be defined by a rule; {right}"
            )
        elif use.part is Part.BODY and name in lines:
            others = ", ".join(map(str, lines.pop(name)[1:]))
            also = f" (also on line {others})" if others else ""
            yield finding(
                "keyword-body",
                use.word.span,
                f"'{name}' stands in heads only{also}; {HEADS_ONLY[name]}",
                instead="true" if name == "init" else "",
            )
        elif use.part is Part.TERM and use.args and name in KEYWORDS:
            yield finding(
                "keyword-term",
                use.word.span,
                f"the keyword '{name}' is a mere function symbol inside a term; "
                "take it out or rename it",
            )


_ADD = "add a condition that binds it"


def check_safety(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Variables of heads, of `not` and of `distinct` that no condition binds."""
    for rule in rulesheet.rules:
        if any(isinstance(item, Disjunction) and not item.branches for item in rule.body):
            continue  # an empty `or` never holds, so nothing in this rule needs a value
        bound = bound_variables(rule.body)
        yield from _head(rule, bound)
        yield from _body(rule, rule.body, bound)


def bound_variables(body: Body, outer: frozenset[Variable] = frozenset()) -> frozenset[Variable]:
    """The variables that have a value wherever a body holds, given those bound outside.

    A disjunction binds what each of its branches binds. An equality, which `(not (distinct ...))`
    is, binds one side if the other one is bound.
    """
    bound = outer
    before = None
    while bound != before:  # an equality may wait for another one
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


def _head(rule: Rule, bound: frozenset[Variable]) -> Iterator[Diagnostic]:
    head = head_and_body(rule.form)[0]
    for variable in _sorted(variables(rule.head) - bound):
        word = variable_word(variable, head)
        if not rule.body:
            yield finding(
                "variable-fact",
                word.span,
                f"a fact cannot have the variable {word}; write a constant, or a rule with "
                "a condition that binds it",
            )
        elif not any(variable in item_variables(item) for item in rule.body):
            yield finding(
                "unsafe-head",
                word.span,
                f"variable {as_written(word)} of the head is in no condition; {_ADD}",
            )
        else:
            yield finding(
                "unsafe-head",
                word.span,
                f"variable {as_written(word)} of the head is in no positive condition"
                f"{_of_every_branch(rule, variable)}; {_ADD}",
            )


def _of_every_branch(rule: Rule, variable: Variable) -> str:
    choices = [item for item in rule.body if isinstance(item, Disjunction)]
    in_some = any(variable in bound_variables(b) for item in choices for b in item.branches)
    return " of every branch of 'or'" if in_some else ""


def _body(rule: Rule, body: Body, bound: frozenset[Variable]) -> Iterator[Diagnostic]:
    for item in body:
        if isinstance(item, Disjunction):
            for branch in item.branches:
                yield from _body(rule, branch, bound_variables(branch, bound))
        elif isinstance(item, Comparison):
            word = "distinct" if item.is_distinct else "not distinct"
            yield from _unbound(rule, item, bound, ("unsafe-distinct", f"'{word}'"))
        elif not item.is_positive:
            yield from _unbound(rule, item, bound, ("unsafe-not", "'not'"))


def _unbound(
    rule: Rule, item: Literal | Comparison, bound: frozenset[Variable], what: tuple[str, str]
) -> Iterator[Diagnostic]:
    code, keyword = what
    missing = item_variables(item) - bound - variables(rule.head)  # that is said of the head
    for variable in _sorted(missing):
        word = variable_word(variable, form_at(rule.form, item.span))
        yield finding(
            code,
            word.span,
            f"variable {as_written(word)} under {keyword} is in no positive condition; "
            f"{_ADD}{_none_at_all(rule, item, bound) if as_written(word).startswith('?') else ''}",
        )


def _none_at_all(rule: Rule, item: Literal | Comparison, bound: frozenset[Variable]) -> str:
    """The way to say that there is no such fact for any value; empty if that cannot be meant."""
    if isinstance(item, Comparison):
        return ""
    fact = args_of(item.atom)[0] if item.relation == ("true", 1) else item.atom
    missing = item_variables(item) - bound
    elsewhere = (variables(rule.head), *(item_variables(x) for x in rule.body if x is not item))
    if isinstance(fact, Variable) or any(missing & found for found in elsewhere):
        return ""  # the other places need the same value
    known = " ".join(variable.name for variable in _sorted(item_variables(item) & bound))
    name = f"any_{Relation.of(fact).name}"
    helper = f"({name} {known})" if known else name
    return (
        f"; or for 'there is none at all' write (<= {helper} {item.atom}) and here (not {helper})"
    )


def _sorted(found: set[Variable] | frozenset[Variable]) -> list[Variable]:
    return sorted(found, key=lambda variable: variable.name)

"""Checks of single statements: spelling, number of arguments, and misplaced keywords."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from gdl.check.diagnostic import (
    Diagnostic,
    Part,
    Use,
    finding,
    uses,
)
from gdl.check.foreign import comment, inverted, statement_meant, statements_meant
from gdl.errors import RulesheetError
from gdl.rulesheet import (
    KEYWORDS,
    RESERVED,
    Rulesheet,
)
from gdl.rulesheet.infix import RULE
from gdl.rulesheet.rules import CONNECTIVES
from gdl.syntax import Form, Group, Word, head_and_body, words

_END = "(<= terminal CONDITION ...)"
_END_IN_EPILOG = "terminal :- CONDITION"
_MAX_LINES = 5  # limit on the lines that a message lists
_VARIABLE = re.compile(r"(?<![^\s(])\?[^\s()]*")


def check_statements(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Report statements without meaning, remarks of the parser, and single words as statements."""
    for code, span, message in rulesheet.origin.remarks:
        yield finding(code, span, message)
    infix = {rule.span for rule in rulesheet.infix_rules.rules}  # see `check_infix_rules`
    for problem in rulesheet.problems:
        if problem.span in infix:
            continue
        yield _without_meaning(problem, rulesheet)
    asked = {use.symbol for use in uses(rulesheet) if use.part is Part.BODY}
    for rule in rulesheet.rules:
        if rule.is_fact and rule.relation == ("terminal", 0):
            yield finding(
                "bare-word",
                rule.span,
                "'terminal' without a condition ends each game before its first move; expected "
                f"a rule {_END_IN_EPILOG if rulesheet.origin.is_epilog else _END}",
            )
        elif isinstance(rule.form, Word) and rule.relation not in asked:
            yield _bare(rule.form, is_epilog=rulesheet.origin.is_epilog)


def _bare(word: Word, *, is_epilog: bool) -> Diagnostic:
    meant = comment(word)
    expected = "';' before a comment" if meant else f"a fact (NAME ARGUMENT ...), or a rule {RULE}"
    if is_epilog and not meant:
        expected = "a rule or a fact with arguments"
    message = f"the word '{word}' is a statement of its own; expected {expected}"
    return finding("bare-word", word.span, message, instead=meant)


def _without_meaning(problem: RulesheetError, rulesheet: Rulesheet) -> Diagnostic:
    assert problem.span is not None
    found = statement_meant(problem, rulesheet)
    if found is None:
        return finding("statement", problem.span, problem.message)
    message = f"{problem.message}; {found.hint}"
    return finding("statement", found.span or problem.span, message, instead=found.instead)


def check_duplicates(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Find statements that are the same apart from the names of their variables."""
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
    """Find symbols that differ only in case. The rarer spelling counts as the mistake.

    Compare variables within each statement, and all other symbols within the rulesheet.
    """
    symbols: list[Word] = []
    variables: list[list[Word]] = []
    for form in rulesheet.forms:
        if rulesheet.infix_rules.around(form) is not None:
            continue  # its variables have no '?'
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
    """Report statements that are accepted although they break the specification."""
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
    yield from _parentheses(rulesheet)


def _parentheses(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Report parentheses around single symbols, once for each symbol."""
    ends = {it.form.span for it in rulesheet.rules if it.is_fact and it.relation.name == "terminal"}
    found: dict[tuple[str, str], list[Use]] = defaultdict(list)
    for use in uses(rulesheet):
        if isinstance(use.form, Group) and not use.args and use.form.span not in ends:
            kind = "constant" if use.part is Part.TERM else "proposition"
            found[kind, use.word.text].append(use)
    for (kind, name), (first, *others) in found.items():
        yield finding(
            "needless-parentheses",
            first.form.span,
            f"the {kind} '{name}' stands in parentheses{_also_in(others)}; write {name} without "
            "them",
        )


def _also_in(others: list[Use]) -> str:
    if not others:
        return ""
    lines = sorted({use.word.span.line for use in others})
    named = ", ".join(map(str, lines[:_MAX_LINES]))
    more = f" and {len(lines) - _MAX_LINES} more" if len(lines) > _MAX_LINES else ""
    return f" (also on line {named}{more})"


def _connectives(form: Form) -> Iterator[Diagnostic]:
    if not isinstance(form, Group) or form.head not in CONNECTIVES or form.head == "distinct":
        return
    span = form.items[0].span
    if form.head == "or" and len(form.items) == 1:
        yield finding(
            "empty-or",
            span,
            "this 'or' has no branch, so it never holds; write at least one condition inside it",
        )
    inner = form.items[1] if len(form.items) > 1 else None
    if form.head == "not" and isinstance(inner, Group) and inner.head in CONNECTIVES:
        yield finding(
            "wide-not",
            span,
            f"'not' stands before '{inner.head}'; the specification allows it only before "
            "relations",
        )
    for item in form.items[1:]:
        yield from _connectives(item)


HEADS_ONLY = {
    "init": "ask for it with 'true' instead",
    "next": "conditions can only see the present state, with 'true'",
    "base": "define a relation of your own, and use it here and in the rule for 'base'",
    "input": "define a relation of your own, and use it here and in the rule for 'input'",
    "sees": "percepts are for players, and rules use 'does' instead",
}


def check_arities(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Find keywords, relations and functions with a wrong or an unusual number of arguments."""
    relations: list[Use] = []
    functions: list[Use] = []
    given = RESERVED.keys() | rulesheet.origin.given  # their arguments are checked elsewhere
    for use in uses(rulesheet):
        if use.part is not Part.TERM:
            (relations if use.symbol.name not in given else []).append(use)
            yield from _keyword_arity(use, rulesheet)
        elif use.args:
            functions.append(use)
    yield from _clashes(relations, "relation")
    yield from _clashes(functions, "function")


def _keyword_arity(use: Use, rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    name, arity = use.symbol
    expected = RESERVED.get(name, arity)
    if arity != expected:
        found = statements_meant(use, rulesheet) if use.part is Part.HEAD else None
        message = f"'{name}' takes {_arguments(expected)}, got {arity}"
        if found is None:
            yield finding("keyword-arity", use.word.span, message)
        else:
            message = f"{message}; {found.hint}"
            yield finding("keyword-arity", found.span or use.word.span, message, found.instead)


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
                    f"on line {by_arity[usual][0].word.span.line}; these are two different {kind}s",
                )


def check_keywords(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Find keywords where they are forbidden. In bodies, report only the first use of each."""
    lines: dict[str, list[int]] = defaultdict(list)
    for use in uses(rulesheet):
        if use.part is Part.BODY and use.symbol.name in HEADS_ONLY:
            lines[use.symbol.name].append(use.word.span.line)
    for use in uses(rulesheet):
        name = use.symbol.name
        outside = inverted(use) if use.part is Part.BODY else None
        if outside is not None:
            message = f"'not' is only a function symbol inside a term; {outside.hint}"
            yield finding("keyword-term", outside.span or use.form.span, message, outside.instead)
        elif use.part is Part.HEAD and name in ("true", "does"):
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
                f"'{name}' may only be used in the head of a rule{also}; {HEADS_ONLY[name]}",
                instead="true" if name == "init" else "",
            )
        elif use.part is Part.TERM and use.args and name in KEYWORDS:
            yield finding(
                "keyword-term",
                use.word.span,
                f"inside a term, the keyword '{name}' is an ordinary function symbol; "
                "take it out of the term or rename it",
            )

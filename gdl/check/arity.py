"""Numbers of arguments, and keywords where they cannot stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gdl.check.diagnostic import Diagnostic, finding
from gdl.check.source_places import Part, Use, uses
from gdl.rulesheet import KEYWORDS, RESERVED, Rulesheet

_HEADS_ONLY = {
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
            "keyword-arity",
            use.word.span,
            f"'{name}' takes {_arguments(expected)}, got {arity}",
        )


def _arguments(count: int) -> str:
    words = {0: "no argument", 1: "one argument"}
    return words.get(count, f"{count} arguments")


def _clashes(found: Iterable[Use], kind: str) -> Iterator[Diagnostic]:
    """One finding for each number of arguments beside the most usual one of a symbol."""
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
    """Keywords in heads, bodies and terms in which they cannot stand."""
    for use in uses(rulesheet):
        name = use.symbol.name
        if use.part is Part.HEAD and name in ("true", "does"):
            right = "'init' and 'next' define the states" if name == "true" else "the players move"
            yield finding(
                "keyword-head", use.word.span, f"'{name}' cannot be defined by a rule; {right}"
            )
        elif use.part is Part.BODY and name in _HEADS_ONLY:
            yield finding(
                "keyword-body",
                use.word.span,
                f"'{name}' stands in heads only; {_HEADS_ONLY[name]}",
                instead="true" if name == "init" else "",
            )
        elif use.part is Part.TERM and use.args and name in KEYWORDS:
            yield finding(
                "keyword-term",
                use.word.span,
                f"the keyword '{name}' is a mere function symbol inside a term; "
                "take it out or rename it",
            )

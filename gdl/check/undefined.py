"""Checks for undefined and unused names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from gdl.check.diagnostic import (
    Diagnostic,
    Part,
    Use,
    as_written,
    finding,
    first_word,
    head_span,
    keyword_rules,
    uses,
)
from gdl.check.foreign import Meaning, condition_meant, opposite_meant
from gdl.check.likeness import nearest
from gdl.check.misspelt_keyword import missing_keywords, roots
from gdl.rulesheet import KEYWORDS, RESERVED, Origin, Relation, Rulesheet
from gdl.terms import Compound, Variable

_GIVEN = ("true", "does")  # defined by the state and by the players
_MAX_HINTS = 50  # a search for similar names is slow, and rulesheets are untrusted


def check_undefined(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Find relations in conditions that have no rule, each at its first use."""
    known = rulesheet.definitions.keys()
    origin = rulesheet.origin
    fluents = {symbol for symbol in rulesheet.fluents if symbol is not None}
    names = {relation.name for relation in known} - origin.generated | origin.builtins.keys()
    names |= {fluent.name for fluent in fluents} if origin.is_sequential else set()
    reported: set[Relation] = set()
    for use in uses(rulesheet):
        symbol = use.symbol
        if use.part is not Part.BODY or symbol in known or symbol in reported:
            continue
        if symbol.name in _GIVEN or RESERVED.get(symbol.name, symbol.arity) != symbol.arity:
            continue  # `check_arities` reports a wrong number of arguments
        if symbol.name in origin.generated or _is_builtin(symbol, origin):
            continue  # it has facts once its arguments have values, so the fault is elsewhere
        reported.add(symbol)
        known_names = names if len(reported) <= _MAX_HINTS else set()
        hint, meant, span = _undefined(use, rulesheet, fluents, known_names)
        yield finding("undefined", span or use.word.span, hint, instead=meant)


def _is_builtin(symbol: Relation, origin: Origin) -> bool:
    return origin.builtins.get(symbol.name, "").startswith(f"{symbol.arity} ")


def _undefined(
    use: Use, rulesheet: Rulesheet, fluents: set[Relation], names: Iterable[str]
) -> Meaning:
    name, arity = use.symbol
    expected = rulesheet.origin.builtins.get(name)
    same = [relation for relation in rulesheet.definitions if relation.name == name]
    if expected and all(_is_builtin(relation, rulesheet.origin) for relation in same):
        return Meaning(f"the built-in relation '{name}' takes {expected}, got {arity}")
    found = _meaning(use, rulesheet, fluents, names)
    message = f"nothing defines '{name}' with {arity} argument(s), so it never holds; {found.hint}"
    return found._replace(hint=message)


def _meaning(
    use: Use, rulesheet: Rulesheet, fluents: set[Relation], names: Iterable[str]
) -> Meaning:
    symbol = use.symbol
    if symbol in fluents:
        return Meaning(_asked(use, rulesheet))
    if symbol in _moves(rulesheet):
        return Meaning(f"ask for a move with {_does(use, rulesheet)}")
    if foreign := condition_meant(use, rulesheet):
        return foreign
    known = rulesheet.definitions.keys()
    arities = sorted(relation.arity for relation in known if relation.name == symbol.name)
    arities = arities or sorted(fact.arity for fact in fluents if fact.name == symbol.name)
    if arities:
        return Meaning(f"it is defined with {' or '.join(map(str, arities))}")
    fitting = {relation.name for relation in known if relation.arity == symbol.arity}
    meant = nearest(symbol.name, fitting.intersection(names), {*names, *KEYWORDS})
    if meant:
        return Meaning(f"did you mean '{meant}'?", meant)
    return opposite_meant(use, rulesheet) or Meaning("define it")


def _does(use: Use, rulesheet: Rulesheet) -> str:
    if rulesheet.origin.is_epilog:
        return f"does(ROLE,{as_written(use.form)})"
    return f"(does ROLE {use.form})"


def _asked(use: Use, rulesheet: Rulesheet) -> str:
    if not rulesheet.origin.is_epilog:
        return f"ask for a fact of the state with (true {use.form})"
    return (
        f"ask for a fact of the state with true({as_written(use.form)}); plain facts are for "
        "sequential games, which need at least one operation '::'"
    )


def check_facts(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Find facts that conditions ask for with `true` but no `init` or `next` makes."""
    yield from _never(rulesheet, ("true", 0), rulesheet.fluents, "undefined-fact")


def check_moves(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Find moves that conditions ask for with `does` but no `legal` allows."""
    yield from _never(rulesheet, ("does", 1), _moves(rulesheet), "undefined-move")


def _moves(rulesheet: Rulesheet) -> set[Relation | None]:
    """Return the symbols of the moves that `legal` allows. None in the set stands for any move."""
    heads = [rule.head for rule in keyword_rules(rulesheet, "legal")]
    moves = [head.args[1] for head in heads if isinstance(head, Compound)]
    return {None if isinstance(move, Variable) else Relation.of(move) for move in moves}


def _never(
    rulesheet: Rulesheet, asked: tuple[str, int], known: Collection[Relation | None], code: str
) -> Iterator[Diagnostic]:
    keyword, index = asked
    if None in known:
        return
    names = {symbol.name for symbol in known if symbol is not None}
    reported: set[Relation] = set()
    for use in uses(rulesheet):
        if use.symbol.name != keyword or len(use.args) != RESERVED[keyword]:
            continue
        wanted = rulesheet.term(use.args[index])
        if isinstance(wanted, Variable):
            continue
        symbol = Relation.of(wanted)
        if symbol in known or symbol in reported:
            continue
        reported.add(symbol)
        known_names = names if len(reported) <= _MAX_HINTS else set()
        fitting = {other.name for other in known if other and other.arity == symbol.arity}
        is_known = symbol.name in names
        meant = "" if is_known else nearest(symbol.name, fitting & known_names, known_names)
        message = _message(symbol, meant, keyword, exists=symbol.name in known_names)
        yield finding(code, first_word(use.args[index]).span, message, instead=meant)


def _message(symbol: Relation, meant: str, keyword: str, *, exists: bool) -> str:
    hint = f"; did you mean '{meant}'?" if meant else ""
    if exists:
        hint = "; it exists with another number of arguments"
    if keyword == "true":
        return f"no 'init' or 'next' makes a fact '{symbol}', so it never holds{hint}"
    return f"no 'legal' allows a move '{symbol}', so no role ever makes it{hint}"


def check_unused(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Find relations that are defined although no keyword depends on them.

    Leave out relations that only unused relations use, and those that a misspelt condition was
    meant to use, because other findings cover them.
    """
    needed = rulesheet.graph.reachable(roots(rulesheet))
    otherwise = "correct or add the condition that should use it, or remove it"
    if missing := missing_keywords(rulesheet):
        otherwise = f"the missing rules for '{missing[0]}' may need it"
    misspelt = {wrong.instead for wrong in check_undefined(rulesheet)}
    explained: set[Relation] = set()
    for component in reversed(rulesheet.graph.components):
        for relation in component:
            rules = rulesheet.definitions.get(relation, ())
            if not rules or relation in needed or relation.name in rulesheet.origin.given:
                continue
            if relation not in explained and relation.name not in misspelt:
                used = {it.name for it in needed if it.arity == relation.arity} - KEYWORDS
                meant = nearest(relation.name, used) if len(rules) == 1 else ""
                cure = f"did you mean '{meant}'?" if meant else otherwise
                message = f"relation '{relation.name}' is not used; {cure}"
                yield finding("unused", head_span(rules[0]), message)
            explained |= rulesheet.graph.reachable([relation])

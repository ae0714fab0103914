"""Facts that stay although another fact takes their place, because no rule excepts them.

In the first state each square of a board has one mark, and many have the same. A rule that keeps
marks whatever is played leaves a marked square blank as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise

from gdl.check.asking import fact_asked, keeps, made_by
from gdl.check.diagnostic import Diagnostic, finding, head_span, keyword_rules, term_text
from gdl.check.keeping import StepLog, moment, ordinals
from gdl.check.losses import Facts, Key, Step, keys_of, value_of
from gdl.rulesheet import Comparison, DependsOn, Literal, Relation, Rule, Rulesheet
from gdl.rulesheet.rules import literals
from gdl.terms import Term, Variable, args_of, substitute


def check_doubling(rulesheet: Rulesheet, log: StepLog) -> Iterator[Diagnostic]:
    """Find, for each symbol, the first step after which a replaced fact still holds."""
    games = [game for game in log.games if game]
    keeping = {
        symbol: rule
        for rule in keyword_rules(rulesheet, "next")
        if _keeps_always(rule, rulesheet)
        for symbol in _symbols_kept(rule, rulesheet)
    }
    for symbol, rule in keeping.items() if games else ():
        key = distinct_places(symbol, games[0][0].facts)
        steps = (step for game in games for step in game)
        found = next((both for step in steps if key and (both := _both(symbol, key, step))), None)
        if not key or not found or _is_level_above(rulesheet, *found[1:]):
            continue
        if not _are_several_meant(rulesheet, symbol, key):
            yield _finding(rulesheet, rule, key, *found)


def _symbols_kept(rule: Rule, rulesheet: Rulesheet) -> list[Relation]:
    fact = made_by(rule)
    if isinstance(fact, Variable):  # it keeps all facts
        return sorted(symbol for symbol in rulesheet.fluents if symbol is not None)
    return [Relation.of(fact)]


def _keeps_always(rule: Rule, rulesheet: Rulesheet) -> bool:
    """Return whether a rule keeps facts with any values, whatever is played and whatever holds."""
    dependence = rulesheet.graph.dependence
    has_value = any(not isinstance(arg, Variable) for arg in args_of(made_by(rule)))
    return (
        keeps(rule)
        and not has_value
        and all(
            isinstance(item, Comparison)
            or (
                isinstance(item, Literal)
                and item.is_positive
                and dependence(item.relation) is not DependsOn.MOVES
            )
            for item in rule.body
        )
    )


def distinct_places(symbol: Relation, facts: Facts) -> Key | None:
    """Return the arguments that identify the first facts, if many facts agree in the others."""
    first = [fact for fact in facts if Relation.of(fact) == symbol]
    keys = keys_of(symbol.arity, [first])
    if len(first) < 2 or len(keys) != 1 or not keys[0]:
        return None
    rest = tuple(place for place in range(symbol.arity) if place not in keys[0])
    counts = Counter(value_of(fact, rest) for fact in first)
    return keys[0] if rest and max(counts.values()) > 1 else None


def _is_level_above(rulesheet: Rulesheet, kept: Term, new: Term) -> bool:
    """Return whether an argument of the new fact follows that of the kept one.

    The facts have three or more arguments. They describe a pile: `(stack a 1 red)` and `(stack a 2
    blue)`.
    """
    pairs = [
        (str(one), str(other))
        for one, other in zip(args_of(kept), args_of(new), strict=True)
        if one is not other
    ]
    if len(args_of(new)) <= 2 or len(pairs) == len(args_of(new)):
        return False
    facts = [tuple(map(str, args_of(rule.head))) for rule in rulesheet.rules if rule.is_fact]
    following = {pair for fact in facts for pair in pairwise(fact)}
    return any(
        (one.isdecimal() and other.isdecimal() and abs(int(one) - int(other)) == 1)
        or (one, other) in following
        or (other, one) in following
        for one, other in pairs
    )


def _are_several_meant(rulesheet: Rulesheet, symbol: Relation, key: Key) -> bool:
    """Return whether a rule reads two facts in one place, or one fact and the absence of another.

    Such rules find the top of a stack, or the last of several counts.
    """
    for rule in rulesheet.rules:
        if rule.relation == ("next", 1) and keeps(rule):
            continue
        asked = [
            (fact, literal.is_positive)
            for literal in literals(rule.body)
            for fact in _facts_asked(rulesheet, symbol, literal)
        ]
        for (one, holds), (other, also_holds) in combinations(asked, 2):
            is_same_place = value_of(one, key) == value_of(other, key)
            if is_same_place and one is not other and (holds or also_holds):
                return True
    return False


def _facts_asked(rulesheet: Rulesheet, symbol: Relation, literal: Literal) -> list[Term]:
    """Return the facts of a symbol that a condition reads, directly or by its relation's rules."""
    if fact_asked(literal) == symbol:
        return [literal.args[0]]
    found = []
    for rule in rulesheet.definitions.get(literal.relation, ()):
        given = zip(args_of(rule.head), literal.args, strict=True)
        values = {arg: value for arg, value in given if isinstance(arg, Variable)}
        found += [
            substitute(inner.args[0], values)
            for inner in literals(rule.body)
            if inner.is_positive and fact_asked(inner) == symbol
        ]
    return found


def _both(symbol: Relation, key: Key, step: Step) -> tuple[Step, Term, Term] | None:
    kept = {
        value_of(fact, key): fact for fact in step.facts & step.after if Relation.of(fact) == symbol
    }
    new = (it for it in step.after - step.facts if Relation.of(it) == symbol)
    found = sorted((it for it in new if value_of(it, key) in kept), key=str)
    return (step, kept[value_of(found[0], key)], found[0]) if found else None


def _finding(
    rulesheet: Rulesheet, rule: Rule, key: Key, step: Step, kept: Term, new: Term
) -> Diagnostic:
    def text(term: Term) -> str:
        return term_text(term, rulesheet)

    name = Relation.of(kept).name
    return finding(
        "play-doubled",
        head_span(rule),
        f"there are {text(kept)} and {text(new)} after {moment(step)} "
        f"({', '.join(map(text, step.moves))}), but at first no two '{name}' had the same "
        f"{ordinals(key)} argument; if one replaces the other, add the condition to this rule "
        f"that no such '{name}' is made",
    )

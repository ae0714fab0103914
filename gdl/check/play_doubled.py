"""Facts that wrongly exist twice: two on one square, or one for each role."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import NamedTuple

from gdl.check.demands import fact_asked, fact_made, keeps, made_by
from gdl.check.diagnostic import (
    Diagnostic,
    as_written,
    finding,
    form_at,
    head_span,
    keyword_rules,
    term_text,
)
from gdl.check.losses import Facts, Key, Step, keys_of, value_of
from gdl.check.play_lost import StepLog, moment, ordinals
from gdl.check.play_turns import turn_symbol
from gdl.rulesheet import Comparison, DependsOn, Literal, Relation, Rule, Rulesheet
from gdl.rulesheet.graph import DOES
from gdl.rulesheet.rules import item_variables, literals
from gdl.syntax import words
from gdl.terms import Compound, Term, Variable, args_of, substitute, variables


def check_doubling(rulesheet: Rulesheet, log: StepLog) -> Iterator[Diagnostic]:
    """Find facts that stay although new facts take their place, once for each symbol."""
    games = log.played
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
    if isinstance(fact, Variable):  # the rule keeps all facts
        return sorted(symbol for symbol in rulesheet.fluents if symbol is not None)
    return [Relation.of(fact)]


def _keeps_always(rule: Rule, rulesheet: Rulesheet) -> bool:
    """Return whether a rule keeps all facts of a symbol, whatever the moves are."""
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
    """Return the argument positions that identify the facts of a symbol, judging by `facts`.

    Return None unless exactly one set of positions does so and some facts agree in all other
    arguments.
    """
    first = [fact for fact in facts if Relation.of(fact) == symbol]
    keys = keys_of(symbol.arity, [first])
    if len(first) < 2 or len(keys) != 1 or not keys[0]:
        return None
    rest = tuple(place for place in range(symbol.arity) if place not in keys[0])
    counts = Counter(value_of(fact, rest) for fact in first)
    return keys[0] if rest and max(counts.values()) > 1 else None


def _is_level_above(rulesheet: Rulesheet, kept: Term, new: Term) -> bool:
    """Return whether the new fact is one level above or below the kept one, as in a pile.

    For example, `(stack a 2 blue)` is above `(stack a 1 red)`. Facts of a pile have three or more
    arguments. One of them differs by a single step, and another one is the same.
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
    """Return whether a rule reads two facts with the same key, or one and the absence of the other.

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
    """Return the facts of a symbol that a condition reads, directly or through its relation."""
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
        f"({', '.join(map(text, step.moves))}), but in the initial state no two "
        f"'{name}' had the same {ordinals(key)} argument; if the new fact "
        "replaces the old one, add a condition to this rule, so that it keeps "
        f"the old one only if no such '{name}' is made",
    )


_ROLE = Relation("role", 1)


def check_sharing(rulesheet: Rulesheet, log: StepLog) -> Iterator[Diagnostic]:
    """Find, for each symbol, the first step that makes the same fact for every role."""
    games = log.played
    if not games or len(rulesheet.roles) < 2:
        return
    turn = turn_symbol(rulesheet, games)
    for symbol in rulesheet.fluents:
        if symbol is None or symbol.arity < 2:
            continue
        conditions = _conditions_on_any_role(rulesheet, symbol)
        steps = (step for game in games for step in game) if conditions else ()
        found = next((it for step in steps if (it := _shared(rulesheet, symbol, step))), None)
        if found is None:
            continue
        key = distinct_places(symbol, games[0][0].facts)
        is_place_of_one = key is not None and found.place not in key
        for rule, literal in conditions:
            if is_place_of_one or (turn and literal.relation == DOES):
                yield _sharing(rulesheet, (rule, literal), found, turn)
                break


def _conditions_on_any_role(rulesheet: Rulesheet, symbol: Relation) -> list[tuple[Rule, Literal]]:
    """Return the conditions that every role satisfies, in rules that make facts of a symbol.

    These are `does` and `role` conditions which alone restrict the role in the head of their rule.
    Also search the rules for the relations that those rules use.
    """
    makers = [rule for rule in keyword_rules(rulesheet, "next") if fact_made(rule) == symbol]
    asked = {literal.relation for rule in makers for literal in literals(rule.body)}
    below = rulesheet.graph.reachable(asked)
    rules = makers + [rule for rule in rulesheet.rules if rule.relation in below]
    return [
        (rule, item)
        for rule in rules
        for item in rule.body
        if isinstance(item, Literal) and _is_of_any_role(rule, item)
    ]


def _is_of_any_role(rule: Rule, literal: Literal) -> bool:
    if not literal.is_positive or literal.relation not in (DOES, _ROLE):
        return False
    counts = Counter(word.text.lower() for word in words(rule.form))
    role, *move = literal.args
    return (
        isinstance(role, Variable)
        and role in variables(rule.head)
        and all(isinstance(it, Variable) and counts[it.name] == 1 for it in move)
        and not any(role in item_variables(item) for item in rule.body if item is not literal)
    )


class _Shared(NamedTuple):
    """New facts that differ in one argument, which names each role once."""

    step: Step
    place: int
    facts: tuple[Term, ...]


def _shared(rulesheet: Rulesheet, symbol: Relation, step: Step) -> _Shared | None:
    roles = set(rulesheet.roles)
    new = sorted((it for it in step.after - step.facts if Relation.of(it) == symbol), key=str)
    for place in range(symbol.arity):
        rest = tuple(other for other in range(symbol.arity) if other != place)
        alike: dict[tuple[Term, ...], list[Term]] = defaultdict(list)
        for fact in new:
            alike[value_of(fact, rest)].append(fact)
        for facts in alike.values():
            if {args_of(fact)[place] for fact in facts} == roles:
                return _Shared(step, place, tuple(facts))
    return None


def _sharing(
    rulesheet: Rulesheet, where: tuple[Rule, Literal], found: _Shared, turn: Relation | None
) -> Diagnostic:
    rule, literal = where

    def text(term: Term) -> str:
        return term_text(term, rulesheet)

    condition = as_written(form_at(rule.form, literal.span))
    holds = "holds for each role"
    if literal.relation == DOES:
        holds += ", even if its move is 'noop'"
    cure, asked = "name the move that it makes", ""
    if turn:
        asked = text(Compound("true", (Compound(turn.name, literal.args[:1]),)))
        cure = f"add the condition {asked}, or {cure}"
    return finding(
        "play-doubled",
        literal.span,
        f"there are {' and '.join(map(text, found.facts))} after {moment(found.step)} "
        f"({', '.join(map(text, found.step.moves))}), because {condition} {holds}; "
        f"if only one role is meant, {cure}",
        instead=asked,
    )

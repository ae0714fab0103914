"""Facts that stay though another one takes their place: the rule that keeps them has no exception.

At first each square of a board has one mark, and many have the same. A rule that keeps marks
whatever is played leaves a square blank that has been marked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from gdl.check.diagnostic import Diagnostic, finding, head_span, keyword_rules, term_text
from gdl.check.keeping import StepLog, keeps, made_by, moment, ordinals
from gdl.check.losses import Facts, Key, Step, keys_of, value_of
from gdl.rulesheet import Comparison, DependsOn, Literal, Relation, Rule, Rulesheet
from gdl.terms import Term, Variable, args_of


def check_doubling(rulesheet: Rulesheet, log: StepLog) -> Iterator[Diagnostic]:
    """The first step of each symbol after which a fact holds beside the one in its place."""
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
        if key and found:
            yield _finding(rulesheet, rule, key, *found)


def _symbols_kept(rule: Rule, rulesheet: Rulesheet) -> list[Relation]:
    fact = made_by(rule)
    if isinstance(fact, Variable):  # it keeps all
        return sorted(symbol for symbol in rulesheet.fluents if symbol is not None)
    return [Relation.of(fact)]


def _keeps_always(rule: Rule, rulesheet: Rulesheet) -> bool:
    """Whether a rule keeps facts of any values, whatever is played, and whatever else holds."""
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
    """The arguments in which facts of the first state differ, if in the others many are alike."""
    first = [fact for fact in facts if Relation.of(fact) == symbol]
    keys = keys_of(symbol.arity, [first])
    if len(first) < 2 or len(keys) != 1 or not keys[0]:
        return None
    rest = tuple(place for place in range(symbol.arity) if place not in keys[0])
    counts = Counter(value_of(fact, rest) for fact in first)
    return keys[0] if rest and max(counts.values()) > 1 else None


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
        f"({', '.join(map(text, step.moves))}), and no two '{name}' with the same {ordinals(key)} "
        "argument at first; if one replaces the other, this rule needs the condition that no "
        f"such '{name}' is made",
    )

"""Facts that a step makes for each role where one role is meant, such as the owner of a box.

In games with turns each role still makes a move, if only `noop`. So `(does ?p ?m)` holds for all
roles if the rule says nothing else about the move, as `(role ?p)` does.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gdl.check.asking import fact_made
from gdl.check.diagnostic import (
    Diagnostic,
    as_written,
    finding,
    form_at,
    keyword_rules,
    term_text,
)
from gdl.check.doubling import distinct_places
from gdl.check.keeping import StepLog, moment
from gdl.check.losses import Game, Step, value_of
from gdl.check.turns import is_of_turns
from gdl.rulesheet import Literal, Relation, Rule, Rulesheet
from gdl.rulesheet.rules import item_variables, literals
from gdl.syntax import words
from gdl.terms import Compound, Term, Variable, args_of, variables

_DOES = Relation("does", 2)
_ROLE = Relation("role", 1)


def check_sharing(rulesheet: Rulesheet, log: StepLog) -> Iterator[Diagnostic]:
    """Find, for each symbol, the first step that makes the same fact for each role."""
    games = [game for game in log.games if game]
    if not games or len(rulesheet.roles) < 2:
        return
    turn = _turn(rulesheet, games)
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
            if is_place_of_one or (turn and literal.relation == _DOES):
                yield _finding(rulesheet, (rule, literal), found, turn)
                break


def _turn(rulesheet: Rulesheet, games: Sequence[Game]) -> Relation | None:
    """Return the symbol of the facts that name the role to move, or None unless it is unique."""
    unary = [it for it in rulesheet.fluents if it is not None and it.arity == 1]
    found = [symbol for symbol in unary if is_of_turns(symbol, games, rulesheet)]
    return found[0] if len(found) == 1 else None


def _conditions_on_any_role(rulesheet: Rulesheet, symbol: Relation) -> list[tuple[Rule, Literal]]:
    """Return the conditions behind facts of a symbol that hold for any role.

    They are `does` or `role` conditions, and the only ones of their rule about the role.
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
    if not literal.is_positive or literal.relation not in (_DOES, _ROLE):
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
    """New facts that differ only in one place, in which they name all roles."""

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


def _finding(
    rulesheet: Rulesheet, where: tuple[Rule, Literal], found: _Shared, turn: Relation | None
) -> Diagnostic:
    rule, literal = where

    def text(term: Term) -> str:
        return term_text(term, rulesheet)

    condition = as_written(form_at(rule.form, literal.span))
    holds = "holds for each role"
    if literal.relation == _DOES:
        holds += ", even if its move is 'noop'"
    cure, asked = "say which move it makes", ""
    if turn:
        asked = text(Compound("true", (Compound(turn.name, literal.args[:1]),)))
        cure = f"add the condition {asked}, or {cure}"
    return finding(
        "play-doubled",
        literal.span,
        f"there are {' and '.join(map(text, found.facts))} after {moment(found.step)} "
        f"({', '.join(map(text, found.step.moves))}), because {condition} {holds}; "
        f"if one role is meant, {cure}",
        instead=asked,
    )

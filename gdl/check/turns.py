"""Turns that several roles have at once in random games, or no role, although one had them before.

A game with turns has one fact that names the role to move, `(control white)`. Two such facts arise
if the conditions of several `next` rules hold together, and none if the conditions leave a case
out. A game may intend this if it happens from the first step on, or as often as not. It is a fault
if the first step gives the turn to a second role and a rule keeps both for ever.
"""

from __future__ import annotations

from collections.abc import Sequence

from gdl.check.asking import keeps, makers
from gdl.check.diagnostic import Diagnostic, finding, head_span, start, term_text
from gdl.check.keeping import StepLog, moment
from gdl.check.losses import Facts, Game, Step
from gdl.rulesheet import Literal, Relation, Rule, Rulesheet
from gdl.rulesheet.rules import item_variables
from gdl.terms import Term, args_of, variables

_ROLE = Relation("role", 1)
_FIRST_STEPS = 2
"""First steps of each game: what is intended happens that early."""


def doubtful_turns(rulesheet: Rulesheet, log: StepLog) -> dict[Relation, Diagnostic]:
    """Find, for each symbol, the first step after which several roles or none have the turn."""
    games = [game for game in log.games if game]
    findings = {}
    for symbol in rulesheet.fluents:
        if symbol is None or symbol.arity != 1:
            continue
        if is_of_turns(symbol, games, rulesheet):
            found = next((step for game in games if (step := _first_doubtful(symbol, game))), None)
            if found is not None and found.place[1] >= _FIRST_STEPS:
                findings[symbol] = _finding(rulesheet, symbol, found)
        elif _is_never_given_away(symbol, games, rulesheet):
            findings[symbol] = _finding(rulesheet, symbol, games[0][0])
    return findings


def is_of_turns(symbol: Relation, games: Sequence[Game], rulesheet: Rulesheet) -> bool:
    """Return whether facts of a symbol name one role in each of the first states."""
    roles = {role.name for role in rulesheet.roles}
    early = [step for game in games for step in game[:_FIRST_STEPS]]
    states = [step.facts for step in early] + [step.after for step in early if not step.is_last]
    had = [named(symbol, facts) for facts in states]
    return (
        bool(had)
        and all(len(found) == 1 and str(found[0]) in roles for found in had)
        and len(set(map(str, (found[0] for found in had)))) > 1
    )


def _is_never_given_away(symbol: Relation, games: Sequence[Game], rulesheet: Rulesheet) -> bool:
    """Return whether the first step of each game gives another role the turn for good.

    The role that had the turn keeps it as well. Only rules that keep the turn, or that give it to
    each role whatever else holds, count.
    """
    is_spread = any(keeps(rule) or _is_of_each_role(rule) for rule in makers(rulesheet, symbol))
    roles = {role.name for role in rulesheet.roles}
    for game in games if is_spread else ():
        had, *later = [named(symbol, it) for it in (game[0].facts, *(step.after for step in game))]
        is_of_roles = roles.issuperset(map(str, had + later[0]))
        if len(had) != 1 or len(later[0]) < 2 or not is_of_roles:
            return False
        if not all(set(had + later[0]) <= set(found) for found in later):
            return False
    return is_spread and bool(games)


def _is_of_each_role(rule: Rule) -> bool:
    """Return whether `(role ?q)` is the only condition about the role in the head."""
    roles = variables(rule.head)
    about = [item for item in rule.body if item_variables(item) & roles]
    return len(about) == 1 and isinstance(about[0], Literal) and about[0].relation == _ROLE


def _first_doubtful(symbol: Relation, game: Game) -> Step | None:
    steps = (step for step in game if not step.is_last)
    return next((step for step in steps if len(named(symbol, step.after)) != 1), None)


def named(symbol: Relation, facts: Facts) -> list[Term]:
    """Return the terms that the facts of a symbol name, sorted by text."""
    return sorted((args_of(it)[0] for it in facts if Relation.of(it) == symbol), key=str)


def _finding(rulesheet: Rulesheet, symbol: Relation, step: Step) -> Diagnostic:
    def text(term: Term) -> str:
        return term_text(term, rulesheet)

    made_by = makers(rulesheet, symbol)
    facts = sorted((it for it in step.after if Relation.of(it) == symbol), key=str)
    there = " and ".join(map(text, facts)) or f"no fact '{symbol.name}'"
    verb = "are" if len(facts) > 1 else "is"
    lines = ", ".join(str(head_span(rule).line) for rule in made_by)
    cure = "exclude each other" if facts else "leave no case out"
    return finding(
        "play-turns",
        head_span(made_by[0]) if made_by else start(rulesheet),
        f"there {verb} {there} after {moment(step)} ({', '.join(map(text, step.moves))}), but one "
        f"role had the turn before; let the conditions of the rules on line {lines} {cure}",
    )

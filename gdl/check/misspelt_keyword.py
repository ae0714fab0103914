"""Misspelt keywords, and required keywords without rules."""

from __future__ import annotations

from collections.abc import Iterator

from gdl.check.diagnostic import (
    Diagnostic,
    Part,
    finding,
    first_word,
    head_span,
    keyword_rules,
    rules_for,
    uses,
)
from gdl.check.likeness import num_wrong
from gdl.machine import RANDOM, is_random
from gdl.rulesheet import RESERVED, Relation, Rulesheet
from gdl.terms import Variable, args_of

_OF_FACTS = ("init", "next", "base")
_NEEDED = ("role", "legal", "next", "goal", "terminal")
_OF_HEADS = [keyword for keyword in RESERVED if keyword not in ("true", "does")]


def check_misspelt_keywords(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Find heads that look like misspelt keywords, and a role that resembles `random`."""
    for relation, meant in meant_keywords(rulesheet).items():
        yield finding(
            "misspelt-keyword",
            head_span(rulesheet.definitions[relation][0]),
            f"'{relation.name}' is not a keyword; did you mean '{meant}'?",
            instead=meant,
        )
    for use in uses(rulesheet):
        if use.part is Part.HEAD and use.symbol == ("role", 1):
            name = first_word(use.args[0])
            if num_wrong(name.text, RANDOM) == 1 and not name.is_variable:
                message = (
                    f"'{name}' is an ordinary player; did you mean '{RANDOM}', which is chance?"
                )
                yield finding("misspelt-keyword", name.span, message, instead=RANDOM)


def meant_keywords(rulesheet: Rulesheet) -> dict[Relation, str]:
    """Map each relation that looks like a misspelt keyword to that keyword.

    A relation in a condition is only compared with required keywords without rules. A relation is
    compared with `init`, `next` and `base` only if a condition asks for a fact that it would make.
    """
    found = {}
    asked = {callee for callees in rulesheet.graph.callees.values() for callee in callees}
    needed = [keyword for keyword in _NEEDED if not keyword_rules(rulesheet, keyword)]
    for relation in rulesheet.definitions:
        if relation.name in RESERVED or relation.name in rulesheet.origin.given:
            continue
        for keyword in needed if relation in asked else _OF_HEADS:
            is_alike = RESERVED[keyword] == relation.arity and num_wrong(relation.name, keyword)
            if is_alike and (keyword not in _OF_FACTS or _makes_facts(rulesheet, relation)):
                found[relation] = keyword
    return found


def _makes_facts(rulesheet: Rulesheet, relation: Relation) -> bool:
    made = [args_of(rule.head)[0] for rule in rulesheet.definitions[relation]]
    asked = [rulesheet.term(use.args[0]) for use in uses(rulesheet) if use.symbol == ("true", 1)]
    is_any = any(isinstance(fact, Variable) for fact in made + asked)
    return is_any or not {*map(Relation.of, made)}.isdisjoint(map(Relation.of, asked))


def roots(rulesheet: Rulesheet) -> list[Relation]:
    """Return the relations that define the game: keywords and misspelt keywords."""
    named = [relation for relation in rulesheet.definitions if relation.name in RESERVED]
    return [*named, *meant_keywords(rulesheet)]


def missing_keywords(rulesheet: Rulesheet) -> list[str]:
    """Return the required keywords that have no rules, or none for one of the roles."""
    missing = [word for word in ("role", "terminal") if not keyword_rules(rulesheet, word)]
    players = [role for role in rulesheet.roles if not is_random(role)]
    missing += [
        word
        for word in ("legal", "goal")
        if not all(rules_for(rulesheet, word, role) for role in players)
    ]
    return missing

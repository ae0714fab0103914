"""Keywords that are misspelt, and those whose rules are missing."""

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
    """Heads that nothing asks for and that are nearly a keyword, and a role nearly `random`."""
    for relation, meant in meant_keywords(rulesheet).items():
        yield finding(
            "misspelt-keyword",
            head_span(rulesheet.definitions[relation][0]),
            f"'{relation.name}' is no keyword; did you mean '{meant}'?",
            instead=meant,
        )
    for use in uses(rulesheet):
        if use.part is Part.HEAD and use.symbol == ("role", 1):
            name = first_word(use.args[0])
            if num_wrong(name.text, RANDOM) == 1 and not name.is_variable:
                message = f"'{name}' is a player like any other; did you mean '{RANDOM}', chance?"
                yield finding("misspelt-keyword", name.span, message, instead=RANDOM)


def meant_keywords(rulesheet: Rulesheet) -> dict[Relation, str]:
    """The keyword that may be meant by a relation that no condition asks for.

    One that a condition asks for is meant only where a game cannot do without the keyword; a fact
    of the state only if some condition asks for such a fact.
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
    """The relations that make the game: those of keywords, also misspelt ones."""
    named = [relation for relation in rulesheet.definitions if relation.name in RESERVED]
    return [*named, *meant_keywords(rulesheet)]


def missing_keywords(rulesheet: Rulesheet) -> list[str]:
    """The keywords that a game needs and that this one has no rule for, for some role."""
    missing = [word for word in ("role", "terminal") if not keyword_rules(rulesheet, word)]
    players = [role for role in rulesheet.roles if not is_random(role)]
    missing += [
        word
        for word in ("legal", "goal")
        if not all(rules_for(rulesheet, word, role) for role in players)
    ]
    return missing

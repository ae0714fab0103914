"""Percepts (`sees` of GDL-II): roles that can see nothing, and percepts that tell nothing."""

from __future__ import annotations

from collections.abc import Iterator

from gdl.check.diagnostic import Diagnostic, finding
from gdl.check.source_places import first_word, head_form, keyword_rules, role_place, rules_for
from gdl.check.unify import may_unify
from gdl.errors import GdlError, Span
from gdl.machine import is_random
from gdl.rulesheet import DependsOn, Rule, Rulesheet
from gdl.rulesheet.rules import literals
from gdl.terms import Compound, Constant, Term

GROUNDING_SECONDS = 5.0
"""Most rules are through in one; of others it stays unknown."""


def check_percepts(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """What the text of the rules shows, if anything is hidden."""
    rules = keyword_rules(rulesheet, "sees")
    if not rules:
        return
    for role in rulesheet.roles:
        if not is_random(role) and not rules_for(rulesheet, "sees", role):
            yield finding(
                "sees-nothing",
                role_place(rulesheet, role),
                f"role '{role}' sees nothing but its own moves; write a 'sees' rule for it",
            )
    for rule in rules:
        if _is_constant(rulesheet, rule):
            yield finding(
                "sees-always",
                _place(rule),
                "this percept is the same after every move, so it tells nothing; "
                "let it depend on 'true' or 'does'",
            )


def check_ground_percepts(rulesheet: Rulesheet, seconds: float) -> Iterator[Diagnostic]:
    """What the rules without variables show; nothing if they do not ground in that time.

    Args:
        rulesheet: The game, if `check_percepts` has nothing to say about it.
        seconds: That grounding may take; no more than `GROUNDING_SECONDS` are needed.
    """
    rules = keyword_rules(rulesheet, "sees")
    if not rules:
        return
    seen = _ground_percepts(rulesheet, min(seconds, GROUNDING_SECONDS))
    if seen is None:
        return
    for role in rulesheet.roles:
        is_asked = not is_random(role) and rules_for(rulesheet, "sees", role)
        if is_asked and not any(head.args[0] is role for head in seen):
            text = f"role '{role}' can see nothing but its own moves: no 'sees' rule ever holds"
            yield finding("play-sees", role_place(rulesheet, role), f"{text} for it")
    for rule in rules:
        if _is_constant(rulesheet, rule):
            continue
        heads = [head for head in seen if may_unify(rule.head, head)]
        if not heads:
            yield finding("play-sees", _place(rule), "this percept can never occur")
        for head in heads:
            if seen[head]:
                who, percept = head.args
                text = f"role '{who}' sees {percept} after every move, so it tells nothing"
                yield finding("play-sees", _place(rule), text)
                break


def _is_constant(rulesheet: Rulesheet, rule: Rule) -> bool:
    """Whether a rule depends neither on the state nor on moves."""
    dependence = rulesheet.graph.dependence
    return all(dependence(one.relation) is DependsOn.RULES for one in literals(rule.body))


def _ground_percepts(rulesheet: Rulesheet, seconds: float) -> dict[Compound, bool] | None:
    """Each percept that may occur, as the head of its rule, and whether it always does.

    Those of `random` always count as doubtful: it makes nothing of what it sees.
    """
    from gdl.ground.budget import Budget
    from gdl.ground.grounding import ground
    from gdl.ground.program import TRUE

    try:
        program = ground(rulesheet, Budget(seconds))
    except GdlError:
        return None

    def head(role: Constant, percept: Term) -> Compound:
        return Compound("sees", (role, percept))

    return {
        head(program.roles[index], percept): atom == TRUE and not is_random(program.roles[index])
        for index, percept, atom in program.sees
    }


def _place(rule: Rule) -> Span:
    return first_word(head_form(rule.form)).span

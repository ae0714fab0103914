"""Roles, and what each of them needs: moves, goal values, and an end of the game."""

from __future__ import annotations

from collections.abc import Iterator

from gdl.check.diagnostic import Diagnostic, finding
from gdl.check.source_places import (
    Use,
    first_word,
    head_form,
    keyword_rules,
    role_place,
    rules_for,
    start,
    uses,
)
from gdl.rulesheet import RESERVED, Rulesheet
from gdl.terms import Term

_WITH_ROLE = ("does", "legal", "goal", "input", "sees")  # their first argument is a role
_RANDOM = "random"


def check_roles(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Roles that are no facts, and names that are no roles."""
    for rule in keyword_rules(rulesheet, "role"):
        if rule.body:
            yield finding(
                "role-rule",
                first_word(head_form(rule.form)).span,
                "a role cannot depend on conditions; write one fact for each role",
            )
    if not rulesheet.roles:
        yield finding("no-role", start(rulesheet), "no role is named; write (role NAME)")
        return
    for use in uses(rulesheet):
        if use.symbol.name in _WITH_ROLE and len(use.args) == RESERVED[use.symbol.name]:
            yield from _unknown_role(rulesheet, use)


def _unknown_role(rulesheet: Rulesheet, use: Use) -> Iterator[Diagnostic]:
    role = rulesheet.term(use.args[0])
    if role.is_ground and role not in rulesheet.roles:
        names = ", ".join(map(str, rulesheet.roles))
        yield finding(
            "unknown-role", use.args[0].span, f"'{role}' is no role; the roles are {names}"
        )


def check_needs(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Roles without moves or goal values, and games without an end."""
    for role in rulesheet.roles:
        place = role_place(rulesheet, role)
        if not rules_for(rulesheet, "legal", role):
            yield finding(
                "no-legal", place, f"role '{role}' has no move; write a 'legal' rule for it"
            )
        # Chance has no interest in how the game ends.
        if role.name != _RANDOM and not rules_for(rulesheet, "goal", role):
            yield finding(
                "no-goal", place, f"role '{role}' has no goal value; write a 'goal' rule for it"
            )
    if not keyword_rules(rulesheet, "terminal"):
        yield finding(
            "no-terminal", start(rulesheet), "the game never ends; write a 'terminal' rule"
        )


def check_goal_values(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Goal values in heads that are not whole numbers from 0 to 100."""
    for use in uses(rulesheet):
        if use.symbol == ("goal", 2):
            value = rulesheet.term(use.args[1])
            if value.is_ground and not _is_goal(value):
                yield finding(
                    "goal-value",
                    use.args[1].span,
                    f"the goal value {value} is no whole number from 0 to 100",
                )


def _is_goal(value: Term) -> bool:
    text = str(value)
    return text.isascii() and text.isdigit() and len(text) < 9 and int(text) <= 100

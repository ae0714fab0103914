"""Checks of roles and what they need: moves, goal values, an end of the game, percepts."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from gdl.check.depends_on import may_unify
from gdl.check.diagnostic import (
    Diagnostic,
    Use,
    finding,
    head_span,
    keyword_rules,
    role_place,
    rules_for,
    start,
    term_text,
    uses,
)
from gdl.check.likeness import nearest
from gdl.errors import GdlError
from gdl.machine import is_random
from gdl.rulesheet import RESERVED, DependsOn, Rule, Rulesheet
from gdl.rulesheet.rules import literals
from gdl.terms import Compound, Constant, Term, args_of

_WITH_ROLE = ("does", "legal", "goal", "input", "sees")  # their first argument is a role


def check_roles(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Find roles that are not declared by facts, and names that are wrongly used as roles."""
    for rule in keyword_rules(rulesheet, "role"):
        if rule.body:
            yield finding(
                "role-rule",
                head_span(rule),
                "a role cannot depend on conditions; write one fact for each role",
            )
    if not rulesheet.roles:
        yield _no_role(rulesheet)
        return
    for use in uses(rulesheet):
        if use.symbol.name in _WITH_ROLE and len(use.args) == RESERVED[use.symbol.name]:
            yield from _unknown_role(rulesheet, use)


_ROLE_NAMES = ("player", "players", "roles", "agent", "agents", "robot", "team", "side", "person")


def _no_role(rulesheet: Rulesheet) -> Diagnostic:
    named = _roles_elsewhere(rulesheet)
    if not named:
        role = "role(NAME)" if rulesheet.origin.is_epilog else "(role NAME)"
        return finding("no-role", start(rulesheet), f"no role is named; write {role}")
    facts = [term_text(Compound("role", args_of(it.head)), rulesheet) for it in named]
    return finding(
        "no-role",
        head_span(named[0]),
        f"no role is named; '{named[0].relation.name}' is an ordinary relation, so write "
        f"{' '.join(facts)}",
        instead="\n".join(facts),
    )


def _roles_elsewhere(rulesheet: Rulesheet) -> list[Rule]:
    """Return the facts of the first unary relation that seems to list the roles.

    Either the relation has a typical name, or rules for `legal` or `goal` apply it to their role.
    """
    asked = {
        literal.relation
        for keyword in ("legal", "goal")
        for rule in keyword_rules(rulesheet, keyword)
        for literal in literals(rule.body)
        if literal.is_positive and literal.args == args_of(rule.head)[:1]
    }
    for relation, rules in rulesheet.definitions.items():
        if relation.arity != 1 or relation.name in RESERVED or not all(x.is_fact for x in rules):
            continue
        if relation in asked or relation.name.lower() in _ROLE_NAMES:
            return [x for x in rules if isinstance(args_of(x.head)[0], Constant)]
    return []


def _unknown_role(rulesheet: Rulesheet, use: Use) -> Iterator[Diagnostic]:
    role = rulesheet.term(use.args[0])
    if role.is_ground and role not in rulesheet.roles:
        names = [str(role) for role in rulesheet.roles]
        meant = nearest(str(role), names)
        cure = f"did you mean '{meant}'?" if meant else f"the roles are {', '.join(names)}"
        for rule in () if meant else _roles_elsewhere(rulesheet):
            if args_of(rule.head)[0] is role:
                written = term_text(Compound("role", (role,)), rulesheet)
                cure = f"{term_text(rule.head, rulesheet)} does not make it one; write {written}"
        yield finding("unknown-role", use.args[0].span, f"'{role}' is not a role; {cure}")


def check_needs(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Find roles without moves or goal values, and games without an end."""
    for role in rulesheet.roles:
        if not rules_for(rulesheet, "legal", role):
            yield finding(
                "no-legal",
                role_place(rulesheet, role),
                f"role '{role}' has no move; write a 'legal' rule for it",
            )
    # Chance needs no goal.
    players = [role for role in rulesheet.roles if not is_random(role)]
    aimless = [role for role in players if not rules_for(rulesheet, "goal", role)]
    is_all = len(aimless) == len(players) > 1
    for role in aimless[:1] if is_all else aimless:
        who = "no role has a" if is_all else f"role '{role}' has no"
        yield finding(
            "no-goal",
            role_place(rulesheet, role),
            f"{who} goal value; write 'goal' rules, such as 100 if it has won and 0 if it has lost",
        )
    if not keyword_rules(rulesheet, "terminal"):
        yield finding(
            "no-terminal", start(rulesheet), "the game never ends; write a 'terminal' rule"
        )


def check_goal_values(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Find goal values in heads that are not whole numbers from 0 to 100."""
    for use in uses(rulesheet):
        if use.symbol == ("goal", 2):
            value = rulesheet.term(use.args[1])
            if value.is_ground and not _is_goal(value):
                yield finding(
                    "goal-value",
                    use.args[1].span,
                    f"the goal value {value} is not a whole number from 0 to 100",
                )


def _is_goal(value: Term) -> bool:
    text = str(value)
    return text.isascii() and text.isdigit() and len(text) < 9 and int(text) <= 100


GROUNDING_SECONDS = 5.0  # most rulesheets take one second; the others are not checked


def check_percepts(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Report faults of percepts that show without playing, if the game has hidden information."""
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
                head_span(rule),
                "this percept is the same after every move, so it tells the role "
                "nothing; make it depend on 'true' or 'does'",
            )


def check_ground_percepts(rulesheet: Rulesheet, seconds: float) -> Iterator[Diagnostic]:
    """Report faults of percepts in the grounded rules. Report none if grounding takes too long."""
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
            yield finding(
                "play-sees",
                head_span(rule),
                "this percept can never occur, because its conditions never hold together",
            )
        for head in heads:
            if seen[head]:
                who, percept = head.args
                text = f"role '{who}' sees {term_text(percept, rulesheet)} after every move"
                yield finding(
                    "play-sees", head_span(rule), f"{text}, so this percept tells the role nothing"
                )
                break


def check_unseen(
    rulesheet: Rulesheet, percepts: Collection[Term], num_games: int
) -> Iterator[Diagnostic]:
    """Report rules for `sees` whose percepts did not occur in random games."""
    for rule in keyword_rules(rulesheet, "sees"):
        if not any(may_unify(rule.head, seen) for seen in percepts):
            yield finding(
                "play-unseen",
                head_span(rule),
                f"no role has seen this percept in {num_games} random games; it may be "
                "rare, or its conditions may never hold together",
            )


def _is_constant(rulesheet: Rulesheet, rule: Rule) -> bool:
    dependence = rulesheet.graph.dependence
    return all(dependence(one.relation) is DependsOn.RULES for one in literals(rule.body))


def _ground_percepts(rulesheet: Rulesheet, seconds: float) -> dict[Compound, bool] | None:
    """Return the possible percepts as heads `(sees ROLE PERCEPT)`, and whether each always occurs.

    Percepts of `random` never count as certain, because `random` does not use them. Return None if
    grounding fails.
    """
    from gdl.ground import Budget
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

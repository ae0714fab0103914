"""Facts that never hold, because they need earlier ones and no `init` makes a first one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import NamedTuple

from gdl.check.diagnostic import (
    Diagnostic,
    Part,
    finding,
    first_word,
    keyword_rules,
    term_text,
    uses,
)
from gdl.check.misspelt_keyword import meant_keywords
from gdl.errors import Span
from gdl.rulesheet import Body, Disjunction, Literal, Relation, Rule, Rulesheet
from gdl.terms import Compound, Constant, Variable, args_of

_MAX_FACTS = 50  # symbols to examine, because rulesheets are untrusted


class _Node(NamedTuple):
    """Node of the graph: a relation, a disjunction, or all facts or moves with one symbol."""

    kind: str
    symbol: Relation


class _Rule(NamedTuple):
    head: _Node
    needs: frozenset[_Node]


def check_first_facts(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Find facts that never hold, because each rule for them needs such a fact, also indirectly.

    All facts or moves with one symbol are treated as one. Facts and moves that another check
    reports as missing are assumed to exist.
    """
    moves = [args_of(rule.head)[1] for rule in keyword_rules(rulesheet, "legal")]
    is_any = any(isinstance(move, Variable) for move in moves)
    if None in rulesheet.fluents or is_any or "init" in meant_keywords(rulesheet).values():
        return
    rules = {one for rule in rulesheet.rules for one in _rules_of(rule)}
    made = {rule.head for rule in rules}
    given = {need for rule in rules for need in rule.needs} - made
    never = {node for node in made - _reached(rules, given) if node.kind == "true"}
    if len(never) > _MAX_FACTS:
        return
    causes = {node for node in never if node not in _reached(rules, given | never - {node})}
    most = len(causes) or 1  # report one fact of each cycle
    causes = causes or {node for node in never if _is_in_cycle(rules, given, node)}
    for use in uses(rulesheet) if causes else ():
        if use.part is Part.HEAD and use.symbol == ("next", 1) and most:
            node = _Node("true", Relation.of(rulesheet.term(use.args[0])))
            if node in causes:
                causes.remove(node)
                most -= 1
                yield _finding(rulesheet, node.symbol, first_word(use.args[0]).span)


def _finding(rulesheet: Rulesheet, symbol: Relation, span: Span) -> Diagnostic:
    args = [Variable(f"?{chr(ord('a') + number)}") for number in range(symbol.arity)]
    fact = Compound(symbol.name, tuple(args)) if args else Constant(symbol.name)
    is_turn = symbol == ("control", 1) and rulesheet.roles
    return finding(
        "no-init",
        span,
        f"{term_text(fact, rulesheet)} never holds: no 'init' makes such a fact, "
        "and each rule for 'next' that makes one requires that another one "
        "already holds; write an 'init' for the first one",
        instead=f"(init (control {rulesheet.roles[0]}))" if is_turn else "",
    )


def _rules_of(rule: Rule) -> Iterator[_Rule]:
    """Yield a rule for the relation of the head, and one for the fact or move that it makes."""
    needs: set[_Node] = set()
    yield from _read(rule.body, needs)
    heads = [_Node("", rule.relation)]
    if rule.relation in (("init", 1), ("next", 1)):
        heads.append(_Node("true", Relation.of(args_of(rule.head)[0])))
    if rule.relation == ("legal", 2):
        heads.append(_Node("does", Relation.of(args_of(rule.head)[1])))
    for head in heads:
        yield _Rule(head, frozenset(needs))


def _read(body: Body, needs: set[_Node]) -> Iterator[_Rule]:
    """Add to `needs` the nodes that a body requires, and yield rules for its disjunctions."""
    for item in body:
        if isinstance(item, Disjunction):
            either = _Node("or", Relation(str(item), 0))
            needs.add(either)
            for branch in item.branches:
                inner: set[_Node] = set()
                yield from _read(branch, inner)
                yield _Rule(either, frozenset(inner))
        elif isinstance(item, Literal) and item.is_positive:
            kind, about = item.relation.name, item.args[-1:]
            if kind not in ("true", "does"):
                needs.add(_Node("", item.relation))
            elif about and not isinstance(about[0], Variable):
                needs.add(_Node(kind, Relation.of(about[0])))


def _reached(rules: Collection[_Rule], given: Collection[_Node]) -> set[_Node]:
    """Return all nodes that can become true if the `given` nodes can."""
    users: dict[_Node, list[_Rule]] = defaultdict(list)
    for rule in rules:
        for need in rule.needs:
            users[need].append(rule)
    num_left = {rule: len(rule.needs) for rule in rules}
    waiting = [*given, *(rule.head for rule in rules if not rule.needs)]
    reached: set[_Node] = set()
    while waiting:
        node = waiting.pop()
        if node in reached:
            continue
        reached.add(node)
        for rule in users[node]:
            num_left[rule] -= 1
            if not num_left[rule]:
                waiting.append(rule.head)
    return reached


def _is_in_cycle(rules: Collection[_Rule], given: Collection[_Node], node: _Node) -> bool:
    """Return whether a fact enables other rules to make it again.

    Rules that keep the fact do not count.
    """
    reached = _reached(rules, {*given, node})
    return any(
        rule.head == node and node not in rule.needs and rule.needs <= reached for rule in rules
    )

"""Facts that rules read: how many at the same time, and whether a rule requires their absence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from gdl.check.diagnostic import Diagnostic, Part, finding, first_word, keyword_rules, uses
from gdl.check.misspelt_keyword import missing_keywords, roots
from gdl.check.undefined import check_facts
from gdl.rulesheet import RESERVED, Body, Disjunction, Literal, Relation, Rule, Rulesheet
from gdl.rulesheet.graph import TRUE
from gdl.rulesheet.rules import literals
from gdl.terms import Compound, Term, Variable, args_of, substitute, variables

_MOST = 9  # limit on counted facts, and on passes over relations that depend on each other

_MAX_SEEN = 2000  # relations with arguments that come from a move

_NEXT = Relation("next", 1)


def fact_asked(literal: Literal) -> Relation | None:
    """Return the symbol of the fact that a condition asks for with `true`, or None."""
    if literal.relation != TRUE or isinstance(literal.args[0], Variable):
        return None
    return Relation.of(literal.args[0])


def fact_made(rule: Rule) -> Relation | None:
    """Return the symbol of the fact that a rule for `next` makes, or None for any other rule."""
    if rule.relation != _NEXT or not isinstance(rule.head, Compound):
        return None
    made: Term = rule.head.args[0]
    return None if isinstance(made, Variable) else Relation.of(made)


def made_by(rule: Rule) -> Term:
    """Return the fact that a rule for `init` or `next` makes."""
    return args_of(rule.head)[0]


def keeps(rule: Rule) -> bool:
    """Return whether a rule for `next` keeps a fact, that is, requires the fact that it makes."""
    fact = made_by(rule)
    return any(
        x.is_positive and x.relation == TRUE and x.args[0] is fact for x in literals(rule.body)
    )


def makers(rulesheet: Rulesheet, symbol: Relation) -> list[Rule]:
    """Return the rules for `next` that make facts with this symbol."""
    return [rule for rule in keyword_rules(rulesheet, "next") if fact_made(rule) == symbol]


def makers_by_symbol(rulesheet: Rulesheet, *keywords: str) -> dict[Relation, list[Rule]]:
    """Return the rules for the keywords `init` or `next`, by the symbol of the fact they make."""
    found: dict[Relation, list[Rule]] = defaultdict(list)
    for keyword in keywords:
        for rule in keyword_rules(rulesheet, keyword):
            found[Relation.of(made_by(rule))].append(rule)
    return found


def check_unread(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Find facts that no rule reads, except for the rules that keep them.

    Leave out facts that a misspelt condition was meant to read, because that condition is reported.
    """
    needed = rulesheet.graph.reachable(roots(rulesheet))
    missing = missing_keywords(rulesheet)
    # Other programs read this fact to show whose turn it is.
    read: set[Relation] = {Relation("control", 1)}
    for rule in rulesheet.rules:
        for literal in literals(rule.body) if rule.relation in needed else ():
            if literal.relation == TRUE and isinstance(literal.args[0], Variable):
                return  # this condition reads any fact
            symbol = fact_asked(literal)
            if symbol is not None and symbol != fact_made(rule):
                read.add(symbol)
    misspelt = {wrong.instead for wrong in check_facts(rulesheet)}
    reported: set[Relation] = set()
    for use in uses(rulesheet):
        holds = use.part is Part.HEAD and use.symbol.name in ("init", "next") and use.args
        fact = rulesheet.term(use.args[0]) if holds else None
        if fact is None or isinstance(fact, Variable) or Relation.of(fact) in read | reported:
            continue
        if Relation.of(fact).name in misspelt:
            continue
        reported.add(Relation.of(fact))
        cure = "; remove them, or add a missing condition"
        if missing:
            cure = f"; the missing rules for '{missing[0]}' may need them"
        yield finding(
            "unread-fact",
            first_word(use.args[0]).span,
            f"only the rules that set the facts '{Relation.of(fact).name}' read them, so the game "
            f"is the same without them{cure}",
        )


class Asking:
    """Index of how the rules of a game read the facts of the state."""

    def __init__(self, rulesheet: Rulesheet) -> None:
        self._rulesheet = rulesheet
        self._signs: dict[Relation, set[bool]] = defaultdict(set)
        self._below: dict[Relation, set[Relation]] = {}
        direct: dict[Relation, set[Relation]] = defaultdict(set)
        for rule in rulesheet.rules:
            for literal in literals(rule.body):
                symbol = fact_asked(literal)
                if symbol is not None:
                    self._signs[symbol].add(literal.is_positive)
                    direct[rule.relation].add(symbol)
        for component in rulesheet.graph.components:
            found = set().union(*(direct.get(name, ()) for name in component))
            for name in component:
                for callee in rulesheet.graph.callees[name]:
                    found |= self._below.get(callee, set())
            self._below.update(dict.fromkeys(component, found))

    def num_together(self, symbol: Relation) -> int:
        """Return the largest number of facts of a symbol that a rule for a keyword needs together.

        Facts that the rule needs through other relations count as well. Stop counting at `_MOST`,
        which is always reached if a relation depends on itself.
        """
        counts: dict[Relation, int] = {}
        for component in self._rulesheet.graph.components:
            if symbol not in self._below[component[0]] or _NEXT in component:
                continue
            for _ in range(_MOST):
                before = [counts.get(name, 0) for name in component]
                for name in component:
                    counts[name] = max(
                        counts.get(name, 0), *self._counts_of(name, symbol, counts), 0
                    )
                if before == [counts[name] for name in component]:
                    break
        keywords = (counts[name] for name in counts if name.name in RESERVED)
        return max((*keywords, *self._counts_of(_NEXT, symbol, counts)), default=0)

    def _counts_of(
        self, name: Relation, symbol: Relation, counts: dict[Relation, int]
    ) -> list[int]:
        rules = self._rulesheet.definitions.get(name, ())
        return [_count(rule.body, symbol, counts) for rule in rules if fact_made(rule) != symbol]

    def is_asked_for_absence(self, symbol: Relation) -> bool:
        """Return whether rules read a symbol only negated, or a move requires a fact's absence.

        In the second case the absent fact must share variables with the move, as when a move needs
        a free square.
        """
        return self._signs.get(symbol) == {False} or self._hinders(symbol)

    def keeps_apart(self, condition: Literal, made: Term) -> bool:
        """Return whether a rule that derives `condition` has the fact `made` among its conditions.

        `condition` belongs to a `next` rule that makes `made`. If the result is True, that rule
        may keep the fact, through another relation.
        """
        return any(
            literal.is_positive
            and fact_asked(literal) == Relation.of(made)
            and _is_same(literal.args[0], rule.head, made, condition.atom)
            for rule in self._rulesheet.definitions.get(condition.relation, ())
            for literal in literals(rule.body)
        )

    def _hinders(self, symbol: Relation) -> bool:
        waiting: list[tuple[Relation, tuple[int, ...]]] = [(Relation("legal", 2), (1,))]
        seen = set(waiting)
        while waiting:
            for literal, places in self._about(symbol, *waiting.pop()):
                if not literal.is_positive:
                    return True
                following = (literal.relation, places)
                if following not in seen and len(seen) < _MAX_SEEN:
                    seen.add(following)
                    waiting.append(following)
        return False

    def _about(
        self, symbol: Relation, name: Relation, places: tuple[int, ...]
    ) -> Iterator[tuple[Literal, tuple[int, ...]]]:
        """Yield conditions of the rules for `name` that share variables with arguments of the head.

        Consider the head arguments at `places`, and only conditions that depend on facts of the
        symbol. With each condition, yield the indexes of its arguments that contain shared
        variables.
        """
        for rule in self._rulesheet.definitions.get(name, ()):
            head = args_of(rule.head)
            own = set().union(*(variables(head[place]) for place in places))
            for literal in literals(rule.body):
                below = self._below.get(literal.relation, ())
                shared = tuple(i for i, arg in enumerate(literal.args) if variables(arg) & own)
                if shared and (symbol == fact_asked(literal) or symbol in below):
                    yield literal, shared


def _is_same(asked: Term, head: Term, made: Term, called: Term) -> bool:
    """Return whether a condition of a rule asks for exactly the fact `made`.

    Args:
        asked: The fact in the condition, with the variables of the rule.
        head: The head of the rule.
        called: The atom that the rule has to prove, with the variables of `made`.
    """
    own: dict[Variable, Term] = {}
    outer: dict[Variable, Term] = {}
    for mine, other in zip(args_of(head), args_of(called), strict=True):
        if isinstance(mine, Variable):
            own.setdefault(mine, other)
        elif isinstance(other, Variable):
            outer.setdefault(other, mine)
    is_whole = variables(asked) <= own.keys()
    return is_whole and substitute(substitute(asked, own), outer) is substitute(made, outer)


def _count(body: Body, symbol: Relation, counts: dict[Relation, int]) -> int:
    num = 0
    for item in body:
        if isinstance(item, Disjunction):
            num += max((_count(branch, symbol, counts) for branch in item.branches), default=0)
        elif isinstance(item, Literal) and item.is_positive:
            num += counts.get(item.relation, 0) + (fact_asked(item) == symbol)
    return min(_MOST, num)

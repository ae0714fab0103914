"""States of a match with their facts, and rules with values for their variables."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gdl.errors import IllegalMoveError
from gdl.interpreter.machine import Interpreter
from gdl.machine import Move, State
from gdl.rulesheet import (
    RESERVED,
    Body,
    Comparison,
    DependsOn,
    Disjunction,
    Item,
    Literal,
    Relation,
    Rule,
    Rulesheet,
)
from gdl.rulesheet.graph import DOES, TRUE
from gdl.rulesheet.rules import item_variables, positive_variables
from gdl.terms import Compound, Term, Variable, is_alike, resolve, substitute, unify, variables

Bindings = dict[Variable, Term]

_ASKED = "?#"  # prefix that distinguishes variables of a question from those of rules
_RENAMED = re.compile(r"\?#+")


def matched(pattern: Term, fact: Term, known: Bindings) -> Bindings | None:
    """Return `known` with the bindings that make a pattern equal to a ground fact.

    Return None if the pattern does not match.
    """
    found = dict(known)
    waiting = [(pattern, fact)]
    while waiting:
        left, right = waiting.pop()
        if isinstance(left, Variable):
            if found.setdefault(left, right) is not right:
                return None
        elif left.is_ground:
            if left is not right:
                return None
        else:
            assert isinstance(left, Compound)
            if not is_alike(right, left):
                return None
            waiting.extend(zip(left.args, right.args, strict=True))
    return found


def body_for(rule: Rule, atom: Term) -> tuple[Item, ...] | None:
    """Return the body of a rule, with the values of variables for which its head matches an atom.

    Return None if the head does not match. The atom may have variables, which are independent of
    those of the rule.
    """
    if atom.is_ground:
        found = matched(rule.head, atom, {})
        return None if found is None else tuple(at(item, found) for item in rule.body)
    apart = {name: Variable(f"{_ASKED}{name.name[1:]}") for name in variables(atom)}
    bindings: Bindings = {}
    if not unify(substitute(atom, dict(apart)), rule.head, bindings):
        return None
    values = {name: resolve(name, bindings) for name in bindings}
    return tuple(at(item, values) for item in rule.body)


def at(item: Item, values: Bindings) -> Item:
    """Return a condition with variables replaced by their values."""
    if isinstance(item, Literal):
        return Literal(substitute(item.atom, values), item.is_positive, item.span)
    if isinstance(item, Comparison):
        left, right = substitute(item.left, values), substitute(item.right, values)
        return Comparison(left, right, item.is_distinct, item.span)
    branches = tuple(tuple(at(part, values) for part in branch) for branch in item.branches)
    return Disjunction(branches, item.span)


def compared(item: Comparison) -> Bindings | None:
    """Return the bindings with which a comparison holds, or None if it fails."""
    if item.left.is_ground and item.right.is_ground:
        return {} if (item.left is not item.right) == item.is_distinct else None
    if item.is_distinct:
        return {}
    if item.left.is_ground:
        return matched(item.right, item.left, {})
    return matched(item.left, item.right, {}) if item.right.is_ground else {}


def shown(fact: Term | Item) -> str:
    """Return a fact or a condition as text for display."""
    return _RENAMED.sub("?", str(fact))


def nearest_to(fact: Term, known: Sequence[Term], most: int) -> tuple[str, ...]:
    """Return at most `most` facts with the symbol of `fact` that agree with it the most."""
    if not isinstance(fact, Compound):
        return ()
    scored = []
    for other in known:
        if is_alike(other, fact):
            same = [left is right for left, right in zip(fact.args, other.args, strict=True)]
            # Prefer agreement in the first arguments: in facts about boards they name the place.
            if any(same) or len(same) == 1:
                scored.append((-sum(same), [not one for one in same], str(other)))
    best = min(scored, default=None)
    return tuple(text for score, _, text in sorted(scored)[:most] if best and score == best[0])


Joint = Sequence[Move]
Choice = tuple[Item | Body, ...]
"""Conditions that hold, and the chosen branch of each `or`."""


class SpentError(Exception):
    """The work allowed for a part of an answer is used up."""


@dataclass(slots=True)
class Work:
    """Remaining work for a part of an answer: number of values to try, and a deadline."""

    steps: int
    end: float

    def spend(self) -> None:
        """Count a step. Raise SpentError if no work is left."""
        self.steps -= 1
        if self.steps < 0 or time.monotonic() > self.end:
            raise SpentError


class Scene:
    """States of a match with their facts. Questions are about the last state."""

    def __init__(self, machine: Interpreter, rules: Rulesheet, moves: Sequence[Joint]) -> None:
        """Compute the states that a match goes through, given its joint moves."""
        self.machine = machine
        self.rules = rules
        self.roles = machine.roles
        self._joints: list[Joint] = []
        self._states: list[frozenset[Term]] = [machine.initial_state()]
        for joint in moves:
            self._states.append(machine.next_state(self._states[-1], joint))
            self._joints.append(tuple(joint))
        self._by_symbol: dict[tuple[int, Relation], list[Term]] = {}

    @property
    def turn(self) -> int:
        """Number of joint moves before the state in question."""
        return len(self._states) - 1

    def name_moves(self, joint: Joint | None) -> None:
        """Set the moves made in the last state, one for each role. With None, unset them."""
        if joint is not None and len(joint) != len(self.roles):
            raise IllegalMoveError(
                f"expected {len(self.roles)} moves, one per role: got {len(joint)}"
            )
        self._joints[self.turn :] = [] if joint is None else [tuple(joint)]

    def has_moves(self, turn: int) -> bool:
        """Return whether the moves made after `turn` joint moves are known."""
        return turn < len(self._joints)

    def facts(self, turn: int) -> State:
        """Return the facts of the state after `turn` joint moves."""
        return self._states[turn]

    def facts_like(self, fact: Term, turn: int) -> list[Term]:
        """Return the facts with the symbol of `fact` in the state after `turn` joint moves.

        If `fact` is a variable, return all facts.
        """
        if isinstance(fact, Variable):
            return sorted(self._states[turn], key=str)
        if not self._by_symbol or (turn, Relation("", 0)) not in self._by_symbol:
            self._by_symbol[turn, Relation("", 0)] = []
            for known in sorted(self._states[turn], key=str):
                self._by_symbol.setdefault((turn, Relation.of(known)), []).append(known)
        return self._by_symbol.get((turn, Relation.of(fact)), [])

    def answers(self, atom: Term, turn: int) -> Sequence[Term]:
        """Return atoms that hold: all instances of `atom`, and perhaps others of its relation."""
        relation = Relation.of(atom)
        if relation == TRUE:
            assert isinstance(atom, Compound)
            fact = atom.args[0]
            if fact.is_ground:
                return (atom,) if fact in self._states[turn] else ()
            return [Compound("true", (known,)) for known in self.facts_like(fact, turn)]
        if relation == DOES:
            if not self.has_moves(turn):
                return ()
            made = zip(self.roles, self._joints[turn], strict=True)
            return [Compound("does", pair) for pair in made]
        needs_moves = self.rules.graph.dependence(relation) == DependsOn.MOVES
        moves = self._joints[turn] if needs_moves and self.has_moves(turn) else ()
        found = self.machine.matching(atom, self._states[turn], moves)
        return found if len(found) < 2 else sorted(found, key=str)  # same order in every process

    def instances(self, atom: Term, turn: int) -> Iterator[tuple[Term, Bindings]]:
        """Yield the instances of an atom that hold after `turn` joint moves, and their bindings."""
        for found in self.answers(atom, turn):
            values = matched(atom, found, {})
            if values is not None:
                yield found, values

    def holds(self, atom: Term, turn: int) -> bool:
        """Return whether some instance of an atom holds after `turn` joint moves."""
        return next(self.instances(atom, turn), None) is not None

    def unsafe_rule(self, fact: Term) -> Rule | None:
        """Return a rule for the relation of `fact` in which nothing binds a variable of the head.

        Return None if there is none, or if the relation is not a keyword such as `legal`.
        """
        relation = Relation.of(fact)
        rules = self.rules.definitions.get(relation, ()) if relation.name in RESERVED else ()
        unsafe = (one for one in rules if variables(one.head) - positive_variables(one.body))
        return next(unsafe, None)

    def is_listed(self, fact: Term, turn: int) -> bool:
        """Return whether listing all facts of a relation that hold includes the given one."""
        assert isinstance(fact, Compound)
        places = tuple(Variable(f"?{number}") for number in range(len(fact.args)))
        return fact in self.answers(Compound(fact.name, places), turn)

    def extensions(
        self, item: Item, values: Bindings, turn: int, work: Work
    ) -> Iterator[tuple[Bindings, Choice]]:
        """Yield the ways to satisfy a condition: `values` with more bindings, and chosen branches.

        As in the interpreter, `not` means that no instance holds, and a comparison with unbound
        variables is ignored.
        """
        work.spend()
        if isinstance(item, Disjunction):
            for branch in item.branches:
                for found, chosen in self.solutions(branch, values, turn, work):
                    yield found, (*chosen, branch)
            return
        here = at(item, values)
        if isinstance(here, Comparison):
            same = compared(here)
            if same is not None:
                yield values | same, (item,)
        elif isinstance(here, Literal) and here.is_positive:
            for _, found in self.instances(here.atom, turn):
                work.spend()
                yield values | found, (item,)
        elif isinstance(here, Literal) and not self.holds(here.atom, turn):
            yield values, (item,)

    def solutions(
        self, body: Sequence[Item], values: Bindings, turn: int, work: Work
    ) -> Iterator[tuple[Bindings, Choice]]:
        """Yield the ways to satisfy all conditions of a body, in the order of the search."""
        if not body:
            yield values, ()
            return
        place = self.asked_next(body, values)
        rest = [*body[:place], *body[place + 1 :]]
        for found, chosen in self.extensions(body[place], values, turn, work):
            for last, others in self.solutions(rest, found, turn, work):
                yield last, chosen + others

    def asked_next(self, body: Sequence[Item], values: Bindings) -> int:
        """Return the index of the condition that the interpreter would evaluate next."""
        wanted: set[Variable] = set().union(*map(item_variables, body))
        place = self.machine.asked_next(body, set(values), wanted)
        return 0 if place is None else place


def positive_atoms(chosen: Choice, values: Bindings) -> Iterator[Term]:
    """Yield the positive atoms among conditions that hold."""
    for item in chosen:
        if isinstance(item, Literal) and item.is_positive:
            yield substitute(item.atom, values)

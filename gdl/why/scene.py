"""The states of a match, in which facts are looked up, and rules at given values."""

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

_ASKED = "?#"  # begins the variables of a question, so that they are none of a rule's
_RENAMED = re.compile(r"\?#+")


def matched(pattern: Term, fact: Term, known: Bindings) -> Bindings | None:
    """The values with which a pattern is a ground fact, the known ones among them; None if none."""
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
    """The body of a rule where its head is an instance of an atom; None where it never is.

    The atom may have variables, which have nothing to do with those of the rule.
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
    """A condition with the values that variables have."""
    if isinstance(item, Literal):
        return Literal(substitute(item.atom, values), item.is_positive, item.span)
    if isinstance(item, Comparison):
        left, right = substitute(item.left, values), substitute(item.right, values)
        return Comparison(left, right, item.is_distinct, item.span)
    branches = tuple(tuple(at(part, values) for part in branch) for branch in item.branches)
    return Disjunction(branches, item.span)


def compared(item: Comparison) -> Bindings | None:
    """The values with which a comparison holds; None where it fails."""
    if item.left.is_ground and item.right.is_ground:
        return {} if (item.left is not item.right) == item.is_distinct else None
    if item.is_distinct:
        return {}
    if item.left.is_ground:
        return matched(item.right, item.left, {})
    return matched(item.left, item.right, {}) if item.right.is_ground else {}


def text_of(item: Item) -> str:
    """A condition as it is shown."""
    return _RENAMED.sub("?", str(item))


def shown(term: Term) -> str:
    """A fact as it is shown."""
    return _RENAMED.sub("?", str(term))


def nearest_to(fact: Term, known: Sequence[Term], most: int) -> tuple[str, ...]:
    """The facts of the same symbol that agree in most arguments, and in one at least."""
    if not isinstance(fact, Compound):
        return ()
    scored = []
    for other in known:
        if is_alike(other, fact):
            same = [left is right for left, right in zip(fact.args, other.args, strict=True)]
            # Boards name a place first and what lies there last.
            if any(same) or len(same) == 1:
                scored.append((-sum(same), [not one for one in same], str(other)))
    best = min(scored, default=None)
    return tuple(text for score, _, text in sorted(scored)[:most] if best and score == best[0])


Joint = Sequence[Move]
Choice = tuple[Item | Body, ...]
"""The conditions of a body that hold together, and the branch of each `or` that was chosen."""


class SpentError(Exception):
    """The work that one part of an answer may cost is done."""


@dataclass(slots=True)
class Work:
    """Work that is left for a part of an answer: values to try, and when it must be over."""

    steps: int
    end: float

    def spend(self) -> None:
        """Count a step; SpentError if it was the last."""
        self.steps -= 1
        if self.steps < 0 or time.monotonic() > self.end:
            raise SpentError


class Scene:
    """The states of a match, and what holds in each; the last is the one that is asked about."""

    def __init__(self, machine: Interpreter, rules: Rulesheet, moves: Sequence[Joint]) -> None:
        """The scene after joint moves from the start."""
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
        """Number of joint moves that led to the state that is asked about."""
        return len(self._states) - 1

    def name_moves(self, joint: Joint | None) -> None:
        """Let questions about the last state be about these moves in it, one of each role."""
        if joint is not None and len(joint) != len(self.roles):
            raise IllegalMoveError(
                f"expected {len(self.roles)} moves, one per role: got {len(joint)}"
            )
        self._joints[self.turn :] = [] if joint is None else [tuple(joint)]

    def has_moves(self, turn: int) -> bool:
        """Whether it is known what is done in a state."""
        return turn < len(self._joints)

    def facts(self, turn: int) -> State:
        """The facts of a state."""
        return self._states[turn]

    def facts_like(self, fact: Term, turn: int) -> list[Term]:
        """The facts of a state that have the symbol of a term; all, if that is a variable."""
        if isinstance(fact, Variable):
            return sorted(self._states[turn], key=str)
        if not self._by_symbol or (turn, Relation("", 0)) not in self._by_symbol:
            self._by_symbol[turn, Relation("", 0)] = []
            for known in sorted(self._states[turn], key=str):
                self._by_symbol.setdefault((turn, Relation.of(known)), []).append(known)
        return self._by_symbol.get((turn, Relation.of(fact)), [])

    def answers(self, atom: Term, turn: int) -> Sequence[Term]:
        """The atoms that hold and may be an atom with variables; some may be none of it."""
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
        return found if len(found) < 2 else sorted(found, key=str)  # the same in each process

    def instances(self, atom: Term, turn: int) -> Iterator[tuple[Term, Bindings]]:
        """The atoms that hold and are an instance of one, and the values that make them so."""
        for found in self.answers(atom, turn):
            values = matched(atom, found, {})
            if values is not None:
                yield found, values

    def holds(self, atom: Term, turn: int) -> bool:
        """Whether some instance of an atom holds."""
        return next(self.instances(atom, turn), None) is not None

    def unsafe_rule(self, fact: Term) -> Rule | None:
        """A rule that may make such facts for any value of a variable; None if there is none.

        Only of relations by which the game is played, such as `legal`.
        """
        relation = Relation.of(fact)
        rules = self.rules.definitions.get(relation, ()) if relation.name in RESERVED else ()
        unsafe = (one for one in rules if variables(one.head) - positive_variables(one.body))
        return next(unsafe, None)

    def is_listed(self, fact: Term, turn: int) -> bool:
        """Whether a fact that holds is among those of its relation that can be listed."""
        assert isinstance(fact, Compound)
        places = tuple(Variable(f"?{number}") for number in range(len(fact.args)))
        return fact in self.answers(Compound(fact.name, places), turn)

    def extensions(
        self, item: Item, values: Bindings, turn: int, work: Work
    ) -> Iterator[tuple[Bindings, Choice]]:
        """The ways in which a condition holds at given values: further values, what was chosen.

        As the interpreter reads rules, `not` says that there is no instance at all, and a
        comparison of what has no value says nothing.
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
        """The ways in which all conditions hold together, in the order in which they are found."""
        if not body:
            yield values, ()
            return
        place = self.asked_next(body, values)
        rest = [*body[:place], *body[place + 1 :]]
        for found, chosen in self.extensions(body[place], values, turn, work):
            for last, others in self.solutions(rest, found, turn, work):
                yield last, chosen + others

    def asked_next(self, body: Sequence[Item], values: Bindings) -> int:
        """Index of the condition that is asked next, as the interpreter would."""
        wanted: set[Variable] = set().union(*map(item_variables, body))
        place = self.machine.asked_next(body, set(values), wanted)
        return 0 if place is None else place


def positive_atoms(chosen: Choice, values: Bindings) -> Iterator[Term]:
    """The atoms that must hold for conditions to hold."""
    for item in chosen:
        if isinstance(item, Literal) and item.is_positive:
            yield substitute(item.atom, values)

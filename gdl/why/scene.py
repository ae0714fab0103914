"""The states of a match and the moves between them, in which facts are looked up."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gdl.errors import IllegalMoveError
from gdl.interpreter import Interpreter
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
from gdl.rulesheet.rules import item_variables
from gdl.terms import Compound, Term, Variable, substitute, variables
from gdl.why.matching import Bindings, at, compared, matched

Joint = Sequence[Move]
Choice = tuple[Item | Body, ...]
"""The conditions of a body that hold together, and the branch of each `or` that was chosen."""


class SpentError(Exception):
    """The work that one part of an answer may cost is done."""


@dataclass(slots=True)
class Work:
    """Work that is left for a part of an answer.

    Attributes:
        steps: Values tried.
        end: When it must be over, by the monotonic clock.
    """

    steps: int
    end: float

    def spend(self) -> None:
        """Count a step.

        Raises:
            SpentError: It was the last.
        """
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
        """Let questions about the last state be about these moves in it.

        Raises:
            IllegalMoveError: There is not exactly one move per role.
        """
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
        return next((rule for rule in rules if variables(rule.head) - _bound(rule)), None)

    def is_listed(self, fact: Term, turn: int) -> bool:
        """Whether a fact that holds is among those of its relation that can be listed."""
        assert isinstance(fact, Compound)
        places = tuple(Variable(f"?{number}") for number in range(len(fact.args)))
        return fact in self.answers(Compound(fact.name, places), turn)

    # --- Conditions -------------------------------------------------------------------------------

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
        self,
        body: Sequence[Item],
        values: Bindings,
        turn: int,
        work: Work,
    ) -> Iterator[tuple[Bindings, Choice]]:
        """The ways in which all conditions hold together, in the order in which they are found.

        Raises:
            SpentError: There is too much to try.
        """
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
        if place is not None:
            return place
        several = (index for index, item in enumerate(body) if isinstance(item, Disjunction))
        return next(several, 0)


def _bound(rule: Rule) -> set[Variable]:
    """The variables that have a value for sure where a rule holds."""
    bodies = [
        variables(item.atom) for item in rule.body if isinstance(item, Literal) and item.is_positive
    ]
    return {name for body in bodies for name in body}


def positive_atoms(chosen: Choice, values: Bindings) -> Iterator[Term]:
    """The atoms that must hold for conditions to hold."""
    for item in chosen:
        if isinstance(item, Literal) and item.is_positive:
            yield substitute(item.atom, values)

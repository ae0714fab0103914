"""Clauses: rules in the plain form that a grounder takes, and the names of relations we add."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count

from gdl.errors import Span
from gdl.rulesheet import Relation
from gdl.rulesheet.graph import DOES, TRUE
from gdl.terms import Compound, Constant, Term, Variable, resolve, substitute, unify, variables

Bindings = dict[Variable, Term]


@dataclass(frozen=True, slots=True)
class Clause:
    """The head holds if all positive atoms hold, no negative one does, and all pairs differ.

    `span` is the place of the rule from which the clause was made.
    """

    head: Term
    positive: tuple[Term, ...] = ()
    negative: tuple[Term, ...] = ()
    distinct: tuple[tuple[Term, Term], ...] = ()
    span: Span | None = None

    @property
    def relation(self) -> Relation:
        """Symbol and arity of the head."""
        return Relation.of(self.head)

    @property
    def unbound(self) -> set[Variable]:
        """Variables of the head that no positive atom has."""
        return variables(self.head) - variables_of(self.positive)

    def with_positive(self, *atoms: Term) -> Clause:
        """The clause with further conditions before its own."""
        return replace(self, positive=(*atoms, *self.positive))

    def __str__(self) -> str:
        conditions = [
            *map(str, self.positive),
            *(f"(not {atom})" for atom in self.negative),
            *(f"(distinct {left} {right})" for left, right in self.distinct),
        ]
        return f"(<= {self.head} {' '.join(conditions)})" if conditions else str(self.head)


class NewRelations:
    """Gives names to relations that the rulesheet does not have.

    They begin with a character that occurs in no symbol of either notation.
    """

    def __init__(self) -> None:
        self._numbers = count(1)

    def name(self, kind: str) -> str:
        """A name that was not given before; `kind` says in print what the relation is for."""
        return f"\0{kind}{next(self._numbers)}"

    def atom(self, kind: str, args: Iterable[Variable]) -> Term:
        """An atom of a new relation between variables, in the order of their names."""
        return atom(self.name(kind), tuple(sorted(args, key=str)))


def atom(name: str, args: tuple[Term, ...]) -> Term:
    """The atom of a relation and its arguments, of which there may be none."""
    return Compound(name, args) if args else Constant(name)


def variables_of(terms: Iterable[Term]) -> set[Variable]:
    """All variables of some terms."""
    return set().union(*map(variables, terms))


def static_relations(clauses: Iterable[Clause]) -> set[Relation]:
    """The relations that are the same in every state: none of their clauses leads to a state."""
    callees: dict[Relation, set[Relation]] = {TRUE: set(), DOES: set()}
    for clause in clauses:
        called = callees.setdefault(clause.relation, set())
        called.update(map(Relation.of, (*clause.positive, *clause.negative)))
    changing = {TRUE, DOES}
    waiting = True
    while waiting:
        more = {name for name, called in callees.items() if called & changing} - changing
        changing |= more
        waiting = bool(more)
    return callees.keys() - changing


Pairs = Sequence[tuple[Term, Term]]


class NoAnswerError(Exception):
    """A question takes too long, or is none that is answered here."""


class StaticAnswers:
    """Asks clauses without negation that are the same in every state."""

    def __init__(self, clauses: Iterable[Clause], most_steps: int) -> None:
        self._clauses: dict[Relation, list[Clause]] = {}
        for clause in clauses:
            self._clauses.setdefault(clause.relation, []).append(clause)
        self._steps_left = most_steps
        self._known: dict[Term, list[Term] | None] = {}

    def about(self, question: Term) -> list[Term]:
        """The instances of an atom that hold; NoAnswerError if one is open, or it takes long."""
        # Names of its own, which no clause has.
        names = sorted(variables(question), key=str)
        question = substitute(question, {x: Variable(f"\0{n}") for n, x in enumerate(names)})
        if question not in self._known:
            self._known[question] = None
            self._known[question] = list(dict.fromkeys(self._instances(question)))
        found = self._known[question]
        if found is None:
            raise NoAnswerError
        return found

    def instances(self, term: Term, goals: Sequence[Term]) -> Iterator[Term]:
        """The values of a term for which some atoms hold; NoAnswerError as in `about`."""
        return self._solved(term, (), goals, {})

    def _instances(self, question: Term) -> Iterator[Term]:
        for clause in self._clauses.get(Relation.of(question), ()):
            self._steps_left -= 1
            if self._steps_left < 0 or clause.negative:
                raise NoAnswerError
            bindings: Bindings = {}
            if unify(clause.head, question, bindings):
                yield from self._solved(question, clause.distinct, clause.positive, bindings)

    def _solved(
        self, term: Term, distinct: Pairs, goals: Sequence[Term], bindings: Bindings
    ) -> Iterator[Term]:
        if not goals:
            found = resolve(term, bindings)
            pairs = [(resolve(a, bindings), resolve(b, bindings)) for a, b in distinct]
            if not all(x.is_ground for x in (found, *chain.from_iterable(pairs))):
                raise NoAnswerError
            if all(left is not right for left, right in pairs):
                yield found
            return
        goal, *others = goals
        goal = resolve(goal, bindings)
        for answer in self.about(goal):
            extended = dict(bindings)
            if unify(goal, answer, extended):
                yield from self._solved(term, distinct, others, extended)

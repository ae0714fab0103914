"""Clauses: rules in the plain form that a grounder takes, and the names of relations we add."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import count

from gdl.errors import Span
from gdl.rulesheet import Relation
from gdl.rulesheet.graph import DOES, TRUE
from gdl.terms import Compound, Constant, Term, Variable, substitute, variables

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


def args_of(term: Term) -> tuple[Term, ...]:
    """The arguments of an atom; none for a proposition."""
    return term.args if isinstance(term, Compound) else ()


def variables_of(terms: Iterable[Term]) -> set[Variable]:
    """All variables of some terms."""
    return set().union(*map(variables, terms))


def unify(left: Term, right: Term, bindings: Bindings) -> bool:
    """Make two terms equal by values for their variables, if that is possible.

    Args:
        left: A term.
        right: Another.
        bindings: Values found before, without cycles; extended in place.

    See Robinson, "A machine-oriented logic based on the resolution principle", J. ACM 1965.
    """
    pairs = [(left, right)]
    while pairs:
        first, second = (resolve(term, bindings) for term in pairs.pop())
        if first is second:
            continue
        if isinstance(second, Variable):
            first, second = second, first
        if isinstance(first, Variable):
            if first in variables(second):
                return False
            bindings[first] = second
        elif isinstance(first, Compound) and Relation.of(first) == Relation.of(second):
            pairs.extend(zip(first.args, args_of(second), strict=True))
        else:
            return False
    return True


def resolve(term: Term, bindings: Bindings) -> Term:
    """A term with the values of its variables, and the values of the variables in these."""
    while variables(term) & bindings.keys():
        term = substitute(term, bindings)
    return term


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

"""Demand: compute relations that would otherwise explode only for the values in question.

Take a rule such as "(x, y) is threatened if the piece on (u, v) is left aside". Bottom-up it holds
for all values of u and v, while the game asks about few of them. For such a relation `p`, a new
relation lists the values in question: "p is asked about these values". It becomes a condition of
all clauses of `p`. The clauses of the new relation follow from the places where `p` is used, and
from the values that the other conditions there give. This is the magic-set transformation:
Bancilhon, Maier, Sagiv, Ullman, "Magic sets and other strange ways to implement logic programs",
PODS 1986.

Questions give values only to *free* arguments. An argument is free if some clause gives it all
values of a domain, whatever the other arguments are.

Which questions come up depends on the state. So for the grounder they may hold or not, like the
facts of a state. In the ground program every such condition is assumed to hold (see
`gdl.ground.assemble`). This is safe. Without its question, a ground rule is still an instance of
the original clause. And no instance is missing that matters: if the other conditions of a body that
uses an atom can hold, then so can the question about that atom.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod

from gdl.ground.clauses import OUTPUTS, Clause, NewRelations, atom, static_relations, variables_of
from gdl.rulesheet import Relation
from gdl.rulesheet.graph import DOES, TRUE
from gdl.terms import Compound, Constant, Term, Variable, args_of, variables

# The path to a value: relation and argument index, then the same for each nested function term.
Place = tuple[tuple[Relation, int], ...]

_MAX_DEPTH = 5  # of function terms; deeper nesting may be infinite
_MAX_PASSES = 50
_SAME_AS: dict[Relation, Relation] = {
    Relation("init", 1): TRUE,
    Relation("next", 1): TRUE,
    Relation("legal", 2): DOES,
}


class Domains:
    """The values that may occur at each place in a set of clauses."""

    def __init__(self, clauses: Iterable[Clause]) -> None:
        self._values: dict[Place, set[Constant | Relation]] = {}
        self._has_grown = False
        rules: list[tuple[Clause, dict[Variable, list[Place]]]] = []
        for clause in clauses:
            if clause.positive:
                rules.append((clause, _places(clause.positive)))
            else:
                self._add(clause, {})
        for _ in range(_MAX_PASSES):
            self._has_grown = False
            for clause, places in rules:
                self._add(clause, places)
            if not self._has_grown:
                break

    def size(self, relation: Relation, indexes: Iterable[int]) -> int:
        """Return the number of combinations of values that some arguments may have, at least 1."""
        return prod(max(1, self._size(((relation, index),))) for index in indexes)

    def _size(self, place: Place) -> int:
        return sum(
            1
            if isinstance(value, Constant)
            else prod(self._size((*place, (value, index))) for index in range(value.arity))
            for value in self._values.get(place, ())
        )

    def _add(self, clause: Clause, places: dict[Variable, list[Place]]) -> None:
        relations = {clause.relation, _SAME_AS.get(clause.relation, clause.relation)}
        for relation in relations:
            for index, arg in enumerate(args_of(clause.head)):
                self._add_term(((relation, index),), arg, places)

    def _add_term(self, place: Place, term: Term, places: dict[Variable, list[Place]]) -> None:
        if isinstance(term, Variable):
            self._meet(place, places.get(term, []))
        elif isinstance(term, Compound):
            name = Relation.of(term)
            self._extend(place, {name})
            for index, arg in enumerate(term.args):
                self._add_term((*place, (name, index)), arg, places)
        elif isinstance(term, Constant):
            self._extend(place, {term})

    def _meet(self, place: Place, given: Sequence[Place]) -> None:
        if not given or len(place) > _MAX_DEPTH:
            return
        found = set.intersection(*(self._values.get(other, set()) for other in given))
        self._extend(place, found)
        for value in found:
            if isinstance(value, Relation):
                for index in range(value.arity):
                    child = (value, index)
                    self._meet((*place, child), [(*other, child) for other in given])

    def _extend(self, place: Place, found: set[Constant | Relation]) -> None:
        values = self._values.setdefault(place, set())
        if not found <= values:
            values |= found
            self._has_grown = True


def _places(conditions: Sequence[Term]) -> dict[Variable, list[Place]]:
    found: dict[Variable, list[Place]] = {}
    for condition in conditions:
        for place, name in _variables(condition, ()):
            found.setdefault(name, []).append(place)
    return found


def _variables(term: Term, place: Place) -> Iterator[tuple[Place, Variable]]:
    if isinstance(term, Variable):
        yield place, term
    elif isinstance(term, Compound):
        name = Relation.of(term)
        for index, arg in enumerate(term.args):
            yield from _variables(arg, (*place, (name, index)))


FreePlaces = dict[Relation, set[int]]


@dataclass(frozen=True, slots=True)
class Demand:
    """Questions about a relation: the relation that lists them, and the arguments they bind."""

    relation: Relation
    places: tuple[int, ...]


def restrict(
    clauses: Sequence[Clause], domains: Domains, new: NewRelations, min_size: int, min_gain: int
) -> tuple[list[Clause], dict[Relation, Demand]]:
    """Rewrite clauses so that relations that would explode are computed on demand.

    Return the clauses, and the questions about each such relation. In each clause of the relation,
    the question is the first condition. A relation is computed on demand if it might hold for at
    least `min_size` combinations of values, and if the questions may contain at least `min_gain`
    combinations.
    """
    demand = _Demand(clauses, domains, min_size, min_gain)
    asked = {
        relation: Demand(Relation(new.name("asked"), len(places)), tuple(sorted(places)))
        for relation, places in demand.bound.items()
    }
    rewriting = _Rewriting(demand, asked)
    found = (part for clause in clauses for part in rewriting.rewrite(clause))
    return list(dict.fromkeys(found)), asked


@dataclass(frozen=True, slots=True)
class _Use:
    """An atom of a relation computed on demand, and the conditions of its body that give values."""

    atom: Term
    given: tuple[Term, ...]


class _Demand:
    def __init__(
        self, clauses: Sequence[Clause], domains: Domains, min_size: int, min_gain: int
    ) -> None:
        self._clauses = clauses
        self._domains = domains
        self._min_gain = min_gain
        self._static = static_relations(clauses)
        self.bound: dict[Relation, frozenset[int]] = {
            relation: frozenset(places)
            for relation, places in _free_places(clauses).items()
            if relation not in OUTPUTS
            and relation not in self._static
            and domains.size(relation, range(relation.arity)) >= min_size
        }
        while self._narrow():
            pass  # an argument that is no longer bound may have bound others

    def _narrow(self) -> bool:
        before = dict(self.bound)
        for clause in self._clauses if before else ():
            for used in self._used(clause):
                known = variables_of(self.known(clause))
                relation = Relation.of(used)
                self.bound[relation] &= {
                    place for place, arg in enumerate(args_of(used)) if variables(arg) <= known
                }
        for relation in before:
            bound = self.bound[relation]
            if not bound or self._domains.size(relation, bound) < self._min_gain:
                del self.bound[relation]
        return self.bound != before

    def _used(self, clause: Clause) -> Iterator[Term]:
        for used in (*clause.positive, *clause.negative):
            if Relation.of(used) in self.bound:
                yield used

    def known(self, clause: Clause) -> tuple[Term, ...]:
        return (*self.asked_args(clause.head), *filter(self._narrows, clause.positive))

    def _narrows(self, found: Term) -> bool:
        """Return whether an atom in a body restricts the values that a relation is asked about.

        It does not if its relation is itself computed on demand, or only lists possible values (see
        `is_domain`).
        """
        relation = Relation.of(found)
        return relation not in self.bound and not is_domain(relation, self._static)

    def asked_args(self, found: Term) -> tuple[Term, ...]:
        places = self.bound.get(Relation.of(found), frozenset())
        return tuple(arg for place, arg in enumerate(args_of(found)) if place in places)

    def uses(self, clause: Clause) -> Iterator[_Use]:
        own = variables_of(self.asked_args(clause.head))
        given = [found for found in clause.positive if Relation.of(found) not in self.bound]
        for used in self._used(clause):
            wanted = variables_of(self.asked_args(used))
            open_ = wanted - own
            near = variables_of(found for found in given if variables(found) & open_) | own | wanted
            kept = tuple(found for found in given if variables(found) <= near) if open_ else ()
            yield _Use(used, kept)


class _Rewriting:
    def __init__(self, demand: _Demand, asked: dict[Relation, Demand]) -> None:
        self._demand = demand
        self._asked = asked

    def rewrite(self, clause: Clause) -> Iterator[Clause]:
        guards = self._guards(clause.head)
        yield clause.with_positive(*guards)
        for use in self._demand.uses(clause):
            (head,) = self._guards(use.atom)
            body = (*guards, *use.given)
            if head not in body:
                known = variables_of(body)
                pairs = tuple(pair for pair in clause.distinct if variables_of(pair) <= known)
                yield Clause(head, body, (), pairs, clause.span)

    def _guards(self, found: Term) -> tuple[Term, ...]:
        relation = Relation.of(found)
        if relation not in self._asked:
            return ()
        return (atom(self._asked[relation].relation.name, self._demand.asked_args(found)),)


def is_domain(relation: Relation, static: set[Relation]) -> bool:
    """Return whether a relation does nothing but list possible values."""
    return relation.arity == 1 and relation in static


def _free_places(clauses: Sequence[Clause]) -> FreePlaces:
    static = static_relations(clauses)
    free: FreePlaces = {}
    size = -1
    while sum(map(len, free.values())) > size:
        size = sum(map(len, free.values()))
        for clause in clauses:
            if clause.positive:
                _find_free(clause, static, free)
    return free


def _find_free(clause: Clause, static: set[Relation], free: FreePlaces) -> None:
    args = args_of(clause.head)
    for place, arg in enumerate(args):
        if (
            isinstance(arg, Variable)
            and args.count(arg) == 1
            and all(
                _leaves_free(found, arg, static, free)
                for found in clause.positive
                if arg in variables(found)
            )
        ):
            free.setdefault(clause.relation, set()).add(place)


def _leaves_free(found: Term, name: Variable, static: set[Relation], free: FreePlaces) -> bool:
    assert isinstance(found, Compound)
    relation = Relation.of(found)
    if is_domain(relation, static):
        return True
    places = free.get(relation, ())
    return all(
        arg is name and place in places
        for place, arg in enumerate(found.args)
        if name in variables(arg)
    )

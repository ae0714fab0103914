"""Number of values that the arguments of relations may take, estimated without grounding.

Every argument, and every argument of a function term in it, is looked at on its own: it may take
the values that some clause gives it, where a variable of a body has those that all its places
allow. This is more than what can happen, and is found in a few passes over the clauses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import prod

from gdl.ground.clauses import Clause, args_of
from gdl.rulesheet import Relation
from gdl.rulesheet.graph import DOES, TRUE
from gdl.terms import Compound, Constant, Term, Variable

# An argument: its relation and index, then the same for each function term around what is meant.
Place = tuple[tuple[Relation, int], ...]

_MAX_DEPTH = 5  # of function terms: deeper ones may be without end
_MAX_PASSES = 50
_SAME_AS: dict[Relation, Relation] = {
    Relation("init", 1): TRUE,
    Relation("next", 1): TRUE,
    Relation("legal", 2): DOES,
}


class Domains:
    """The values that each place of some clauses may take."""

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
        """Number of combinations of values that some arguments may take, at least 1."""
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
        """Add the values that all given places have."""
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


def _places(atoms: Sequence[Term]) -> dict[Variable, list[Place]]:
    """Places of each variable in some atoms."""
    found: dict[Variable, list[Place]] = {}
    for atom in atoms:
        for place, name in _variables(atom, ()):
            found.setdefault(name, []).append(place)
    return found


def _variables(term: Term, place: Place) -> Iterator[tuple[Place, Variable]]:
    if isinstance(term, Variable):
        yield place, term
    elif isinstance(term, Compound):
        name = Relation.of(term)
        for index, arg in enumerate(term.args):
            yield from _variables(arg, (*place, (name, index)))

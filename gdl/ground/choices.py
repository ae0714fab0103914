"""Choices: clauses that differ in one condition become one, and choices of comparisons several.

"A bishop, or a rook, or a queen at (u, v) that differs from (x, y)" compares once per place
if the choice of the piece is a relation.

Where a relation says that two cells are different, `(<= (differ ?x ?y ?u ?v) (distinct ?x ?u))` and
a second rule for `?y` and `?v`, four variables have to be known together. Its two rules instead
need two at a time, and what else holds of the others can be split off (see `gdl.ground.split`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace

from gdl.ground.clauses import Clause, NewRelations, atom, static_relations, variables_of
from gdl.ground.demand import Domains
from gdl.rulesheet import Relation
from gdl.terms import Term, Variable, args_of, substitute, variables


def merge(clauses: Sequence[Clause], new: NewRelations) -> list[Clause]:
    """Clauses of the same meaning of which none differ in one positive condition only."""
    merging = _Merging(new)
    found = list(clauses)
    while (group := _largest_group(found)) is not None:
        found = list(merging.apply(found, group))
    return [*merging.added, *found]


_Group = dict[int, Term]  # the index of each clause, and the condition in which it differs


def _largest_group(clauses: Sequence[Clause]) -> _Group | None:
    groups: dict[Hashable, _Group] = {}
    for index, clause in enumerate(clauses):
        for condition in clause.positive:
            # Without other variables the rest only tests: it holds at most once per condition.
            if not _variables_without(clause, condition) <= variables(condition):
                group = groups.setdefault(_rest(clause, condition), {})
                group.setdefault(index, condition)
    return max((group for group in groups.values() if len(group) > 1), key=len, default=None)


def _rest(clause: Clause, condition: Term) -> Hashable:
    rest = frozenset(found for found in clause.positive if found is not condition)
    shared = variables(condition) & _variables_without(clause, condition)
    others = frozenset(clause.negative), frozenset(clause.distinct)
    return clause.head, rest, *others, frozenset(shared)


def _variables_without(clause: Clause, condition: Term) -> set[Variable]:
    rest = (found for found in clause.positive if found is not condition)
    pairs = (term for pair in clause.distinct for term in pair)
    return variables_of((clause.head, *rest, *clause.negative, *pairs))


class _Merging:
    """Makes relations for choices; equal choices are one. Their clauses are `added`."""

    def __init__(self, new: NewRelations) -> None:
        self._new = new
        self._known: dict[frozenset[Term], str] = {}
        self.added: list[Clause] = []

    def apply(self, clauses: Sequence[Clause], group: _Group) -> Iterator[Clause]:
        first = min(group)
        for index, clause in enumerate(clauses):
            if index == first:
                shared = variables(group[index]) & _variables_without(clause, group[index])
                rest = tuple(found for found in clause.positive if found is not group[index])
                choice = self._choice(group.values(), sorted(shared, key=str), clause)
                yield replace(clause, positive=(*rest, choice))
            elif index not in group:
                yield clause

    def _choice(self, options: Iterable[Term], shared: Sequence[Variable], clause: Clause) -> Term:
        """The atom that says that one of some conditions holds, between the shared variables."""
        order: dict[Variable, Term] = {
            name: Variable(f"?{place}") for place, name in enumerate(shared)
        }
        patterns = dict.fromkeys(substitute(option, order) for option in options)
        name = self._known.get(frozenset(patterns))
        if name is None:
            name = self._known[frozenset(patterns)] = self._new.name("any")
            head = atom(name, tuple(order.values()))
            self.added.extend(Clause(head, (pattern,), span=clause.span) for pattern in patterns)
        return atom(name, tuple(shared))


_MAX_CLAUSES = 3
_MAX_COPIES = 9  # of a clause that uses several such relations


def unfold(clauses: Sequence[Clause], domains: Domains, min_size: int) -> list[Clause]:
    """Clauses without relations that are choices of comparisons and hold for `min_size` values."""
    choices = _choices(clauses, domains, min_size)
    static = static_relations(clauses)
    found: list[Clause] = []
    for clause in clauses:
        copies = [clause] if clause.relation in static else list(_unfold(clause, choices))
        found.extend(copies if len(copies) <= _MAX_COPIES else [clause])
    return found


def _choices(
    clauses: Sequence[Clause], domains: Domains, min_size: int
) -> dict[Relation, list[Clause]]:
    static = static_relations(clauses)
    found: dict[Relation, list[Clause]] = {}
    for clause in clauses:
        found.setdefault(clause.relation, []).append(clause)
    return {
        relation: own
        for relation, own in found.items()
        if domains.size(relation, range(relation.arity)) >= min_size
        and 1 < len(own) <= _MAX_CLAUSES
        and all(_compares(clause, static) for clause in own)
    }


def _compares(clause: Clause, static: set[Relation]) -> bool:
    """Whether a clause compares some of its arguments, which are all in domains."""
    args = args_of(clause.head)
    domains = all(Relation.of(found).arity == 1 for found in clause.positive)
    known = {Relation.of(found) for found in clause.positive} <= static
    is_plain = all(isinstance(arg, Variable) for arg in args) and len(set(args)) == len(args)
    is_closed = variables(clause.head) == set().union(*map(variables, clause.positive))
    has_only_comparisons = bool(clause.distinct) and not clause.negative and domains and known
    return has_only_comparisons and is_plain and is_closed


def _unfold(clause: Clause, choices: dict[Relation, list[Clause]]) -> Iterator[Clause]:
    """The copies of a clause in which each such condition is one of its clauses' bodies."""
    used = next((found for found in clause.positive if Relation.of(found) in choices), None)
    if used is None:
        yield clause
        return
    rest = tuple(found for found in clause.positive if found is not used)
    for choice in choices[Relation.of(used)]:
        values = _values(choice.head, used)
        domains = tuple(substitute(found, values) for found in choice.positive)
        pairs = tuple((substitute(a, values), substitute(b, values)) for a, b in choice.distinct)
        copy = replace(
            clause,
            positive=tuple(dict.fromkeys((*rest, *domains))),
            distinct=(*clause.distinct, *pairs),
        )
        if all(left is not right for left, right in pairs):
            yield from _unfold(copy, choices)


def _values(head: Term, used: Term) -> dict[Variable, Term]:
    pairs = zip(args_of(head), args_of(used), strict=True)
    return {name: value for name, value in pairs if isinstance(name, Variable)}

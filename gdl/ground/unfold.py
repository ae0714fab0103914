"""Relations that say no more than "one of these pairs differs" are replaced by what they say.

Board games state that two cells are different: `(<= (differ ?x ?y ?u ?v) (distinct ?x ?u))` with a
second rule for `?y` and `?v`. Where such a relation is used, the four variables have to be known
together. Its two rules in its place need two at a time, and what else holds of the others can be
split off (see `gdl.ground.split`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gdl.ground.clauses import Clause, args_of, static_relations
from gdl.ground.domains import Domains
from gdl.rulesheet import Relation
from gdl.terms import Term, Variable, substitute, variables

_MAX_CLAUSES = 3
_MAX_COPIES = 9  # of a clause that uses several such relations


def unfold(clauses: Sequence[Clause], domains: Domains, min_size: int) -> list[Clause]:
    """Clauses of the same meaning that use no relation that is a choice of comparisons.

    Args:
        clauses: What to rewrite.
        domains: Of these clauses.
        min_size: For how many values such a relation might hold at least; smaller ones cost little.
    """
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
    """The relations to be replaced, with their clauses."""
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

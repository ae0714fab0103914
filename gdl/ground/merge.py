"""Clauses that differ in one condition become one clause and a relation that offers the choice.

"A bishop, or a rook, or a queen at (u, v) that differs from (x, y)" then compares once per place
instead of once per place and kind of piece.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace

from gdl.ground.clauses import Clause, NewRelations, atom, variables_of
from gdl.terms import Term, Variable, substitute, variables


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
    """All of a clause but one condition, and the variables that it shares with that."""
    rest = frozenset(found for found in clause.positive if found is not condition)
    shared = variables(condition) & _variables_without(clause, condition)
    others = frozenset(clause.negative), frozenset(clause.distinct)
    return clause.head, rest, *others, frozenset(shared)


def _variables_without(clause: Clause, condition: Term) -> set[Variable]:
    rest = (found for found in clause.positive if found is not condition)
    pairs = (term for pair in clause.distinct for term in pair)
    return variables_of((clause.head, *rest, *clause.negative, *pairs))


class _Merging:
    """Makes relations for choices; equal choices are one.

    Attributes:
        added: Their clauses.
    """

    def __init__(self, new: NewRelations) -> None:
        self._new = new
        self._known: dict[frozenset[Term], str] = {}
        self.added: list[Clause] = []

    def apply(self, clauses: Sequence[Clause], group: _Group) -> Iterator[Clause]:
        """The clauses with one in the place of a group."""
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

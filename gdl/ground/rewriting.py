"""Rewrite clauses so that grounding them yields fewer rules.

Long bodies become several short ones. A variable that does not occur in the head is eliminated: all
conditions that contain it become the body of a new relation. The arguments of that relation are the
variables that these conditions share with the rest of the clause. This is bucket elimination:
Dechter, "Bucket elimination: A unifying framework for reasoning", Artificial Intelligence 1999; for
logic programs Bichler, Morak, Woltran, "lpopt: A rule optimization tool for answer set
programming", LOPSTR 2016.

Clauses that differ in one condition are merged into one. Take "a bishop, or a rook, or a queen at
(u, v) that differs from (x, y)". Once the choice of the piece is a relation, only one comparison
per place is needed.

Choices of comparisons are unfolded into several clauses. For example, a relation may say that two
cells are different: `(<= (differ ?x ?y ?u ?v) (distinct ?x ?u))` and a second rule for `?y` and
`?v`. A clause that uses this relation needs the values of four variables together. If it uses the
bodies of the two rules instead, it needs two at a time, and the conditions on the other variables
can be split off.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from gdl.ground.clauses import Clause, NewRelations, atom, static_relations, variables_of
from gdl.ground.demand import Domains
from gdl.rulesheet import Relation
from gdl.terms import Compound, Constant, Term, Variable, args_of, substitute, variables


@dataclass(frozen=True, slots=True)
class _Condition:
    """A condition of a body: a `positive` or `negative` atom, or a `distinct` pair of terms."""

    kind: str
    terms: tuple[Term, ...]

    @property
    def variables(self) -> set[Variable]:
        return variables_of(self.terms)


@dataclass(frozen=True, slots=True)
class _Cut:
    """One way to cut a body in two: `inner` becomes a relation between the `shared` variables.

    `binders` are conditions in `rest` that bind variables of `inner`.
    """

    inner: tuple[_Condition, ...]
    rest: tuple[_Condition, ...]
    width: int
    shared: frozenset[Variable]
    binders: tuple[_Condition, ...] = ()

    @property
    def cost(self) -> tuple[int, int, int]:
        return self.width, len(self.shared), len(self.inner)


def split(
    clauses: Sequence[Clause], new: NewRelations, *, with_binders: bool = False
) -> list[Clause]:
    """Return clauses with the same meaning and shorter bodies. Equal parts share a relation.

    If `with_binders`, a negated condition may be split off together with a copy of the conditions
    that bind its variables. That pays off if bodies have very many instances.
    """
    splitter = _Splitter(new, static_relations(clauses), with_binders)
    found: list[Clause] = []
    for clause in clauses:
        found.extend(splitter.split(clause))
    return found


class _Splitter:
    def __init__(self, new: NewRelations, static: set[Relation], with_binders: bool) -> None:
        self._new = new
        self._static = static
        self._with_binders = with_binders
        self._known: dict[tuple[object, ...], str] = {}

    def split(self, clause: Clause) -> list[Clause]:
        found: list[Clause] = []
        outside = frozenset(variables(clause.head))
        body = _conditions(clause)
        while (cut := self._best_cut(body, outside)) is not None:
            head = self._relation(self._bind(cut, clause, found), clause, found)
            body = (*cut.rest, _Condition("positive", (head,)))
        found.append(_with_body(clause, body))
        return found

    def _best_cut(self, body: tuple[_Condition, ...], outside: frozenset[Variable]) -> _Cut | None:
        hidden = set().union(*(part.variables for part in body)) - outside
        cuts = (self._cut(body, outside, name) for name in sorted(hidden, key=str))
        return min((cut for cut in cuts if cut), key=lambda cut: cut.cost, default=None)

    def _cut(
        self, body: tuple[_Condition, ...], outside: frozenset[Variable], name: Variable
    ) -> _Cut | None:
        inner = [part for part in body if name in part.variables]
        known = set().union(*(part.variables for part in inner))
        inner += [part for part in body if part not in inner and self._goes_along(part, known)]
        bound = set().union(*(part.variables for part in inner if part.kind == "positive"))
        rest = [part for part in body if part not in inner]
        beyond = outside.union(*(part.variables for part in rest))
        if beyond <= known:
            return None
        binders = self._binders(rest, known - bound)
        if binders is None:
            return None
        return _Cut(tuple(inner), tuple(rest), len(known), frozenset(known & beyond), binders)

    def _binders(
        self, rest: Iterable[_Condition], missing: set[Variable]
    ) -> tuple[_Condition, ...] | None:
        found: list[_Condition] = []
        left = [part for part in rest if part.kind == "positive"] if self._with_binders else []
        while missing:
            best = max(left, key=lambda part: len(part.variables & missing), default=None)
            if best is None or not best.variables & missing:
                return None
            found.append(best)
            missing = missing - best.variables
        return tuple(found)

    def _goes_along(self, part: _Condition, known: set[Variable]) -> bool:
        """Return whether a condition only restricts the values of the variables in `known`."""
        if not part.variables or not part.variables <= known:
            return False
        return part.kind == "distinct" or Relation.of(part.terms[0]) in self._static

    def _bind(self, cut: _Cut, clause: Clause, found: list[Clause]) -> _Cut:
        known = set().union(*(part.variables for part in cut.inner))
        inner = cut.inner
        for binder in cut.binders:
            kept = frozenset(binder.variables & known)
            view = _Cut((binder,), (), len(binder.variables), kept)
            is_whole = kept == binder.variables
            atom = binder.terms[0] if is_whole else self._relation(view, clause, found)
            inner = (*inner, _Condition("positive", (atom,)))
        return replace(cut, inner=inner)

    def _relation(self, cut: _Cut, clause: Clause, found: list[Clause]) -> Term:
        """Return an atom of the relation for a cut. Cuts with equal conditions share a relation."""
        order: dict[Variable, Term] = {}
        for part in cut.inner:
            for term in part.terms:
                _number(term, order)
        shared = tuple(name for name in order if name in cut.shared)
        conditions = tuple(
            (part.kind, *(substitute(term, order) for term in part.terms)) for part in cut.inner
        )
        key = (conditions, tuple(order[name] for name in shared))
        known = self._known.get(key)
        name = self._known[key] = known or self._new.name("part")
        head: Term = Compound(name, shared) if shared else Constant(name)
        if known is None:
            found.append(_with_body(Clause(head, span=clause.span), cut.inner))
            if all(self._is_static(part) for part in cut.inner):
                self._static.add(Relation.of(head))
        return head

    def _is_static(self, part: _Condition) -> bool:
        return part.kind == "distinct" or Relation.of(part.terms[0]) in self._static


def _number(term: Term, order: dict[Variable, Term]) -> None:
    if isinstance(term, Variable):
        order.setdefault(term, Variable(f"?{len(order)}"))
    elif isinstance(term, Compound):
        for arg in term.args:
            _number(arg, order)


def _conditions(clause: Clause) -> tuple[_Condition, ...]:
    return (
        *(_Condition("positive", (atom,)) for atom in clause.positive),
        *(_Condition("negative", (atom,)) for atom in clause.negative),
        *(_Condition("distinct", pair) for pair in clause.distinct),
    )


def _with_body(clause: Clause, body: Iterable[_Condition]) -> Clause:
    parts = tuple(body)
    return replace(
        clause,
        positive=tuple(part.terms[0] for part in parts if part.kind == "positive"),
        negative=tuple(part.terms[0] for part in parts if part.kind == "negative"),
        distinct=tuple((part.terms[0], part.terms[1]) for part in parts if part.kind == "distinct"),
    )


def merge(clauses: Sequence[Clause], new: NewRelations) -> list[Clause]:
    """Merge clauses that differ in only one positive condition. Their meaning stays the same."""
    merging = _Merging(new)
    found = list(clauses)
    while (group := _largest_group(found)) is not None:
        found = list(merging.apply(found, group))
    return [*merging.added, *found]


_Group = dict[int, Term]  # from the index of each clause to the condition in which it differs


def _largest_group(clauses: Sequence[Clause]) -> _Group | None:
    groups: dict[Hashable, _Group] = {}
    for index, clause in enumerate(clauses):
        for condition in clause.positive:
            # If the rest has no variables of its own, it holds at most once for each instance of
            # the condition, and merging saves nothing.
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
    """A maker of relations that stand for a choice of several conditions.

    `added` are the clauses of these relations. Equal choices share a relation.
    """

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
_MAX_COPIES = 9  # per clause that uses several choices


def unfold(clauses: Sequence[Clause], domains: Domains, min_size: int) -> list[Clause]:
    """Replace relations that are choices of comparisons by their clauses.

    Only relations that may hold for at least `min_size` combinations of values are replaced.
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
    args = args_of(clause.head)
    domains = all(Relation.of(found).arity == 1 for found in clause.positive)
    known = {Relation.of(found) for found in clause.positive} <= static
    is_plain = all(isinstance(arg, Variable) for arg in args) and len(set(args)) == len(args)
    is_closed = variables(clause.head) == set().union(*map(variables, clause.positive))
    has_only_comparisons = bool(clause.distinct) and not clause.negative and domains and known
    return has_only_comparisons and is_plain and is_closed


def _unfold(clause: Clause, choices: dict[Relation, list[Clause]]) -> Iterator[Clause]:
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

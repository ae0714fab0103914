"""Long bodies become several short ones, so that fewer rules remain when variables get values.

A variable that the head does not have is eliminated: all conditions with it become the body of a
new relation between the variables that they share with the rest. This is bucket elimination:
Dechter, "Bucket elimination: A unifying framework for reasoning", Artificial Intelligence 1999; for
logic programs Bichler, Morak, Woltran, "lpopt: A rule optimization tool for answer set
programming", LOPSTR 2016.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from gdl.ground.clauses import Clause, NewRelations, static_relations, variables_of
from gdl.rulesheet import Relation
from gdl.terms import Compound, Constant, Term, Variable, substitute, variables


@dataclass(frozen=True, slots=True)
class _Condition:
    """One condition of a body: atoms of the kind `positive` or `negative`, pairs of `distinct`."""

    kind: str
    terms: tuple[Term, ...]

    @property
    def variables(self) -> set[Variable]:
        return variables_of(self.terms)


@dataclass(frozen=True, slots=True)
class _Cut:
    """One way to cut a body in two: `inner` becomes a relation between the `shared` variables.

    `binders` are conditions of the rest of which `inner` needs some variables to be safe.
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
    """Clauses with the same meaning and shorter bodies; equal parts are shared.

    With binders, a negated condition may be cut off together with a copy of what gives its
    variables values. That is worth its cost where bodies have very many instances.
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
        """The cut that eliminates a variable; None if nothing is gained, or it is not safe."""
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
        """Conditions that give values to the missing variables; None if there are none."""
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
        """Whether a condition only narrows down values that are known: it leaves no trace."""
        if not part.variables or not part.variables <= known:
            return False
        return part.kind == "distinct" or Relation.of(part.terms[0]) in self._static

    def _bind(self, cut: _Cut, clause: Clause, found: list[Clause]) -> _Cut:
        """The cut with its binders, of which only the variables that it needs are left."""
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
        """The atom of the relation of a cut; its clause is found once for equal conditions."""
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
    """Give the variables of a term numbers, in the order in which they occur."""
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

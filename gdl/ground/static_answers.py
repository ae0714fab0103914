"""Answers about static relations, sought from the question on, not for all values that exist."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from gdl.ground.clauses import Bindings, Clause, resolve, unify
from gdl.rulesheet import Relation
from gdl.terms import Term, Variable, substitute, variables

Pairs = Sequence[tuple[Term, Term]]


class NoAnswerError(Exception):
    """A question takes too long, or is none that is answered here."""


class StaticAnswers:
    """Asks clauses without negation that are the same in every state.

    Args:
        clauses: Those of all relations that may be asked about.
        most_steps: So many clauses may be tried.
    """

    def __init__(self, clauses: Iterable[Clause], most_steps: int) -> None:
        self._clauses: dict[Relation, list[Clause]] = {}
        for clause in clauses:
            self._clauses.setdefault(clause.relation, []).append(clause)
        self._steps_left = most_steps
        self._known: dict[Term, list[Term] | None] = {}

    def about(self, question: Term) -> list[Term]:
        """The instances of an atom that hold.

        Raises:
            NoAnswerError: It depends on itself or on a negation, has an open instance, or takes too
                long.
        """
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
        """The values of a term for which some atoms hold.

        Raises:
            NoAnswerError: As for `about`.
        """
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

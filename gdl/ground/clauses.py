"""Turn rules into clauses, without disjunctions, equalities and unsafe variables.

The meaning of unsafe rules is the same as for the interpreter. A negated literal with an unbound
variable says that no such fact exists. A comparison with an unbound variable is dropped. A rule
with an unbound variable in its head holds for every value, but cannot list the values. So the rule
is dropped if it defines one of the `OUTPUTS`. Otherwise the rulesheet cannot be grounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count, product

from gdl.errors import Span
from gdl.ground import GroundingError, Reason
from gdl.rulesheet import (
    Body,
    Comparison,
    DependsOn,
    Disjunction,
    Item,
    Literal,
    Relation,
    Rule,
    Rulesheet,
)
from gdl.rulesheet.graph import DOES, TRUE
from gdl.rulesheet.rules import item_variables, positive_variables
from gdl.terms import (
    Compound,
    Constant,
    Term,
    Variable,
    args_of,
    resolve,
    substitute,
    unify,
    variables,
)

Bindings = dict[Variable, Term]


@dataclass(frozen=True, slots=True)
class Clause:
    """A rule whose body is a plain conjunction.

    The head holds if all positive atoms hold, no negative atom holds, and the two terms of each
    pair in `distinct` differ. `span` is the place of the rule from which the clause was made.
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
        """Variables of the head that occur in no positive atom."""
        return variables(self.head) - variables_of(self.positive)

    def with_positive(self, *atoms: Term) -> Clause:
        """Return the clause with further conditions in front of its own."""
        return replace(self, positive=(*atoms, *self.positive))

    def __str__(self) -> str:
        conditions = [
            *map(str, self.positive),
            *(f"(not {atom})" for atom in self.negative),
            *(f"(distinct {left} {right})" for left, right in self.distinct),
        ]
        return f"(<= {self.head} {' '.join(conditions)})" if conditions else str(self.head)


class NewRelations:
    """A generator of names for relations that the rulesheet does not have.

    The names begin with a character that occurs in no symbol of either notation.
    """

    def __init__(self) -> None:
        self._numbers = count(1)

    def name(self, kind: str) -> str:
        """Return an unused name. `kind` shows in printed clauses what the relation is for."""
        return f"\0{kind}{next(self._numbers)}"

    def atom(self, kind: str, args: Iterable[Variable]) -> Term:
        """Return an atom of a new relation whose arguments are `args`, sorted by name."""
        return atom(self.name(kind), tuple(sorted(args, key=str)))


def atom(name: str, args: tuple[Term, ...]) -> Term:
    """Return the atom of the relation `name` with the arguments `args`, which may be empty."""
    return Compound(name, args) if args else Constant(name)


def variables_of(terms: Iterable[Term]) -> set[Variable]:
    """Return all variables of the given terms."""
    return set().union(*map(variables, terms))


def static_relations(clauses: Iterable[Clause]) -> set[Relation]:
    """Return the relations that depend on neither `true` nor `does`. They never change."""
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
    """Raised if a question takes too many steps, or if `StaticAnswers` cannot answer it."""


class StaticAnswers:
    """An evaluator for clauses that contain no negation and are the same in every state."""

    def __init__(self, clauses: Iterable[Clause], most_steps: int) -> None:
        self._clauses: dict[Relation, list[Clause]] = {}
        for clause in clauses:
            self._clauses.setdefault(clause.relation, []).append(clause)
        self._steps_left = most_steps
        self._known: dict[Term, list[Term] | None] = {}

    def about(self, question: Term) -> list[Term]:
        """Return the instances of an atom that hold.

        Raises NoAnswerError if an instance has variables, if the answer depends on the question
        itself or on a negation, or if it takes too many steps.
        """
        # Rename the variables to names that occur in no clause.
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
        """Yield the values of `term` for which all `goals` hold.

        Raises NoAnswerError in the same cases as `about`.
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


# The relations that define a game, and what each of them may depend on.
OUTPUTS: dict[Relation, DependsOn] = {
    Relation("role", 1): DependsOn.RULES,
    Relation("init", 1): DependsOn.RULES,
    Relation("legal", 2): DependsOn.STATE,
    Relation("goal", 2): DependsOn.STATE,
    Relation("terminal", 0): DependsOn.STATE,
    Relation("next", 1): DependsOn.MOVES,
    Relation("sees", 2): DependsOn.MOVES,
}
_ASKED_BY_ROLE = frozenset({"legal", "goal", "sees"})
_MAX_BRANCHES = 4096  # per rule, when its disjunctions are multiplied out

Branch = tuple[Literal | Comparison, ...]


def normalise(rulesheet: Rulesheet, new: NewRelations) -> list[Clause]:
    """Return the clauses of all rules that affect the course of a game.

    Raises GroundingError if a rule uses the state or the moves where these are not known yet, if
    rules multiply out to too many clauses, or if the head of a rule has an unbound variable and is
    not one of the `OUTPUTS`.
    """
    graph = rulesheet.graph
    relevant = graph.reachable(OUTPUTS) - {TRUE, DOES}
    _check_dependence(rulesheet)
    clauses: list[Clause] = []
    for rule in rulesheet.rules:
        if rule.relation in relevant:
            clauses.extend(_Reading(rule, new).clauses())
    return clauses


def _check_dependence(rulesheet: Rulesheet) -> None:
    for relation, allowed in OUTPUTS.items():
        if rulesheet.graph.dependence(relation) > allowed:
            what = "moves" if allowed is DependsOn.STATE else "state"
            raise GroundingError(
                Reason.STATELESS,
                f"'{relation}' depends on the {what}, which is not allowed",
                rulesheet.definitions[relation][0].span,
            )


class _Reading:
    def __init__(self, rule: Rule, new: NewRelations) -> None:
        self._rule = rule
        self._new = new
        self._found: list[Clause] = []

    def clauses(self) -> list[Clause]:
        body = self._without_products(self._rule.body)
        for branch in self._branches(body):
            clause = self._solve(branch)
            if clause is not None and not self._gives_nothing(clause):
                self._found.append(clause)
        return self._found

    def _gives_nothing(self, clause: Clause) -> bool:
        """Return whether the clause defines an output and has an unbound variable in its head.

        Raise GroundingError if a clause for any other relation has such a variable.
        """
        if clause.unbound and clause.relation not in OUTPUTS:
            name = min(map(str, clause.unbound))
            raise GroundingError(
                Reason.UNSAFE,
                f"no positive condition gives a value to variable {name} in the head of this rule",
                clause.span,
            )
        return bool(clause.unbound)

    def _without_products(self, body: Body) -> Body:
        if sum(isinstance(item, Disjunction) for item in body) < 2:
            return body
        items: list[Item] = []
        for place, item in enumerate(body):
            others = [other for index, other in enumerate(body) if index != place]
            outside = variables(self._rule.head).union(*map(item_variables, others))
            if isinstance(item, Disjunction) and _stands_alone(item, outside):
                items.append(self._as_relation(item, outside))
            else:
                items.append(item)
        return tuple(items)

    def _as_relation(self, item: Disjunction, outside: set[Variable]) -> Literal:
        head = self._new.atom("or", item_variables(item) & outside)
        for branch in item.branches:
            rule = Rule(head, branch, self._rule.form)
            self._found.extend(_Reading(rule, self._new).clauses())
        return Literal(head, is_positive=True, span=item.span)

    def _branches(self, body: Body) -> Iterator[Branch]:
        if _num_branches(body) > _MAX_BRANCHES:
            raise GroundingError(
                Reason.SIZE,
                f"the 'or' conditions of this rule have more than {_MAX_BRANCHES} "
                "combinations; split the rule, or move an 'or' to a relation of its own",
                self._rule.span,
            )
        return _multiply(body)

    def _solve(self, branch: Branch) -> Clause | None:
        bindings: Bindings = {}
        for item in branch:
            if isinstance(item, Literal) or item.is_distinct:
                continue
            if not unify(item.left, item.right, bindings):
                return None
        atoms = [item for item in branch if isinstance(item, Literal)]
        found = Clause(
            resolve(self._rule.head, bindings),
            tuple(dict.fromkeys(resolve(x.atom, bindings) for x in atoms if x.is_positive)),
            tuple(dict.fromkeys(resolve(x.atom, bindings) for x in atoms if not x.is_positive)),
            tuple(
                (resolve(item.left, bindings), resolve(item.right, bindings))
                for item in branch
                if isinstance(item, Comparison) and item.is_distinct
            ),
            self._rule.span,
        )
        return self._compare(self._with_role(found))

    def _with_role(self, clause: Clause) -> Clause:
        first = args_of(clause.head)[:1]
        if clause.relation.name not in _ASKED_BY_ROLE or not variables_of(first) & clause.unbound:
            return clause
        return clause.with_positive(Compound("role", first))

    def _compare(self, clause: Clause) -> Clause | None:
        """Decide the comparisons that can be decided, and drop those with unbound variables.

        Return None if the clause can never hold.
        """
        bound = variables_of(clause.positive) | variables(clause.head)
        distinct = []
        for left, right in clause.distinct:
            if left is right:
                return None
            is_open = not (left.is_ground and right.is_ground)
            if is_open and variables_of((left, right)) <= bound:
                distinct.append((left, right))
        negative = tuple(
            atom if variables(atom) <= bound else self._none_of(atom, bound)
            for atom in clause.negative
        )
        return Clause(clause.head, clause.positive, negative, tuple(distinct), clause.span)

    def _none_of(self, atom: Term, bound: set[Variable]) -> Term:
        head = self._new.atom("some", variables(atom) & bound)
        self._found.append(Clause(head, (atom,), span=self._rule.span))
        return head


def _stands_alone(item: Disjunction, outside: set[Variable]) -> bool:
    shared = item_variables(item) & outside
    return all(shared <= positive_variables(branch) for branch in item.branches)


def _num_branches(body: Body) -> int:
    total = 1
    for item in body:
        if isinstance(item, Disjunction):
            total *= sum(_num_branches(branch) for branch in item.branches)
    return total


def _multiply(body: Body) -> Iterator[Branch]:
    choices: list[list[Branch]] = []
    for item in body:
        if isinstance(item, Disjunction):
            choices.append([part for branch in item.branches for part in _multiply(branch)])
        else:
            choices.append([(item,)])
    for choice in product(*choices):
        yield tuple(item for part in choice for item in part)

"""Rules to clauses: no disjunction, no equality, no variable that only a negation mentions.

What the interpreter reads into unsafe rules is read here as well: a negated literal with a variable
that nothing binds says that there is no such fact, and a comparison with one is dropped. A rule
whose head has one would hold for whatever value it is asked about, which cannot be grounded.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from gdl.ground import GroundingError, Reason
from gdl.ground.clauses import Bindings, Clause, NewRelations, variables_of
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
from gdl.terms import Compound, Term, Variable, args_of, resolve, unify, variables

# What a game is made of, and what it may depend on.
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
_MAX_BRANCHES = 4096  # of one rule, when its disjunctions are multiplied out

Branch = tuple[Literal | Comparison, ...]


def normalise(rulesheet: Rulesheet, new: NewRelations) -> list[Clause]:
    """The clauses of all rules on which the course of a game depends.

    Raises GroundingError if rules ask about the state where there is none, multiply out to too many
    clauses, or have a head with a variable that nothing binds.
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
                f"'{relation}' depends on the {what}, of which there is none when it is asked",
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
        """Whether nobody can be given an answer: the head of an output has an unbound variable."""
        if clause.unbound and clause.relation not in OUTPUTS:
            name = min(map(str, clause.unbound))
            raise GroundingError(
                Reason.UNSAFE, f"nothing gives a value to {name} in the head of a rule", clause.span
            )
        return bool(clause.unbound)

    def _without_products(self, body: Body) -> Body:
        """If several disjunctions stand side by side, each that can becomes a relation."""
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
                f"the disjunctions of a rule multiply out to more than {_MAX_BRANCHES} rules",
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
        """Moves, goals and percepts are asked of a role, so an open one stands for every role."""
        first = args_of(clause.head)[:1]
        if clause.relation.name not in _ASKED_BY_ROLE or not variables_of(first) & clause.unbound:
            return clause
        return clause.with_positive(Compound("role", first))

    def _compare(self, clause: Clause) -> Clause | None:
        """Decide what can be decided, drop what nothing binds; None if it never holds."""
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
        """A relation that says that there is such a fact."""
        head = self._new.atom("some", variables(atom) & bound)
        self._found.append(Clause(head, (atom,), span=self._rule.span))
        return head


def _stands_alone(item: Disjunction, outside: set[Variable]) -> bool:
    """Whether every branch binds all the variables that it shares with its surroundings."""
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

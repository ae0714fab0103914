"""Loop guards: arguments whose only purpose is to keep a recursion from running in circles.

A rulesheet written for top-down evaluation may keep a list of the places that a path has passed:

    (<= (path ?from ?to ?passed) (append ?from ?passed ?now) (step ?from ?next)
        (path ?next ?to ?now))

Here `append` has no answer if the place is already in the list. There are too many lists to ground.
But a recursion that is evaluated bottom-up cannot run in circles, and the shortest derivation of an
atom passes no place twice, so the argument is not needed. An argument is a loop guard, and is
dropped, if

- only static relations restrict it, and all conditions outside of the recursion give it the same
  term, such as the empty list;
- only one clause of the recursion adds an element to it, and that element determines the arguments
  that change along a path. So different atoms on a path, derived by that clause, add different
  elements;
- all places can be added one after another, in any order. No clause that is involved names a
  place, so all places are treated alike, and it is enough to try one order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gdl.ground.clauses import (
    OUTPUTS,
    Clause,
    NewRelations,
    NoAnswerError,
    StaticAnswers,
    atom,
    static_relations,
    variables_of,
)
from gdl.rulesheet import Relation
from gdl.rulesheet.graph import Components
from gdl.terms import Constant, Term, Variable, args_of, resolve, variables

MAX_STEPS = 200_000  # limit of clauses tried to check that all places can be added

Group = frozenset[Relation]


def without_loop_guards(clauses: Sequence[Clause], new: NewRelations) -> list[Clause]:
    """Return the clauses without loop guards and without clauses that only guards need."""
    static = static_relations(clauses)
    found = list(clauses)
    for group in _groups(clauses):
        arities = {relation.arity for relation in group}
        if group & static or len(arities) > 1:
            continue
        for place in range(arities.pop()):
            uses = _uses(found, group, place, static)
            if uses is not None and _is_guard(found, uses):
                found = _needed(_dropped(found, group, place, uses, new), set(OUTPUTS))
                break
    return found


@dataclass(frozen=True, slots=True)
class _Step:
    """A clause of a group of relations, and what the clause does with a possible guard argument."""

    clause: Clause
    guard: Variable  # the argument in the clause's head
    own: Term | None  # the atom in the body whose relation is in the group, if any
    handed: Variable  # the argument in that atom, or `guard` if there is none
    conditions: tuple[Term, ...]  # the atoms that contain either variable

    @property
    def adds(self) -> bool:
        return self.handed is not self.guard


@dataclass(frozen=True, slots=True)
class _Uses:
    """All uses of one argument of a group of relations that depend on each other.

    `first` is the only term that clauses outside of the group give to the argument.
    """

    first: Term
    steps: tuple[_Step, ...]
    place: int


def _uses(
    clauses: Sequence[Clause], group: Group, place: int, static: set[Relation]
) -> _Uses | None:
    first: set[Term] = set()
    steps = []
    for clause in clauses:
        if clause.relation in group:
            step = _step(clause, group, place, static)
            if step is None:
                return None
            steps.append(step)
        else:
            atoms = (*clause.positive, *clause.negative)
            first |= {args_of(x)[place] for x in atoms if Relation.of(x) in group}
    if len(first) != 1 or not all(term.is_ground for term in first):
        return None
    return _Uses(first.pop(), tuple(steps), place)


def _step(clause: Clause, group: Group, place: int, static: set[Relation]) -> _Step | None:
    guard = args_of(clause.head)[place]
    own = [found for found in clause.positive if Relation.of(found) in group]
    if not isinstance(guard, Variable) or len(own) > 1:
        return None
    handed = args_of(own[0])[place] if own else guard
    if not isinstance(handed, Variable):
        return None
    names = {guard, handed}
    conditions = tuple(x for x in clause.positive if x not in own and variables(x) & names)
    elsewhere = [
        *(arg for term in (clause.head, *own) for i, arg in enumerate(args_of(term)) if i != place),
        *clause.negative,
        *(term for pair in clause.distinct for term in pair),
    ]
    if variables_of(elsewhere) & names or not static.issuperset(map(Relation.of, conditions)):
        return None
    if group & {Relation.of(found) for found in clause.negative}:
        return None
    return _Step(clause, guard, own[0] if own else None, handed, conditions)


def _is_guard(clauses: Sequence[Clause], uses: _Uses) -> bool:
    adding = [step for step in uses.steps if step.adds]
    tests = [step for step in uses.steps if not step.adds]
    if len(adding) != 1 or any(variables_of(step.conditions) - {step.guard} for step in tests):
        return False
    added = variables_of(adding[0].conditions) - {adding[0].guard, adding[0].handed}
    if len(added) != 1:
        return False
    (name,) = added
    elements = _elements(clauses, uses, adding[0], name)
    asked = {Relation.of(found) for step in uses.steps for found in step.conditions}
    needed = _needed(clauses, asked)
    if not elements or not _are_alike(needed, elements):
        return False
    return _can_be_added(StaticAnswers(needed, MAX_STEPS), uses, adding[0], name, elements)


def _elements(
    clauses: Sequence[Clause], uses: _Uses, step: _Step, name: Variable
) -> list[Constant]:
    """Return all elements that can be added to the argument.

    Return an empty list if different atoms on a path may add the same element.
    """
    others = [x for x in step.clause.positive if x not in step.conditions and name in variables(x)]
    if len(others) != 1 or others[0] is step.own or name in variables(step.clause.head):
        return []
    (naming,) = others
    args = args_of(naming)
    if args.count(name) != 1:
        return []
    head = args_of(step.clause.head)
    if not {head[place] for place in _changing(uses)} <= set(args):
        return []
    facts = [clause for clause in clauses if clause.relation == Relation.of(naming)]
    if not all(
        clause.head.is_ground and clause == Clause(clause.head, span=clause.span)
        for clause in facts
    ):
        return []
    place = args.index(name)
    rows = {args_of(clause.head) for clause in facts}
    found = {row[place] for row in rows}
    if len(found) != len(rows):
        return []
    return [element for element in found if isinstance(element, Constant)]


def _changing(uses: _Uses) -> set[int]:
    changing: set[int] = set()
    for step in uses.steps:
        if step.own is not None:
            pairs = zip(args_of(step.clause.head), args_of(step.own), strict=True)
            changing |= {
                place
                for place, (old, new) in enumerate(pairs)
                if old is not new or not isinstance(old, Variable)
            }
    return changing - {uses.place}


def _are_alike(clauses: Sequence[Clause], elements: Sequence[Constant]) -> bool:
    """Return whether the clauses treat all elements alike.

    Only facts of unary relations may name elements. Each such relation must name all or none.
    """
    names = set(elements)
    domains: dict[Relation, set[Term]] = {}
    for clause in clauses:
        if clause.relation.arity == 1 and clause.head.is_ground and not clause.positive:
            domains.setdefault(clause.relation, set()).update(args_of(clause.head))
            continue
        pairs = [term for pair in clause.distinct for term in pair]
        if names & _constants((clause.head, *clause.positive, *clause.negative, *pairs)):
            return False
    return all(names <= found or not names & found for found in domains.values())


def _constants(terms: Sequence[Term]) -> set[Term]:
    found: set[Term] = set()
    for term in terms:
        found |= _constants(args_of(term)) if args_of(term) else {term}
    return found


def _can_be_added(
    answers: StaticAnswers, uses: _Uses, adding: _Step, name: Variable, elements: Sequence[Constant]
) -> bool:
    guard = uses.first
    tests = [step for step in uses.steps if not step.adds]
    try:
        for element in (*elements, None):
            asked = [resolve(x, {step.guard: guard}) for step in tests for x in step.conditions]
            if not all(answers.about(found) for found in asked):
                return False
            if element is None:
                break
            values: dict[Variable, Term] = {adding.guard: guard, name: element}
            goals = [resolve(found, values) for found in adding.conditions]
            following = next(answers.instances(adding.handed, goals), None)
            if following is None:
                return False
            guard = following
    except (NoAnswerError, RecursionError):
        return False
    return True


def _dropped(
    clauses: Sequence[Clause], group: Group, place: int, uses: _Uses, new: NewRelations
) -> list[Clause]:
    names = {relation: new.name(relation.name) for relation in sorted(group, key=str)}
    conditions = {step.clause: step.conditions for step in uses.steps}

    def without(found: Term) -> Term:
        if Relation.of(found) not in group:
            return found
        args = args_of(found)
        return atom(names[Relation.of(found)], (*args[:place], *args[place + 1 :]))

    return [
        replace(
            clause,
            head=without(clause.head),
            positive=tuple(
                without(x) for x in clause.positive if x not in conditions.get(clause, ())
            ),
            negative=tuple(map(without, clause.negative)),
        )
        for clause in clauses
    ]


def _groups(clauses: Sequence[Clause]) -> Iterator[frozenset[Relation]]:
    callees: dict[Relation, set[Relation]] = {}
    for clause in clauses:
        called = {Relation.of(found) for found in (*clause.positive, *clause.negative)}
        callees.setdefault(clause.relation, set()).update(called)
    successors = {one: called & callees.keys() for one, called in callees.items()}
    for found in Components(successors).find():
        if len(found) > 1 or found[0] in successors[found[0]]:
            yield frozenset(found)


def _needed(clauses: Sequence[Clause], relations: set[Relation]) -> list[Clause]:
    by_relation: dict[Relation, list[Clause]] = {}
    for clause in clauses:
        by_relation.setdefault(clause.relation, []).append(clause)
    seen = set(relations)
    waiting = list(seen)
    while waiting:
        for clause in by_relation.get(waiting.pop(), ()):
            called = {Relation.of(found) for found in (*clause.positive, *clause.negative)} - seen
            seen |= called
            waiting += called
    return [clause for clause in clauses if clause.relation in seen]

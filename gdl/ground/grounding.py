"""Turn a rulesheet into its ground program, within a budget.

The clauses are first rewritten so that they have few instances. Long bodies are always split.
Relations that would explode are computed on demand. If there are such relations, the other
rewriting steps pay off as well: choices are merged, bodies are split even if that takes a copy of
some conditions, and clauses are put into layers.

The head of a clause may hold for any value of some arguments: a knight threatens a cell whichever
piece is left aside. Such clauses define a relation without these arguments, which is called a
layer. A layer is computed once instead of once for each value.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from gdl.ground import Budget, GroundingDeadline
from gdl.ground.assemble import assemble
from gdl.ground.clauses import Clause, NewRelations, atom, normalise, static_relations, variables_of
from gdl.ground.demand import Demand, Domains, restrict
from gdl.ground.fixpoint import Fixpoint
from gdl.ground.loop_guards import without_loop_guards
from gdl.ground.program import GroundProgram
from gdl.ground.rewriting import merge, split, unfold
from gdl.kif import read_kif
from gdl.rulesheet import Relation, Rulesheet
from gdl.terms import Term, Variable, args_of, variables

# The open arguments of a head, each with the names of its domains.
_Open = frozenset[tuple[int, frozenset[str]]]


def separate(
    clauses: Sequence[Clause], asked: Mapping[Relation, Demand], new: NewRelations
) -> tuple[list[Clause], frozenset[Relation]]:
    """Put the clauses into layers. Return them, and all relations that list questions.

    Such a relation lists for which values another relation is computed; see `gdl.ground.demand`.
    """
    static = static_relations(clauses)
    stacks = {relation: _Stack(relation, questions, new) for relation, questions in asked.items()}
    found: list[Clause] = []
    for clause in clauses:
        stack = stacks.get(clause.relation)
        found.append(stack.place(clause, static) if stack else clause)
    for stack in stacks.values():
        found.extend(stack.links())
    return found, frozenset().union(*(stack.asked for stack in stacks.values()))


class _Stack:
    """The layers of one relation. `asked` are the relations that list questions about them."""

    def __init__(self, relation: Relation, asked: Demand, new: NewRelations) -> None:
        self._new = new
        self._places = asked.places
        self._args = tuple(Variable(f"?{place}") for place in range(relation.arity))
        self._layers: dict[_Open, tuple[str, str]] = {
            frozenset(): (relation.name, asked.relation.name)
        }
        self.asked: set[Relation] = {asked.relation}

    def place(self, clause: Clause, static: set[Relation]) -> Clause:
        opened = _open_args(clause, self._places, static)
        if not opened:
            return clause
        if opened not in self._layers:
            self._layers[opened] = self._new.name("layer"), self._new.name("asked")
        args = args_of(clause.head)
        names = {args[place] for place, _ in opened}
        body = tuple(found for found in clause.positive[1:] if not names & variables(found))
        return replace(
            clause, head=self._head(args, opened), positive=(*self._guards(args, opened), *body)
        )

    def links(self) -> Iterator[Clause]:
        for opened in self._layers:
            if not opened:
                continue
            below = max((other for other in self._layers if other < opened), key=len)
            domains = (
                atom(name, (self._args[place],))
                for place, names in sorted(opened - below, key=lambda part: part[0])
                for name in sorted(names)
            )
            yield Clause(
                self._head(self._args, below),
                (*self._guards(self._args, below), *domains, self._head(self._args, opened)),
            )
            for guard in self._guards(self._args, opened):
                self.asked.add(Relation.of(guard))
                yield Clause(guard, self._guards(self._args, frozenset()))

    def _head(self, args: Sequence[Term], opened: _Open) -> Term:
        left = {place for place, _ in opened}
        kept = tuple(arg for place, arg in enumerate(args) if place not in left)
        return atom(self._layers[opened][0], kept)

    def _guards(self, args: Sequence[Term], opened: _Open) -> tuple[Term, ...]:
        left = {place for place, _ in opened}
        kept = tuple(args[place] for place in self._places if place not in left)
        return (atom(self._layers[opened][1], kept),) if kept else ()


def _open_args(clause: Clause, places: Iterable[int], static: set[Relation]) -> _Open:
    args = args_of(clause.head)
    tested = variables_of((*clause.negative, *(term for pair in clause.distinct for term in pair)))
    found: set[tuple[int, frozenset[str]]] = set()
    for place in places:
        arg = args[place]
        uses = [Relation.of(part) for part in clause.positive[1:] if arg in variables(part)]
        is_domain = all(relation.arity == 1 and relation in static for relation in uses)
        is_single = sum(arg in variables(other) for other in args) == 1
        if isinstance(arg, Variable) and arg not in tested and is_domain and is_single:
            found.add((place, frozenset(relation.name for relation in uses)))
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class GroundingLimits:
    """The sizes (see `Domains.size`) above which rewriting beyond splitting bodies pays off."""

    on_demand: int = 2**16  # of a relation that is computed on demand
    gain: int = 2**7  # of the questions about it; more than most boards have cells
    unfolded: int = 2**14  # of a choice of comparisons that is replaced by its clauses


DEFAULT_LIMITS = GroundingLimits()


@dataclass(frozen=True, slots=True)
class GroundingPlan:
    """The clauses to ground.

    `asked` are those of their relations that list for which values another relation has to be
    computed; see `gdl.ground.demand`.
    """

    clauses: list[Clause]
    asked: frozenset[Relation] = frozenset()


def prepare(rulesheet: Rulesheet, limits: GroundingLimits = DEFAULT_LIMITS) -> GroundingPlan:
    """Rewrite the rules into clauses to ground.

    Raises GroundingError in the same cases as `normalise`.
    """
    new = NewRelations()
    clauses = without_loop_guards(normalise(rulesheet, new), new)
    domains = Domains(clauses)
    unfolded = unfold(clauses, domains, limits.unfolded)
    restricted, asked = restrict(unfolded, domains, new, limits.on_demand, limits.gain)
    if not asked:
        return GroundingPlan(split(clauses, new))
    layered, questions = separate(restricted, asked, new)
    return GroundingPlan(split(merge(layered, new), new, with_binders=True), questions)


DEFAULT_BUDGET = Budget()


def ground(
    rulesheet: Rulesheet, budget: Budget = DEFAULT_BUDGET, limits: GroundingLimits = DEFAULT_LIMITS
) -> GroundProgram:
    """Ground a rulesheet and return the ground program.

    Raises:
        GroundingError: The rules cannot be grounded, or not within the budget.
        RulesheetError: A statement has no meaning, or there is no role.
    """
    if rulesheet.refusal:
        raise rulesheet.refusal
    _load_kernels()
    return _ground(rulesheet, budget, limits)


def _ground(rulesheet: Rulesheet, budget: Budget, limits: GroundingLimits) -> GroundProgram:
    deadline = GroundingDeadline(budget)
    plan = prepare(rulesheet, limits)
    program = assemble(rulesheet, Fixpoint(plan.clauses, plan.asked, budget, deadline))
    deadline.check()
    return program


# It calls every kernel of the grounder.
_SMALLEST: Final = """
(role a) (init (p 1)) (legal a x) (q 1) (q 2) (<= (next (p ?x)) (q ?x) (true (p ?x)) (not r))
(<= r (true (p 2)))
"""


@cache
def _load_kernels() -> None:
    """Load the kernels of the grounder. Compiling them, once after an install, has no deadline."""
    _ground(read_kif(_SMALLEST), Budget(seconds=math.inf), DEFAULT_LIMITS)

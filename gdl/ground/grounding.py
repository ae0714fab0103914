"""Turn a rulesheet into its ground program, within a budget.

The clauses are first rewritten so that they have few instances. Long bodies are always split.
Relations that would explode are computed on demand. If there are such relations, the other
rewriting steps pay off as well: choices are merged, bodies are split even if that takes a copy of
some conditions, and clauses are put into layers.

A clause may leave some arguments of a question open: a knight threatens a cell whichever piece is
left aside. Such clauses define a relation without these arguments, a layer. A layer is computed
once instead of once per value.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from gdl.ground import Budget, GroundingDeadline, GroundingError, Reason
from gdl.ground.assemble import assemble
from gdl.ground.clauses import Clause, NewRelations, atom, normalise, static_relations, variables_of
from gdl.ground.demand import Demand, Domains, restrict
from gdl.ground.loop_guards import without_loop_guards
from gdl.ground.program import Encoding, GroundProgram, read_aspif
from gdl.ground.rewriting import merge, split, unfold
from gdl.rulesheet import Relation, Rulesheet
from gdl.terms import Term, Variable, args_of, variables

# The open arguments of a head, each with the names of its domains.
_Open = frozenset[tuple[int, frozenset[str]]]


def separate(
    clauses: Sequence[Clause], asked: Mapping[Relation, Demand], new: NewRelations
) -> tuple[list[Clause], frozenset[Relation]]:
    """Put the clauses into layers. Return them and all relations that hold questions."""
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
    """The layers of one relation. `asked` are the relations that hold questions about them."""

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

    `asked` are the relations in them that list for which values another relation has to be
    computed; see `gdl.ground.demand`.
    """

    clauses: list[Clause]
    asked: frozenset[Relation] = frozenset()


def prepare(rulesheet: Rulesheet, limits: GroundingLimits = DEFAULT_LIMITS) -> GroundingPlan:
    """Return the clauses to ground. Raises GroundingError in the same cases as `normalise`."""
    new = NewRelations()
    clauses = without_loop_guards(normalise(rulesheet, new), new)
    domains = Domains(clauses)
    unfolded = unfold(clauses, domains, limits.unfolded)
    restricted, asked = restrict(unfolded, domains, new, limits.on_demand, limits.gain)
    if not asked:
        return GroundingPlan(split(clauses, new))
    layered, questions = separate(restricted, asked, new)
    return GroundingPlan(split(merge(layered, new), new, with_binders=True), questions)


WORKER = Path(__file__).with_name("worker.py")
_OUT_OF_MEMORY = 33  # exit status, as in `worker`
_OUTPUT_SHARE = 4  # the output limit is the memory limit divided by this
_MAX_COMPLAINT = 4096  # characters


def run_grounder(program: bytes, budget: Budget, deadline: GroundingDeadline) -> bytes:
    """Run the grounder on an ASP program and return its aspif output.

    Raises GroundingError if the time or the memory runs out, or if the process dies.
    """
    output_limit = budget.memory // _OUTPUT_SHARE
    numbers = map(str, (len(program), budget.memory, output_limit))
    command = [sys.executable, "-P", str(WORKER), *numbers]
    with _memory_file() as output:
        process = subprocess.Popen(  # noqa: S603 - our own file
            command, stdin=subprocess.PIPE, stdout=output, stderr=subprocess.PIPE, bufsize=0
        )
        with process:
            try:
                _send(process, program)
                complaint = _await_end(process, deadline)
            finally:
                process.kill()
        _check(process.returncode, complaint, budget)
        output.seek(0)
        return output.read()


def _memory_file() -> IO[bytes]:
    """Open an unnamed file for the grounder's output, in memory if the system supports it."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("aspif"), "w+b")
    return tempfile.TemporaryFile()


def _send(process: subprocess.Popen[bytes], program: bytes) -> None:
    """Write the program. Keep the pipe open, so that the grounder notices if this process dies."""
    assert process.stdin is not None
    try:
        view = memoryview(program)
        while view:
            view = view[process.stdin.write(view) :]
    except BrokenPipeError:
        return  # the grounder died; its exit status says why


def _await_end(process: subprocess.Popen[bytes], deadline: GroundingDeadline) -> bytes:
    """Wait until the process closes its standard error, and return what it wrote there.

    `Popen.wait` with a timeout polls only every 50 ms, which is as long as grounding a small game
    takes.
    """
    assert process.stderr is not None
    complaint = b""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stderr, selectors.EVENT_READ)
        while True:
            if not selector.select(deadline.remaining()):
                raise deadline.error()
            part = process.stderr.read(_MAX_COMPLAINT)
            if not part:
                process.wait()
                return complaint
            complaint = (complaint + part)[:_MAX_COMPLAINT]


def _check(status: int, complaint: bytes, budget: Budget) -> None:
    if status == 0:
        return
    if status in (_OUT_OF_MEMORY, -signal.SIGXFSZ) or b"bad_alloc" in complaint:
        raise GroundingError(
            Reason.MEMORY, f"grounding needs more memory than {budget.memory / 2**20:.0f} MiB"
        )
    text = " ".join(complaint.decode(errors="replace").split())
    raise GroundingError(Reason.PROCESS, f"the grounder ended with status {status}: {text}")


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
    deadline = GroundingDeadline(budget)
    encoding = Encoding()
    plan = prepare(rulesheet, limits)
    text = run_grounder(encoding.program(plan.clauses, plan.asked), budget, deadline)
    rules = read_aspif(text)
    del text
    deadline.check()
    program = assemble(rulesheet, rules, encoding)
    deadline.check()
    return program

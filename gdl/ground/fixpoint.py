"""All ground rules that can matter: the clauses are evaluated until they give no new atoms.

What is true or done is left open: every fact that `init` or `next` gives may be true, and every
legal move may be made. Atoms of a relation that is the same in every state hold always. So the
ground rules do not mention them. Relations are evaluated after those that they depend on, and all
of them again as long as there are new facts and moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from gdl.ground import Budget, GroundingDeadline, GroundingError, Reason
from gdl.ground.clauses import Clause
from gdl.ground.joins import Instances, Join, Workspace
from gdl.ground.numbering import TermNumbers
from gdl.ground.program import FALSE, GroundRules, IntArray
from gdl.ground.program import TRUE as ALWAYS
from gdl.ground.relations import Atoms
from gdl.ground.tables import MISSING
from gdl.rulesheet import Relation
from gdl.rulesheet.graph import DOES, TRUE, Components
from gdl.terms import Compound, Term, args_of

ROLE: Final = Relation("role", 1)
INIT: Final = Relation("init", 1)
NEXT: Final = Relation("next", 1)
LEGAL: Final = Relation("legal", 2)
_MEMORY_SHARE: Final = 4  # while the ground rules are put together, there are several copies
_BYTES_OF_ATOM: Final = 64  # with its places in tables, about
_NONE: Final = np.zeros(0, np.int32)
_NOTHING: Final = np.zeros((0, 1), np.int32)


class Fixpoint:
    """The ground atoms of all relations, and the ground rules.

    Attributes:
        numbers: The numbers of the terms in the atoms.
    """

    def __init__(
        self,
        clauses: Sequence[Clause],
        asked: frozenset[Relation],
        budget: Budget,
        deadline: GroundingDeadline,
    ) -> None:
        self.numbers = TermNumbers(sorted(_functions(clauses)))
        self._deadline = deadline
        self._limit = budget.memory // _MEMORY_SHARE
        self._memory = 0  # bytes of the atoms and the ground rules, about
        self._num_atoms = 1  # FALSE is none
        self._opened: dict[Relation, int] = {}  # atoms of INIT, NEXT and LEGAL that are open
        called = _called(clauses)
        changing = _changing(clauses, called)
        relations = dict.fromkeys([ROLE, INIT, NEXT, LEGAL, TRUE, DOES, *called])
        self._atoms = {
            relation: Atoms(relation, self.numbers, is_static=relation not in changing)
            for relation in relations
        }
        workspace = Workspace(self.numbers, deadline)
        rules = {relation: list[_Rules]() for relation in called}
        for clause in clauses:
            join = Join(clause, self._atoms, asked, workspace)
            is_listed = clause.relation in changing and clause.relation not in asked
            rules[clause.relation].append(_Rules(join, is_listed=is_listed))
        # Each comes after those that it depends on.
        self._groups = [
            [rule for relation in component for rule in rules[relation]]
            for component in Components(called).find()
        ]
        self._evaluate()

    def _evaluate(self) -> None:
        for group in self._groups:
            self._extend_all(group)
        changing = [group for group in self._groups if any(not rule.is_static for rule in group)]
        while self._open():
            for group in changing:
                self._extend_all(group)

    def _extend_all(self, group: Sequence[_Rules]) -> None:
        while sum(map(self._extend, group)) and len(group) > 1:
            pass  # a clause may have new instances because of the clauses after it

    def _extend(self, rule: _Rules) -> bool:
        """Add the new instances of a clause. Return whether there are any."""
        atoms = rule.join.head.atoms
        is_new = False
        for found in rule.join.new():
            self._deadline.check()
            is_new = True
            before = atoms.size
            heads = self._add(atoms, rule.join.head.instances(found, self.numbers))
            self._count((atoms.size - before) * _BYTES_OF_ATOM)
            if rule.is_listed:
                self._count(rule.record(heads, found, self.numbers))
        return is_new

    def _count(self, memory: int) -> None:
        self._memory += memory
        if self._memory > self._limit:
            size = self._limit * _MEMORY_SHARE / 2**20
            raise GroundingError(Reason.MEMORY, f"grounding needs more memory than {size:.0f} MiB")

    def _add(self, atoms: Atoms, rows: IntArray) -> IntArray:
        before = atoms.size
        added = atoms.add(rows, self._num_atoms)
        self._num_atoms += atoms.size - before
        return added

    def _open(self) -> bool:
        """Let new facts be true, and new moves be made. Return whether there are any."""
        atoms = self._atoms
        true, does = atoms[TRUE], atoms[DOES]
        before = true.size + does.size
        for relation in (INIT, NEXT):
            self._add(true, self._unopened(relation))
        moves = self._unopened(LEGAL)
        self._add(does, moves[atoms[ROLE].table.find(moves[:, :1].copy()) != MISSING])
        return true.size + does.size > before

    def _unopened(self, relation: Relation) -> IntArray:
        rows = self._atoms[relation].rows
        seen = self._opened.get(relation, 0)
        self._opened[relation] = len(rows)
        return rows[seen:]

    def rows(self, relation: Relation) -> IntArray:
        """Return the arguments of the atoms of a relation, `[n, max(1, arity)]`."""
        return self._atoms[relation].rows if relation in self._atoms else _NOTHING

    def atoms(self, relation: Relation, rows: IntArray) -> IntArray:
        """Return the atoms of a relation with these arguments, `[n]`: numbers, ALWAYS or FALSE."""
        if relation not in self._atoms:
            return np.full(len(rows), FALSE, np.int32)
        atoms = self._atoms[relation]
        found = atoms.table.find(rows)
        known = ALWAYS if atoms.is_static else atoms.in_program[found]
        return np.where(found == MISSING, FALSE, known).astype(np.int32)

    def rules(self) -> GroundRules:
        """Return the ground rules."""
        heads, counts, literals = [_NONE], [_NONE], [_NONE]
        for group in self._groups:
            for rule in group:
                for part in rule.parts():
                    heads.append(part[:, 0])
                    body = part[:, 1:]
                    is_literal = body != FALSE
                    counts.append(is_literal.sum(1, dtype=np.int32))
                    literals.append(body[is_literal])
        offsets = np.concatenate([[0], np.cumsum(np.concatenate(counts))]).astype(np.int32)
        opened = [self._atoms[each].in_program[: self._atoms[each].size] for each in (TRUE, DOES)]
        return GroundRules(
            self._num_atoms,
            np.concatenate(heads),
            offsets,
            np.concatenate(literals),
            np.concatenate(opened),
        )


class _Rules:
    """The ground rules of a clause."""

    def __init__(self, join: Join, *, is_listed: bool) -> None:
        self.join = join
        self.is_listed = is_listed
        self.is_static = join.head.atoms.is_static
        self._found: list[tuple[IntArray, Mapping[int, IntArray], list[IntArray]]] = []

    def record(self, heads: IntArray, found: Instances, numbers: TermNumbers) -> int:
        """Record instances, and return how many bytes they take."""
        negative = [condition.instances(found, numbers) for condition in self.join.negative]
        self._found.append((heads, found.atoms, negative))
        return sum(array.nbytes for array in (heads, *found.atoms.values(), *negative))

    def parts(self) -> Iterator[IntArray]:
        """Yield a table of ground rules, `[n, 1 + literals]`, that begin with their heads.

        A literal is FALSE if the atom that it negates never holds.
        """
        positive, head = self.join.positive, self.join.head
        while self._found:
            heads, atoms, negative = self._found.pop()
            columns = [head.atoms.in_program[heads]]
            columns += [positive[place].atoms.in_program[own] for place, own in atoms.items()]
            for condition, rows in zip(self.join.negative, negative, strict=True):
                own = condition.atoms.table.find(rows)
                known = condition.atoms.in_program[own]
                columns.append(np.where(own == MISSING, FALSE, -known).astype(np.int32))
            yield np.stack(columns, axis=1)


def _functions(clauses: Iterable[Clause]) -> set[Relation]:
    found: set[Relation] = set()
    waiting: list[Term] = []
    for clause in clauses:
        atoms = (clause.head, *clause.positive, *clause.negative)
        waiting += [arg for atom in atoms for arg in args_of(atom)]
        waiting += [term for pair in clause.distinct for term in pair]
    while waiting:
        term = waiting.pop()
        if isinstance(term, Compound):
            found.add(Relation.of(term))
            waiting += term.args
    return found


def _called(clauses: Iterable[Clause]) -> dict[Relation, list[Relation]]:
    """Return the relations that each relation depends on within a state."""
    called: dict[Relation, dict[Relation, None]] = {}
    for clause in clauses:
        own = called.setdefault(clause.relation, {})
        own |= dict.fromkeys(map(Relation.of, (*clause.positive, *clause.negative)))
    for own in list(called.values()):
        for relation in own:
            called.setdefault(relation, {})
    return {relation: list(own) for relation, own in called.items()}


def _changing(clauses: Sequence[Clause], called: dict[Relation, list[Relation]]) -> set[Relation]:
    """Return the relations that can differ between states, or depend on their own negation."""
    changing = {TRUE, DOES}
    negated = {
        (clause.relation, Relation.of(atom)) for clause in clauses for atom in clause.negative
    }
    for component in Components(called).find():
        own = set(component)
        is_negated = any(
            (one, other) in negated for one in own for other in called[one] if other in own
        )
        if is_negated or any(other in changing for one in own for other in called[one]):
            changing |= own
    return changing

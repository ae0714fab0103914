"""The ground instances of one clause: joins of the ground atoms of its conditions.

Conditions are joined one after another, beginning with the one that has the fewest atoms. An index
finds the atoms that agree with the values of the variables so far. `distinct` pairs, and negated
conditions that are the same in every state, are tested as soon as their variables have values.

A clause can be evaluated again when its conditions have more atoms. Each instance is found once:
when the last of its atoms is new. See Bancilhon and Ramakrishnan, "An amateur's introduction to
recursive query processing strategies", SIGMOD 1986, on semi-naive evaluation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl.ground import GroundingDeadline
from gdl.ground.clauses import Clause
from gdl.ground.numbering import TermNumbers
from gdl.ground.program import IntArray
from gdl.ground.relations import Atoms, Pattern, View
from gdl.ground.tables import MISSING, find_matches
from gdl.rulesheet import Relation
from gdl.terms import Term, Variable, args_of

_ROOM: Final = 1 << 16  # matches that are found at once

Window = tuple[int, int]  # the first atom of a relation that counts, and the first after them


class Condition:
    """A condition of a clause."""

    def __init__(self, term: Term, atoms: Atoms, numbers: TermNumbers) -> None:
        self.atoms = atoms
        self.pattern = Pattern.of(args_of(term), numbers)
        self.variables = set(self.pattern.variables)
        self._view: View | None = None

    def instances(self, found: Instances, numbers: TermNumbers) -> IntArray:
        """Return the arguments of the condition, `[size, width]`, in some instances."""
        return self.pattern.instances(found.size, found.values, numbers)

    @property
    def view(self) -> View:
        """The atoms that have the shape of the condition."""
        if self._view is None:
            self._view = self.atoms.view(self.pattern)
        return self._view


class _Test(NamedTuple):
    """A test of values: a pair of terms that must differ, or an atom that must not hold."""

    variables: set[Variable]
    pattern: Pattern
    atoms: Atoms | None  # None for a pair

    def holds(self, found: Instances, numbers: TermNumbers) -> NDArray[np.bool_]:
        """Return whether each instance passes the test, `[size]`."""
        terms = self.pattern.instances(found.size, found.values, numbers)
        if self.atoms is None:
            return np.asarray(terms[:, 0] != terms[:, 1])
        return np.asarray(self.atoms.table.find(terms) == MISSING)


class _Step(NamedTuple):
    """One condition to join."""

    place: int  # of the condition in the clause
    columns: tuple[int, ...]  # of the view, for the variables that have values
    keys: tuple[Variable, ...]  # these variables
    found: tuple[tuple[Variable, int], ...]  # other variables, and the columns of their values
    equal: tuple[tuple[int, int], ...]  # columns that must be equal
    tests: tuple[_Test, ...]  # to be done now
    kept: frozenset[Variable]  # variables that are needed later


@dataclass(frozen=True, slots=True)
class Instances:
    """Some instances of a clause, or of its first conditions."""

    size: int
    values: Mapping[Variable, IntArray]  # of each variable that is needed later, `[size]`
    atoms: Mapping[int, IntArray]  # for each condition that can change, by place: `[size]`

    def select(self, rows: IntArray | NDArray[np.bool_], size: int) -> Instances:
        """Return some of the instances."""
        return Instances(
            size,
            {variable: values[rows] for variable, values in self.values.items()},
            {place: atoms[rows] for place, atoms in self.atoms.items()},
        )


class Workspace:
    """Data that the joins of all clauses share.

    Attributes:
        numbers: The numbers of the terms.
        deadline: When to give up.
        pairs: Room for the matches that are found at once.
    """

    def __init__(self, numbers: TermNumbers, deadline: GroundingDeadline) -> None:
        self.numbers = numbers
        self.deadline = deadline
        self.pairs = np.empty((2, _ROOM), np.int32)


class Join:
    """The evaluation of one clause.

    Attributes:
        head: Its head.
        negative: The negated conditions that can change.
    """

    def __init__(
        self,
        clause: Clause,
        atoms: Mapping[Relation, Atoms],
        asked: frozenset[Relation],
        workspace: Workspace,
    ) -> None:
        numbers = workspace.numbers

        def condition(term: Term) -> Condition:
            return Condition(term, atoms[Relation.of(term)], numbers)

        self.head = condition(clause.head)
        self.positive = [condition(term) for term in clause.positive]
        negative = [condition(term) for term in clause.negative]
        self.negative = [found for found in negative if not found.atoms.is_static]
        self._tests = [
            _Test(found.variables, found.pattern, found.atoms)
            for found in negative
            if found.atoms.is_static
        ]
        for pair in clause.distinct:
            pattern = Pattern.of(pair, numbers)
            self._tests.append(_Test(set(pattern.variables), pattern, None))
        # Places of the conditions that become literals of the ground rules.
        self._literals = {
            place
            for place, found in enumerate(self.positive)
            if not found.atoms.is_static and found.atoms.relation not in asked
        }
        self._workspace = workspace
        self._seen: list[int] | None = None  # atoms of each condition that were joined
        self._plans: dict[tuple[int, ...], list[_Step]] = {}

    def new(self) -> Iterator[Instances]:
        """Yield all instances that were not found before."""
        sizes = [found.atoms.size for found in self.positive]
        if sizes == self._seen:
            return
        seen, self._seen = self._seen or [0] * len(sizes), sizes
        if not sizes:
            yield from self._tested(Instances(1, {}, {}), self._tests)
        for place in range(len(sizes)):
            windows = self._windows(place, seen, sizes)
            if windows:
                yield from self._joined(windows)

    def _windows(self, place: int, seen: Sequence[int], sizes: Sequence[int]) -> list[Window]:
        """Return the rows of each condition that are joined if that at `place` is the last new one.

        Return an empty list if a condition has none.
        """
        ranges = [
            *((0, size) for size in seen[:place]),
            (seen[place], sizes[place]),
            *((0, size) for size in sizes[place + 1 :]),
        ]
        windows = list(ranges)
        for other in (place, *range(place), *range(place + 1, len(sizes))):
            start, end = ranges[other]
            if start < end:
                start, end = self.positive[other].view.window(start, end)
            if start >= end:
                return []
            windows[other] = start, end
        return windows

    def _joined(self, windows: Sequence[Window]) -> Iterator[Instances]:
        plan = self._plan(windows)
        parts = [self._matches(Instances(1, {}, {}), plan[0], windows)]
        while parts:
            found = next(parts[-1], None)
            if found is None:
                parts.pop()
            elif len(parts) == len(plan):
                yield found
            else:
                parts.append(self._matches(found, plan[len(parts)], windows))

    def _matches(
        self, given: Instances, step: _Step, windows: Sequence[Window]
    ) -> Iterator[Instances]:
        """Yield the instances with one more condition."""
        view, window = self.positive[step.place].view, windows[step.place]
        if not step.keys and given.size == 1:
            rows = np.arange(*window, dtype=np.int32)
            yield from self._filtered(given, step, np.zeros_like(rows), rows)
            return
        keys = np.empty((given.size, len(step.keys)), np.int32)
        for column, key in enumerate(step.keys):
            keys[:, column] = given.values[key]
        index = view.index(step.columns)
        chains = index.columns, index.heads, index.chain
        place, pairs = np.array([0, MISSING]), self._workspace.pairs
        while place[0] < given.size:
            self._workspace.deadline.check()
            count = find_matches(keys, view.rows, chains, window, place, pairs)
            if count:
                yield from self._filtered(given, step, pairs[0, :count], pairs[1, :count].copy())

    def _filtered(
        self, given: Instances, step: _Step, owners: IntArray, rows: IntArray
    ) -> Iterator[Instances]:
        condition = self.positive[step.place]
        columns = condition.view.rows
        for left, right in step.equal:
            is_equal = columns[rows, left] == columns[rows, right]
            rows, owners = rows[is_equal], owners[is_equal]
        values = {x: column[owners] for x, column in given.values.items()}
        values |= {x: columns[rows, column] for x, column in step.found}
        atoms = {place: column[owners] for place, column in given.atoms.items()}
        if step.place in self._literals:
            atoms[step.place] = condition.view.atoms(rows)
        for found in self._tested(Instances(len(rows), values, atoms), step.tests):
            kept = {x: column for x, column in found.values.items() if x in step.kept}
            yield Instances(found.size, kept, found.atoms)

    def _tested(self, found: Instances, tests: Sequence[_Test]) -> Iterator[Instances]:
        """Yield those instances that pass all tests, if there are any."""
        for test in tests:
            if found.size:
                holds = test.holds(found, self._workspace.numbers)
                found = found.select(holds, int(holds.sum()))
        if found.size:
            yield found

    def _plan(self, windows: Sequence[Window]) -> list[_Step]:
        sizes = [high - low for low, high in windows]
        key = tuple([size.bit_length() for size in sizes])
        if key not in self._plans:
            self._plans[key] = self._steps(self._order(sizes))
        return self._plans[key]

    def _order(self, sizes: Sequence[int]) -> list[int]:
        """Return the places of the conditions in the order in which they are joined.

        The next one is that with the fewest matches if every column had equally many values.
        """
        known: set[Variable] = set()

        def matches(place: int) -> float:
            variables = self.positive[place].pattern.variables
            free = sum(variable not in known for variable in variables)
            return float(sizes[place] ** (free / len(variables))) if free else 0.0

        order: list[int] = []
        left = list(range(len(sizes)))
        while left:
            place = min(left, key=matches) if order else min(left, key=sizes.__getitem__)
            left.remove(place)
            order.append(place)
            known |= self.positive[place].variables
        return order

    def _steps(self, order: Sequence[int]) -> list[_Step]:
        wanted = self.head.variables.union(*(found.variables for found in self.negative))
        steps: list[_Step] = []
        tests = list(self._tests)
        known: set[Variable] = set()
        for number, place in enumerate(order):
            condition = self.positive[place]
            variables = condition.pattern.variables
            columns = tuple([k for k, variable in enumerate(variables) if variable in known])
            found: dict[Variable, int] = {}
            equal: list[tuple[int, int]] = []
            for column, variable in enumerate(variables):
                if variable in found:
                    equal.append((found[variable], column))
                elif variable not in known:
                    found[variable] = column
            known |= condition.variables
            now = [test for test in tests if test.variables <= known]
            tests = [test for test in tests if not test.variables <= known]
            later = wanted.union(
                *(self.positive[other].variables for other in order[number + 1 :]),
                *(test.variables for test in tests),
            )
            needed = later.union(*(test.variables for test in now))
            steps.append(
                _Step(
                    place,
                    columns,
                    tuple([variables[column] for column in columns]),
                    tuple([item for item in found.items() if item[0] in needed]),
                    tuple(equal),
                    tuple(now),
                    frozenset(later),
                )
            )
        return steps

"""The ground atoms of a relation, and their parts as columns of numbers.

The arguments of an atom are numbers of terms. A condition such as `(true (cell ?x ?y b))` asks
about parts of these terms. Its `View` contains the atoms of `true` whose argument is a `cell` with
the third argument `b`, and has a column for each of the two variables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from gdl.ground.numbering import TermNumbers
from gdl.ground.program import IntArray
from gdl.ground.tables import Index, RowTable, with_room
from gdl.rulesheet import Relation
from gdl.terms import Compound, Constant, Term, Variable

# For each argument: the number of a constant; or a function symbol and the shape of its own
# arguments; or None for a variable.
Shape = tuple["int | tuple[int, Shape] | None", ...]


class Pattern(NamedTuple):
    """The shape of some terms, and the variables in it from left to right."""

    shape: Shape
    variables: tuple[Variable, ...]

    @staticmethod
    def of(terms: Sequence[Term], numbers: TermNumbers) -> Pattern:
        """Return the pattern of some terms."""
        found: list[Variable] = []

        def part_of(term: Term) -> int | tuple[int, Shape] | None:
            if isinstance(term, Compound):
                return numbers.symbols[Relation.of(term)], tuple(map(part_of, term.args))
            if isinstance(term, Constant):
                return numbers.constant(term)
            assert isinstance(term, Variable)
            found.append(term)
            return None

        return Pattern(tuple(map(part_of, terms)), tuple(found))

    def instances(
        self, size: int, values: Mapping[Variable, IntArray], numbers: TermNumbers
    ) -> IntArray:
        """Return the terms, `[size, terms]`, for values, `[size]`, of the variables.

        Without terms, there is a column of zeros.
        """
        left = iter(self.variables)

        def rows_of(shape: Shape) -> IntArray:
            rows = np.zeros((size, max(1, len(shape))), np.int32)
            for place, part in enumerate(shape):
                if isinstance(part, tuple):
                    symbol, args = part
                    rows[:, place] = numbers.compounds(symbol, rows_of(args))
                else:
                    rows[:, place] = values[next(left)] if part is None else part
            return rows

        return rows_of(self.shape)


class Atoms:
    """The ground atoms of a relation that were found so far.

    Attributes:
        table: Their arguments. A relation without arguments has a column of zeros.
        is_static: Whether the atoms hold in every state.
        in_program: `[capacity]` number of each atom in the ground program.
    """

    def __init__(self, relation: Relation, numbers: TermNumbers, *, is_static: bool) -> None:
        self.relation = relation
        self.table = RowTable(max(1, relation.arity))
        self.is_static = is_static
        self.in_program = np.empty(len(self.table.rows), np.int32)
        self._numbers = numbers
        self._views: dict[Shape, View] = {}

    @property
    def size(self) -> int:
        """Number of atoms."""
        return self.table.size

    @property
    def rows(self) -> IntArray:
        """The arguments of all atoms, `[size, width]`."""
        return self.table.rows[: self.table.size]

    @property
    def memory(self) -> int:
        """Number of bytes that the atoms take."""
        return self.table.memory + sum(view.memory for view in self._views.values())

    def add(self, rows: IntArray, first: int) -> IntArray:
        """Add atoms with these arguments, and return which atoms they are, `[n]`.

        Those that are new are numbered from `first` in the ground program.
        """
        before = self.table.size
        atoms = self.table.add(rows)
        self.in_program = with_room(self.in_program, before, self.table.size - before)
        new = np.arange(first, first + self.table.size - before)
        self.in_program[before : self.table.size] = new
        return atoms

    def view(self, pattern: Pattern) -> View:
        """Return the view of the atoms that have the shape of a pattern."""
        shape = pattern.shape
        if shape not in self._views:
            self._views[shape] = View(self.table, shape, len(pattern.variables), self._numbers)
        return self._views[shape]


class View:
    """The atoms that have a shape. There is a column for each of its variables."""

    def __init__(self, table: RowTable, shape: Shape, width: int, numbers: TermNumbers) -> None:
        self._table = table
        self._shape = shape
        self._numbers = numbers
        self._is_whole = all(part is None for part in shape)
        self._rows = np.empty((0, width), np.int32)
        self._atoms = np.empty(0, np.int32)  # the atom of each row
        self._num_seen = 0  # atoms
        self._size = 0
        self._indexes: dict[tuple[int, ...], Index] = {}

    @property
    def rows(self) -> IntArray:
        """The values of the variables, `[capacity, variables]`."""
        return self._table.rows if self._is_whole else self._rows

    @property
    def memory(self) -> int:
        """Number of bytes that the view takes."""
        own = self._rows.nbytes + self._atoms.nbytes
        return own + sum(index.memory for index in self._indexes.values())

    def window(self, start: int, end: int) -> tuple[int, int]:
        """Return the first row of the atoms from `start` to `end`, and the first after them."""
        if self._is_whole:
            return start, end
        self._extend()
        low, high = np.searchsorted(self._atoms[: self._size], (start, end))
        return int(low), int(high)

    def atoms(self, rows: IntArray) -> IntArray:
        """Return the atom of each row, `[n]`."""
        return rows if self._is_whole else self._atoms[rows]

    def index(self, columns: tuple[int, ...]) -> Index:
        """Return an index of all rows."""
        if columns not in self._indexes:
            self._indexes[columns] = Index(columns)
        index = self._indexes[columns]
        index.extend(self.rows, self._table.size if self._is_whole else self._size)
        return index

    def _extend(self) -> None:
        seen, size = self._num_seen, self._table.size
        if seen == size:
            return
        kept, columns = self._read(self._shape, self._table.rows[seen:size])
        start, end = self._size, self._size + len(kept)
        self._rows = with_room(self._rows, start, len(kept))
        self._atoms = with_room(self._atoms, start, len(kept))
        self._atoms[start:end] = kept + seen
        for place, column in enumerate(columns):
            self._rows[start:end, place] = column
        self._num_seen, self._size = size, end

    def _read(self, shape: Shape, terms: IntArray) -> tuple[IntArray, list[IntArray]]:
        """Return which rows of terms have the shape, and the values of its variables there."""
        kept = np.arange(len(terms), dtype=np.int32)
        found: list[IntArray] = []
        for place, part in enumerate(shape):
            column = terms[kept, place]
            if part is None:
                found.append(column)
                continue
            own = (
                self._numbers.has_symbol(part[0], column)
                if isinstance(part, tuple)
                else column == part
            )
            kept, found = kept[own], [values[own] for values in found]
            if isinstance(part, tuple):
                inside, more = self._read(part[1], self._numbers.args(part[0], column[own]))
                kept, found = kept[inside], [values[inside] for values in found] + more
        return kept, found

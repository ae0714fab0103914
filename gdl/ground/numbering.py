"""Terms as numbers. Equal terms have the same number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from gdl.ground.program import IntArray
from gdl.ground.tables import RowTable
from gdl.rulesheet import Relation
from gdl.terms import Compound, Constant, Term


class TermNumbers:
    """The numbers of ground terms, and the terms of the numbers.

    A term with the symbol number `s` and the row `r` has the number `r * num_symbols + s`. The
    constants have the symbol number 0, and the rows are their own. For every function symbol, a
    table contains the numbers of the arguments of its terms.
    """

    def __init__(self, functions: Sequence[Relation]) -> None:
        self.symbols = {function: number for number, function in enumerate(functions, 1)}
        self.num_symbols = 1 + len(functions)
        self._tables = [RowTable(function.arity) for function in functions]
        self._functions = list(functions)
        self._rows: dict[Constant, int] = {}
        self._terms: dict[int, Term] = {}

    @property
    def memory(self) -> int:
        """Number of bytes that the terms take."""
        return sum(table.memory for table in self._tables)

    def constant(self, constant: Constant) -> int:
        """Return the number of a constant."""
        number = self.num_symbols * self._rows.setdefault(constant, len(self._rows))
        self._terms[number] = constant
        return number

    def compounds(self, symbol: int, args: IntArray) -> IntArray:
        """Return the numbers, `[n]`, of the terms with these arguments, `[n, arity]`."""
        return self._tables[symbol - 1].add(args) * self.num_symbols + symbol

    def args(self, symbol: int, numbers: IntArray) -> IntArray:
        """Return the arguments, `[n, arity]`, of terms, `[n]`, that have this function symbol."""
        return self._tables[symbol - 1].rows[numbers // self.num_symbols]

    def has_symbol(self, symbol: int, numbers: IntArray) -> NDArray[np.bool_]:
        """Return whether each term, `[n]`, has this function symbol."""
        return np.asarray(numbers % self.num_symbols == symbol)

    def terms(self, numbers: IntArray) -> list[Term]:
        """Return the terms with these numbers, `[n]`."""
        layers = [self._unknown(numbers)]
        while len(layers[-1]):
            args = [self.args(symbol, own).ravel() for symbol, own in self._by_symbol(layers[-1])]
            layers.append(self._unknown(np.concatenate(args)))
        for layer in reversed(layers):
            for symbol, own in self._by_symbol(layer):
                self._make(symbol, own)
        return list(map(self._terms.__getitem__, numbers.tolist()))

    def _unknown(self, numbers: IntArray) -> IntArray:
        known = self._terms
        return np.array([n for n in np.unique(numbers).tolist() if n not in known], np.int32)

    def _by_symbol(self, numbers: IntArray) -> Iterator[tuple[int, IntArray]]:
        symbols = numbers % self.num_symbols
        for symbol in np.unique(symbols).tolist():
            yield symbol, numbers[symbols == symbol]

    def _make(self, symbol: int, numbers: IntArray) -> None:
        name, known = self._functions[symbol - 1].name, self._terms
        rows = self.args(symbol, numbers).tolist()
        for number, row in zip(numbers.tolist(), rows, strict=True):
            known[number] = Compound(name, tuple([known[arg] for arg in row]))

"""Terms as numbers. Equal terms have the same number."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gdl.ground.program import IntArray
from gdl.ground.tables import Table
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
        self._tables = [Table(function.arity) for function in functions]
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
        known = self._terms
        for number in np.unique(numbers).tolist():
            if number not in known:
                self._read(number)
        return [known[number] for number in numbers.tolist()]

    def _read(self, number: int) -> None:
        waiting = [number]  # not recursive, because rules are untrusted
        while waiting:
            row, symbol = divmod(waiting[-1], self.num_symbols)
            args = self._tables[symbol - 1].rows[row].tolist()
            unknown = [arg for arg in args if arg not in self._terms]
            if unknown:
                waiting += unknown
                continue
            name = self._functions[symbol - 1].name
            known = tuple([self._terms[arg] for arg in args])
            self._terms[waiting.pop()] = Compound(name, known)

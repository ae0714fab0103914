"""Facts sorted by some of their arguments, so that a question finds its answers by one look-up.

A *row* holds the arguments of a fact; a row of one argument is that argument itself. The same
holds for keys. A *pattern* says which arguments are known: `(True, False)` for `(succ 1 ?x)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from gdl.terms import Term

Pattern = tuple[bool, ...]
Row = Any  # a Term for one argument, else a tuple of Terms: generated code unpacks it
Index = Any  # what `build` returns: it is read by generated code only


def row_of(args: tuple[Term, ...]) -> Row:
    """The row of a fact with these arguments."""
    return args[0] if len(args) == 1 else args


def build(rows: Sequence[Row], pattern: Pattern) -> Index:
    """The rows of one relation, ready for questions of one pattern.

    All arguments known: a set of rows. None known: the rows themselves. Otherwise a dictionary from
    keys (the known arguments) to lists of the rest.
    """
    if all(pattern):
        return set(rows)
    if not any(pattern):
        return list(rows)
    key_of = itemgetter(*(place for place, is_known in enumerate(pattern) if is_known))
    rest_of = itemgetter(*(place for place, is_known in enumerate(pattern) if not is_known))
    index: dict[Any, list[Row]] = {}
    for row in rows:
        index.setdefault(key_of(row), []).append(rest_of(row))
    return index


def mean_answers(rows: Sequence[Row], pattern: Pattern) -> float:
    """Answers that a question of this pattern has on average, if it has any."""
    if all(pattern):
        return min(1.0, len(rows))
    if not any(pattern):
        return float(len(rows))
    keys = len(build(rows, pattern))
    return len(rows) / keys if keys else 0.0

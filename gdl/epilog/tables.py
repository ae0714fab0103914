"""Built-in relations as tables of facts, over the values that can occur.

Reasoners of GDL know no arithmetic. So `less(X,Y)` stays a relation and gets the facts that can
matter, and each function of an `evaluate` becomes a relation with one argument more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod

from gdl.epilog.arithmetic import COMPARISONS, apply, compare
from gdl.epilog.forms import group, relation_of
from gdl.errors import RulesheetError, Span
from gdl.syntax import Form, Word

MAX_FACTS = 200_000  # of all tables of one rulesheet


@dataclass(slots=True)
class BuiltinFacts:
    """One built-in relation or function as a relation with facts.

    Attributes:
        relation: The name of the relation in the rules.
        builtin: The relation or function of Epilog.
        num_inputs: How many of its arguments must be known.
        span: Where it is used first.
        rows: The facts found so far.
    """

    relation: str
    builtin: str
    num_inputs: int
    span: Span
    rows: dict[tuple[str, ...], None] = field(default_factory=dict)

    @property
    def has_result(self) -> bool:
        """Whether the last argument is the value of a function of the others."""
        return self.builtin not in COMPARISONS

    @property
    def arity(self) -> int:
        """Number of arguments of the relation."""
        return self.num_inputs + self.has_result

    def rows_for(self, inputs: Sequence[Collection[str]], span: Span) -> Iterator[tuple[str, ...]]:
        """The facts whose known arguments have the given values.

        Raises:
            RulesheetError: There are more than `MAX_FACTS` combinations.
        """
        if prod(map(len, inputs)) > MAX_FACTS:
            raise self.too_large(span)
        for values in product(*(sorted(each, key=_order) for each in inputs)):
            if not self.has_result:
                if compare(self.builtin, values[0], values[1]):
                    yield values
                continue
            result = apply(self.builtin, values)
            if result is not None:
                yield (*values, result)

    def too_large(self, span: Span) -> RulesheetError:
        """The error that says that the values are not bounded well enough."""
        return RulesheetError(
            f"'{self.builtin}' needs more than {MAX_FACTS} facts here; "
            "bound its arguments by conditions, or the facts of the state by 'base'",
            span,
        )

    def facts(self) -> Iterator[Form]:
        """The rows as statements."""
        for row in self.rows:
            words = (Word(value, self.span) for value in row)
            yield group(self.span, self.relation, *words)


def table_of(atom: Form, tables: Mapping[str, BuiltinFacts]) -> BuiltinFacts | None:
    """The table that an atom is looked up in; None if it is another relation.

    A relation of the same name with another number of arguments is a slip, or the author's own.
    """
    name, arity = relation_of(atom)
    table = tables.get(name)
    return table if table is not None and table.arity == arity else None


def _order(text: str) -> tuple[int, str]:
    """Shorter symbols first, so that whole numbers are in order."""
    return len(text), text

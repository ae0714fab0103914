"""Computed relations of Epilog, as tables of facts over the values that can occur.

Reasoners for GDL have no arithmetic and no lists. So `less(X,Y)` stays a relation and gets all
facts that can matter. Each function in an `evaluate` becomes a relation with one more argument.
`member` gets the elements of all lists, which are terms `(cons HEAD TAIL)` that end in `nil`.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import product
from math import prod

from gdl.epilog.forms import arguments, group, relation_of, variables
from gdl.epilog.reader import CONS, NIL
from gdl.errors import RulesheetError, Span
from gdl.rulesheet import Relation
from gdl.syntax import Form, Group, Word, head_and_body

Number = int | float

MAX_NUMBER = 10**15  # larger results are undefined; real rulesheets stay below a few thousand
_NUMBER = re.compile(r"-?\d{1,16}(?:\.\d{1,16})?", re.ASCII)


def number(text: str) -> Number | None:
    """Parse a symbol as a number. Return None if it is not a number."""
    if not _NUMBER.fullmatch(text):
        return None
    return float(text) if "." in text else int(text)


def spelled(value: Number) -> str:
    """Return the symbol for a number. Whole numbers are written without a decimal point."""
    return str(int(value)) if value == int(value) else repr(value)


# Functions of two arguments. The first four and the last two can be applied to more, from left to
# right.
_BINARY: dict[str, Callable[[Number, Number], Number | None]] = {
    "plus": operator.add,
    "minus": operator.sub,
    "times": operator.mul,
    "quotient": lambda left, right: left / right if right else None,
    "rem": lambda left, right: math.fmod(left, right) if right else None,
    "mod": lambda left, right: left % right if right else None,
    "max": max,
    "min": min,
}
_UNARY: dict[str, Callable[[Number], Number]] = {
    "minus": lambda value: -value,
    "abs": abs,
    "floor": math.floor,
    "ceil": math.ceil,
    "ceiling": math.ceil,
    "round": lambda value: math.floor(value + 0.5),
}
FUNCTIONS = sorted(_BINARY.keys() | _UNARY.keys())


def is_function(name: str, arity: int) -> bool:
    """Return whether a function of this name takes `arity` arguments."""
    return name in _UNARY if arity == 1 else arity > 1 and name in _BINARY


def apply(name: str, values: Sequence[str]) -> str | None:
    """Return the value of a function, or None if it is undefined, such as a division by zero."""
    numbers = [number(value) for value in values]
    known = [value for value in numbers if value is not None]
    if len(known) < len(numbers):
        return None
    result = _UNARY[name](known[0]) if len(known) == 1 else _folded(name, known)
    return None if result is None or abs(result) > MAX_NUMBER else spelled(result)


def _folded(name: str, values: list[Number]) -> Number | None:
    function = _BINARY[name]

    def step(left: Number | None, right: Number) -> Number | None:
        return None if left is None else function(left, right)

    start: Number | None = values[0]
    return reduce(step, values[1:], start)


def compare(name: str, left: str, right: str) -> bool:
    """Return whether `leq` or `less` holds for numbers, or `symleq` or `symless` for texts."""
    if name in ("symleq", "symless"):
        return left < right or (name == "symleq" and left == right)
    first, second = number(left), number(right)
    if first is None or second is None:
        return False
    return first < second or (name == "leq" and first == second)


COMPARISONS = ("leq", "less", "symleq", "symless")


MAX_FACTS = 200_000  # in all tables of one rulesheet


@dataclass(slots=True)
class BuiltinFacts:
    """Table of facts, called rows, for one built-in relation or function of Epilog."""

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
        """Yield the rows for all combinations of the given inputs.

        Raises:
            RulesheetError: There are more than `MAX_FACTS` combinations.
        """
        if prod(map(len, inputs)) > MAX_FACTS:
            raise self.too_large(span)
        # Sort shorter symbols first, so that whole numbers are in ascending order.
        rows = (sorted(each, key=lambda text: (len(text), text)) for each in inputs)
        for values in product(*rows):
            if not self.has_result:
                if compare(self.builtin, values[0], values[1]):
                    yield values
                continue
            result = apply(self.builtin, values)
            if result is not None:
                yield (*values, result)

    def too_large(self, span: Span) -> RulesheetError:
        """Return the error for too many possible values."""
        return RulesheetError(
            f"'{self.builtin}' needs more than {MAX_FACTS} facts here; "
            "restrict its arguments by conditions, or the facts of the state by 'base'",
            span,
        )

    def facts(self) -> Iterator[Form]:
        """Yield the rows as statements."""
        for row in self.rows:
            words = (Word(value, self.span) for value in row)
            yield group(self.span, self.relation, *words)


def table_of(atom: Form, tables: Mapping[str, BuiltinFacts]) -> BuiltinFacts | None:
    """Return the table of an atom, or None if it has no table with this number of arguments."""
    name, arity = relation_of(atom)
    table = tables.get(name)
    return table if table is not None and table.arity == arity else None


_CONS = Relation(CONS, 2)


def elements(form: Form) -> list[Form] | None:
    """Return the elements of a literal list, or None for any other form."""
    found: list[Form] = []
    while relation_of(form) == _CONS:
        head, form = arguments(form)
        found.append(head)
    is_list = isinstance(form, Word) and form.text.lower() == NIL
    return found if is_list else None


class ListTable:
    """Table of the elements of every ground list in a rulesheet."""

    def __init__(self, relation: str, statements: Sequence[Form]) -> None:
        self._relation = relation
        self._statements = statements
        self._span: Span | None = None

    def literal(self, atom: Form) -> Form:
        """Return the condition for `member(X,L)` if `L` is a variable.

        Raises:
            RulesheetError: The head of a rule makes new lists.
        """
        for statement in self._statements:
            head, _ = head_and_body(statement)
            for part in _lists(head):
                if variables([part]):
                    message = "not supported: 'member' of a list that a rule puts together, as in"
                    raise RulesheetError(f"{message} {part.span}", atom.span)
        self._span = self._span or atom.span
        return group(atom.span, self._relation, *arguments(atom))

    def facts(self) -> Iterator[Form]:
        """Yield the elements of the lists as facts, if any condition asks for them."""
        if self._span is None:
            return
        lists = [part for statement in self._statements for part in _lists(statement)]
        facts = {
            f"{member} {part}": group(self._span, self._relation, member, part)
            for part in {str(part): part for part in lists if not variables([part])}.values()
            for member in elements(part) or ()
        }
        yield from facts.values()


def _lists(form: Form) -> Iterator[Form]:
    stack = [form]
    while stack:
        part = stack.pop()
        if isinstance(part, Group):
            if relation_of(part) == _CONS:
                yield part
            stack.extend(part.items)

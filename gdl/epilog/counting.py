"""Translation of `countofall(TERM,CONDITION,N)` to a recursion over the instances of TERM.

The instances of TERM, called candidates, are numbered. Each gives a combination of symbols to the
variables of TERM. CONDITION may share variables with the rest of its rule, and the recursion has a
count for each combination of their values. The count after a candidate is the count before it, plus
one if CONDITION holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from gdl.epilog.forms import arguments, atoms, fresh_name, group, relation_of, rule, variables
from gdl.epilog.values import COMPOUND, COUNT, MAX_CANDIDATES, ValueSets
from gdl.errors import RulesheetError
from gdl.rulesheet import Relation
from gdl.syntax import Form, Word, head_and_body, written

COUNT_RELATION = Relation(COUNT, 3)


def has_count(statement: Form) -> bool:
    """Return whether a statement has a `countofall` condition."""
    _, body = head_and_body(statement)
    return any(relation_of(atom) == COUNT_RELATION for atom, _ in atoms(body))


class Counting:
    """Translator of the counts in one rulesheet."""

    def __init__(self, values: ValueSets, taken: set[str]) -> None:
        self._values = values
        self._taken = taken

    def expand(self, statement: Form) -> list[Form]:
        """Return the statement with its counts replaced, and the rules that do the counting."""
        if not has_count(statement):
            return [statement]
        head, body = head_and_body(statement)
        added: list[Form] = []

        def replace(form: Form) -> Form:
            if relation_of(form).name in ("and", "or"):
                return group(form.span, relation_of(form).name, *map(replace, arguments(form)))
            if relation_of(form) != COUNT_RELATION:
                return form
            literal, rules = self._count(form, head, body)
            added.extend(rules)
            return literal

        replaced = [replace(form) for form in body]
        return [rule(statement.span, head, replaced), *added]

    def _count(self, count: Form, head: Form, body: Sequence[Form]) -> tuple[Form, list[Form]]:
        counted, condition, result = arguments(count)
        others = [form for form in body if form is not count]
        before = [form for form in others if form.span.start < count.span.start]
        self._check(count, [head, *before])
        outside = variables([head, *others, result])
        shared = [
            word
            for name, word in variables([condition]).items()
            if name not in variables([counted]) and name in outside
        ]
        names = _Names.fresh(self._taken)
        context = _context(others, shared)
        candidates = self._candidates(count)
        rules = _rules(names, count, shared, context)
        rules.extend(_facts(names, count, candidates))
        return group(count.span, names.upto, *shared, str(len(candidates)), result), rules

    def _check(self, count: Form, earlier: Sequence[Form]) -> None:
        counted, condition, _ = arguments(count)
        if any(relation_of(atom) == COUNT_RELATION for atom, _ in atoms([condition])):
            raise RulesheetError("not supported: a count inside a count", condition.span)
        bound = self._values.of_variables([condition])
        for name, word in variables([counted]).items():
            if name not in bound:
                message = f"no condition inside the count binds {written(word)}"
                raise RulesheetError(message, word.span)
            if name in variables(earlier):
                message = f"{written(word)} has a value before it is counted; rename one of them"
                raise RulesheetError(message, word.span)

    def _candidates(self, count: Form) -> list[tuple[str, ...]]:
        counted, condition, _ = arguments(count)
        bound = self._values.of_variables([condition])
        found = []
        for name, word in variables([counted]).items():
            if COMPOUND in bound[name]:
                message = f"not supported: counting {written(word)}, which can be a compound term"
                raise RulesheetError(message, count.span)
            found.append(sorted(bound[name]))
        if prod(map(len, found)) > MAX_CANDIDATES:
            message = f"not supported: counting more than {MAX_CANDIDATES} candidates"
            raise RulesheetError(f"{message}; bound {written(counted)} by conditions", count.span)
        return list(product(*found))


def _context(others: Sequence[Form], shared: Sequence[Word]) -> list[Form]:
    names = {word.text for word in shared}
    found = [
        form
        for form in others
        if relation_of(form).name not in ("not", "distinct", "or", COUNT)
        and names & variables([form]).keys()
    ]
    bound = variables(found)
    for word in shared:
        if word.text not in bound:
            message = f"no condition outside the count binds {written(word)}"
            raise RulesheetError(message, word.span)
    return found


@dataclass(frozen=True, slots=True)
class _Names:
    holds: str  # (SHARED... X...): the condition holds for the candidate X...
    upto: str  # (SHARED... I N): the condition holds for N of the first I candidates
    candidate: str  # (I J X...): X... is the candidate after the first I, and J = I + 1
    successor: str  # (N M): M = N + 1

    @classmethod
    def fresh(cls, taken: set[str]) -> _Names:
        found = []
        for part in ("holds", "upto", "candidate", "successor"):
            name = fresh_name(f"{COUNT}_{part}", taken)
            taken.add(name)
            found.append(name)
        return cls(*found)


def _rules(
    names: _Names, count: Form, shared: Sequence[Word], context: Sequence[Form]
) -> list[Form]:
    span = count.span
    counted, condition, _ = arguments(count)
    used = set(variables([count, *context]))
    before, after, number, more = (
        Word(fresh_name(name, used), span) for name in ("?before", "?after", "?n", "?more")
    )
    varied = variables([counted]).values()
    holds = group(span, names.holds, *shared, *varied)
    row = group(span, names.candidate, before, after, *varied)
    start = group(span, names.upto, *shared, "0", "0")
    earlier = group(span, names.upto, *shared, before, number)
    plus_one = group(span, names.successor, number, more)
    one_more = group(span, names.upto, *shared, after, more)
    same = group(span, names.upto, *shared, after, number)
    return [
        rule(span, holds, [condition]),
        rule(span, start, context),
        rule(span, one_more, [row, earlier, holds, plus_one]),
        rule(span, same, [row, earlier, group(span, "not", holds)]),
    ]


def _facts(names: _Names, count: Form, candidates: Sequence[tuple[str, ...]]) -> list[Form]:
    found: list[Form] = []
    for index, candidate in enumerate(candidates):
        before, after = str(index), str(index + 1)
        found.append(group(count.span, names.candidate, before, after, *candidate))
        found.append(group(count.span, names.successor, before, after))
    return found

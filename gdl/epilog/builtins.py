"""Built-in relations of Epilog, translated to plain GDL for the reasoners.

`same` and `mutex` become `distinct`, and `member` of a literal list becomes a disjunction.
Comparisons, functions and other ground lists become tables of facts (`gdl.epilog.tables`).
`countofall` becomes a recursion (`gdl.epilog.counting`). If the rulesheet defines a relation with
the name of a built-in one, its definition takes precedence. Built-in relations without a
translation are errors, because undefined relations would silently never hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import combinations

from gdl.epilog.counting import COUNT_RELATION, Counting, has_count
from gdl.epilog.forms import (
    arguments,
    atoms,
    fresh_name,
    group,
    relation_of,
    rule,
    symbols,
    variables,
)
from gdl.epilog.tables import (
    COMPARISONS,
    FUNCTIONS,
    MAX_FACTS,
    BuiltinFacts,
    ListTable,
    elements,
    is_function,
    table_of,
)
from gdl.epilog.values import AskedValues, ValueSets, has_open_head
from gdl.errors import RulesheetError, Span
from gdl.rulesheet import Relation, Remark
from gdl.syntax import Form, Group, Word, head_and_body, written

_ARITIES = {"same": 2, "member": 2, "evaluate": 2, "countofall": 3, **dict.fromkeys(COMPARISONS, 2)}
BUILTINS = {name: f"{arity} arguments" for name, arity in _ARITIES.items()} | {
    "mutex": "1 or more arguments"
}
"""Built-in relations, and the number of arguments of each, in words."""

# Gamemaster also has built-in sets, texts, lists, statistics and functions of real numbers.
_UNSUPPORTED = frozenset(
    " ".join(
        (
            "setofall sumofall avgofall minofall maxofall choose provable map matches submatches",
            "stringappend stringmin stringify stringifyall symbolize newsymbolize readstring",
            "readstringall append listify delistify",
            "maximum minimum range midrange sum median mean variance stddev",
            "acos acosh asin asinh atan atan2 atanh cbrt clz32 cos cosh exp expm1 fround hypot",
            "imul log log10 log1p log2 pow random sign sin sinh sqrt tan tanh trunc",
        )
    ).split()
)
_COMPUTED = _UNSUPPORTED | frozenset(FUNCTIONS)


def expand_builtins(
    statements: Sequence[Form], remarks: list[Remark] | None = None
) -> tuple[Form, ...]:
    """Return the statements with every built-in relation translated to plain GDL.

    For a sequential game, pass a list as `remarks`. Then heads may have unbound variables. They are
    bound as `AskedValues` describes, and a remark on each is added to the list.

    Raises:
        RulesheetError: The use of a built-in relation cannot be translated.
    """
    expansion = _Expansion(statements, remarks)
    if not expansion.is_needed:
        return tuple(statements)
    return tuple(expansion.expanded())


class _Expansion:
    def __init__(self, statements: Sequence[Form], remarks: list[Remark] | None) -> None:
        self._statements = statements
        self._remarks = remarks
        self._is_open = remarks is not None and has_open_head(statements)
        heads = [head_and_body(statement)[0] for statement in statements]
        self._defined = {relation_of(head) for head in heads}
        self._taken = symbols(statements)
        self._tables: dict[str, BuiltinFacts] = {}
        self._lists = ListTable(fresh_name("member_of", self._taken), statements)

    @property
    def is_needed(self) -> bool:
        return self._is_open or any(
            self._is_builtin(relation_of(atom))
            for statement in self._statements
            for atom, _ in atoms(head_and_body(statement)[1])
        )

    def _is_builtin(self, relation: Relation) -> bool:
        name, arity = relation
        if relation in self._defined:
            return False
        if name == "mutex":
            return arity > 0
        return _ARITIES.get(name) == arity or (name in _COMPUTED and arity > 1)

    def expanded(self) -> list[Form]:
        found = [self._statement(statement) for statement in self._statements]
        if self._is_open and self._remarks is not None:
            asked = AskedValues(found, ValueSets(found, self._tables))
            found = asked.close_heads(self._taken, self._remarks)
        if any(map(has_count, found)):
            counting = Counting(ValueSets(found, self._tables), self._taken)
            found = [part for statement in found for part in counting.expand(statement)]
        if self._tables:
            found.extend(self._facts(found))
        found.extend(self._lists.facts())
        return found

    def _facts(self, statements: Sequence[Form]) -> list[Form]:
        values = ValueSets(statements, self._tables)
        for statement in statements:
            _, body = head_and_body(statement)
            found = [(atom, table_of(atom, self._tables)) for atom, _ in atoms(body)]
            used = [(atom, table) for atom, table in found if table is not None]
            known = values.of_variables(body) if used else {}
            for atom, table in used:
                rows = table.rows_for(values.inputs(atom, known), atom.span)
                table.rows.update(dict.fromkeys(rows))
                if sum(len(table.rows) for table in self._tables.values()) > MAX_FACTS:
                    raise table.too_large(atom.span)
        return [fact for table in self._tables.values() for fact in table.facts()]

    def _statement(self, statement: Form) -> Form:
        head, body = head_and_body(statement)
        if not any(self._is_builtin(relation_of(atom)) for atom, _ in atoms(body)):
            return statement
        self._temporaries = set(variables([statement]))
        parts = [part for form in body for part in self._literals(form, is_positive=True)]
        return rule(statement.span, head, parts)

    def _literals(self, form: Form, *, is_positive: bool) -> list[Form]:
        name = relation_of(form).name if isinstance(form, Group) else ""
        if name == "not":
            return self._literals(arguments(form)[0], is_positive=not is_positive)
        if name in ("and", "or"):
            branches = [self._literals(part, is_positive=is_positive) for part in arguments(form)]
            if (name == "and") == is_positive:
                return [part for branch in branches for part in branch]
            return [group(form.span, "or", *(_and(form.span, branch) for branch in branches))]
        if self._is_builtin(relation_of(form)):
            return self._builtin(form, is_positive=is_positive)
        return [form if is_positive else group(form.span, "not", form)]

    def _builtin(self, atom: Form, *, is_positive: bool) -> list[Form]:
        name, parts, span = relation_of(atom).name, arguments(atom), atom.span
        if name in _UNSUPPORTED:
            raise RulesheetError(f"not supported: the built-in relation '{name}'", span)
        if name == "same":
            return [_same(span, parts[0], parts[1], is_positive=is_positive)]
        if name == "mutex":
            pairs = combinations(parts, 2)
            literals = [_same(span, *pair, is_positive=not is_positive) for pair in pairs]
            return literals if is_positive else [group(span, "or", *literals)]
        if name == "member":
            return [self._member(atom, is_positive=is_positive)]
        if name == "evaluate":
            return self._evaluate(atom, is_positive=is_positive)
        if name == COUNT_RELATION.name:
            return self._counted(atom, is_positive=is_positive)
        literal = self._looked_up(atom)
        return [literal if is_positive else group(span, "not", literal)]

    def _looked_up(self, atom: Form) -> Form:
        name, span = relation_of(atom).name, atom.span
        if name in COMPARISONS:
            self._tables.setdefault(name, BuiltinFacts(name, name, 2, span))
            return atom
        *inputs, result = arguments(atom)
        if not is_function(name, len(inputs)):
            raise RulesheetError(
                f"{_no_function(name, len(inputs))}, and one more for its value", span
            )
        for part in inputs:
            if isinstance(part, Group):
                message = f"'{name}' takes numbers and variables, got {written(part)}"
                hint = f"write evaluate({name}(...),{written(result)}) around terms"
                raise RulesheetError(f"{message}; {hint}", part.span)
        return group(span, self._function_table(name, len(inputs), span), *inputs, result)

    def _member(self, atom: Form, *, is_positive: bool) -> Form:
        member, collection = arguments(atom)
        known = elements(collection)
        if known is None:
            literal = self._lists.literal(atom)
            return literal if is_positive else group(atom.span, "not", literal)
        options = [_same(atom.span, member, each, is_positive=is_positive) for each in known]
        return group(atom.span, "or" if is_positive else "and", *options)

    def _evaluate(self, atom: Form, *, is_positive: bool) -> list[Form]:
        expression, result = arguments(atom)
        found: list[Form] = []
        if is_positive and isinstance(expression, Group):
            self._compute(expression, result, found)
            return found
        value = self._value(expression, found)
        return [*found, _same(atom.span, value, result, is_positive=is_positive)]

    def _value(self, expression: Form, found: list[Form]) -> Form:
        if isinstance(expression, Word):
            return expression
        result = self._temporary(expression.span)
        self._compute(expression, result, found)
        return result

    def _temporary(self, span: Span) -> Word:
        name = fresh_name("?value", self._temporaries)
        self._temporaries.add(name)
        return Word(name, span)

    def _compute(self, expression: Group, result: Form, found: list[Form]) -> None:
        name, arity = relation_of(expression)
        span = expression.span
        if name == "countofall" and arity == 2:
            count = group(span, name, *arguments(expression), result)
            found.extend(self._counted(count, is_positive=True))
            return
        if not is_function(name, arity):
            raise RulesheetError(_no_function(name, arity), expression.items[0].span)
        inputs = [self._value(part, found) for part in arguments(expression)]
        found.append(group(span, self._function_table(name, arity, span), *inputs, result))

    def _function_table(self, name: str, arity: int, span: Span) -> str:
        for table in self._tables.values():
            if (table.builtin, table.num_inputs) == (name, arity):
                return table.relation
        relation = fresh_name(f"evaluate_{name}", self._taken)
        self._taken.add(relation)
        self._tables[relation] = BuiltinFacts(relation, name, arity, span)
        return relation

    def _counted(self, atom: Form, *, is_positive: bool) -> list[Form]:
        counted, condition, result = arguments(atom)
        name, span = COUNT_RELATION.name, atom.span
        translated = _and(span, self._literals(condition, is_positive=True))
        if is_positive:
            return [group(span, name, counted, translated, result)]
        number = self._temporary(span)
        count = group(span, name, counted, translated, number)
        return [count, _same(span, number, result, is_positive=False)]


def _no_function(name: str, arity: int) -> str:
    if name in FUNCTIONS:
        counts = [str(count) for count in (1, 2, 3) if is_function(name, count)]
        expected = " or ".join(counts).replace("2 or 3", "2 or more")
        return f"the function '{name}' takes {expected} argument(s), got {arity}"
    nearest = next(iter(get_close_matches(name, FUNCTIONS, n=1)), "")
    hint = (
        f"did you mean '{nearest}'?" if nearest else f"known functions are {', '.join(FUNCTIONS)}"
    )
    return f"not supported: evaluating '{name}' with {arity} argument(s); {hint}"


def _same(span: Span, left: Form, right: Form, *, is_positive: bool) -> Form:
    """Return the condition that two terms are equal or differ. Evaluate it if both are ground."""
    if not variables([left, right]):
        return group(span, "and" if (str(left) == str(right)) == is_positive else "or")
    distinct = group(span, "distinct", left, right)
    return group(span, "not", distinct) if is_positive else distinct


def _and(span: Span, parts: Iterable[Form]) -> Form:
    forms = tuple(parts)
    return forms[0] if len(forms) == 1 else group(span, "and", *forms)

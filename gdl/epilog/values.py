"""Possible values of each argument of the relations and functions in an Epilog rulesheet.

They are found by a fixpoint over all rules, and may include symbols that never occur. An argument
of a head takes the values of its variable, and a variable has the values that all its positive
conditions allow. `base` restricts the facts of the state. Without `base`, numbers are restricted to
the range from the smallest to the largest number in the rulesheet.

Gamemaster evaluates a query backwards: asked for `goal(red,N)`, a rule `goal(R,0) :- ~won(R)` knows
R. Reasoners for GDL work forwards from the facts. So a variable that no condition binds gets an
additional condition: its value is one of those with which the relation is queried.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import prod

from gdl.epilog.forms import arguments, atoms, fresh_name, group, relation_of, rule, variables
from gdl.epilog.tables import BuiltinFacts, Number, number, table_of
from gdl.errors import RulesheetError
from gdl.rulesheet import Relation, Remark
from gdl.syntax import Form, Group, Word, head_and_body, words, written

Values = set[str]
Key = tuple[str, int, int]  # symbol, number of arguments, index of the argument

COMPOUND = "("  # stands for all values that are not symbols
COUNT = "countofall"
_COUNT = Relation(COUNT, 3)
_ROLES_ASKED = (("goal", 2, 0), ("legal", 2, 0))
_SAME_KEY = {"next": "true", "init": "true", "base": "true", "legal": "does", "input": "does"}
_ROUNDS = 50  # after this many rounds of the fixpoint, all numbers are restricted
MAX_ROUNDS = 1_000  # limit on the rounds, for a recursion that counts without end
MAX_CANDIDATES = 1_000  # limit on the candidates of a `countofall`, see `gdl.epilog.counting`
_LARGE = 2_000  # if an argument has more values than this, its numbers are restricted


class ValueSets:
    """Possible values of each argument in a rulesheet."""

    def __init__(self, statements: Sequence[Form], tables: Mapping[str, BuiltinFacts]) -> None:
        self._tables = tables
        self._sets: dict[Key, Values] = {}
        self._images: dict[tuple[int, tuple[int, ...]], Values] = {}
        self.symbols = {
            word.text for form in statements for word in words(form) if not word.is_variable
        }
        self.numbers = {text for text in self.symbols if number(text) is not None}
        known = [value for value in map(number, self.numbers) if value is not None]
        self._lowest: Number = min(known, default=0)
        self._highest: Number = max(known, default=0)
        self._base: dict[Key, Values] = {}
        rules = [head_and_body(statement) for statement in statements]
        self._num_rounds = 0
        self._settle([rule for rule in rules if relation_of(rule[0]).name != "next"])
        self._learn_base(rules)
        self._settle(rules)

    def _settle(self, rules: Sequence[tuple[Form, Sequence[Form]]]) -> None:
        has_changed = True
        if self._num_rounds <= _ROUNDS:
            self._num_rounds = 0
        while has_changed:
            self._num_rounds += 1
            if self._num_rounds > MAX_ROUNDS:
                raise self._endless()
            has_changed = False
            for head, body in rules:
                found = self.of_variables(body)
                is_next = relation_of(head).name == "next"
                for key, values in self._head_values(head, found):
                    has_changed |= self._add(key, values, is_next or self._num_rounds > _ROUNDS)

    def _endless(self) -> RulesheetError:
        spans = [table.span for table in self._tables.values() if table.has_result]
        message = f"a recursion counts beyond {MAX_ROUNDS}; restrict it by 'base' or a condition"
        return RulesheetError(message, spans[0] if spans else None)

    def _add(self, key: Key, values: Values, is_bounded: bool) -> bool:
        known = self._sets.setdefault(key, set())
        new = values - known
        if new and (is_bounded or len(known) > _LARGE):
            new = {value for value in new if self._is_allowed(key, value)}
        known |= new
        return bool(new)

    def _is_allowed(self, key: Key, text: str) -> bool:
        value = number(text)
        if value is None or text in self._base.get(key, self.numbers):
            return True
        return key not in self._base and self._lowest <= value <= self._highest

    def _learn_base(self, rules: Iterable[tuple[Form, Sequence[Form]]]) -> None:
        for head, body in sorted(rules, key=lambda each: relation_of(each[0]).name != "base"):
            name = relation_of(head).name
            if name not in ("base", "init"):
                continue
            for key, values in self._head_values(head, self.of_variables(body)):
                if name == "base" or key in self._base:
                    self._base.setdefault(key, set()).update(values)

    def _head_values(self, head: Form, found: Mapping[str, Values]) -> Iterator[tuple[Key, Values]]:
        for key, form in _places(head):
            if isinstance(form, Group):
                yield key, {COMPOUND}
            elif form.is_variable:
                yield key, found.get(form.text, set())
            else:
                yield key, {form.text}

    def of_variables(self, body: Iterable[Form]) -> dict[str, Values]:
        """Return the values of the variables that positive conditions bind."""
        certain: dict[str, Values] = {}  # all conditions of a conjunction must allow a value
        possible: dict[str, Values] = {}  # one branch of a disjunction is enough
        literals = list(_positive(body, True))
        for literal, is_certain in literals:
            if self._is_computed(literal) or table_of(literal, self._tables) is not None:
                continue
            for key, form in _places(literal):
                if not isinstance(form, Word) or not form.is_variable:
                    continue
                values, name = self._sets.get(key, set()), form.text
                if is_certain:
                    certain[name] = certain[name] & values if name in certain else values
                else:
                    possible[name] = possible.get(name, set()) | values
        computed = [literal for literal, _ in literals if self._is_computed(literal)]
        results: dict[str, Values] = {}
        for _ in computed:  # one computed value may be the input of another
            known = {**possible, **results, **certain}
            for literal in computed:
                for name, values in self._computed(literal, known):
                    results[name] = results.get(name, set()) | values
        return {**possible, **results, **certain}

    def of_roles(self) -> Values:
        """Return the names of the roles."""
        return self._sets.get(("role", 1, 0), set())

    def _is_computed(self, literal: Form) -> bool:
        table = table_of(literal, self._tables)
        is_special = relation_of(literal) in ((COUNT, 3), ("not", 1))
        return is_special or (table is not None and table.has_result)

    def _computed(self, literal: Form, known: Mapping[str, Values]) -> Iterator[tuple[str, Values]]:
        name, parts = relation_of(literal).name, arguments(literal)
        if name == "not":  # `(not (distinct ...))`: both sides are equal
            yield from _equated(arguments(parts[0]), known)
            return
        result = parts[-1]
        if not isinstance(result, Word) or not result.is_variable:
            return
        if name == COUNT:
            inside = self.of_variables([parts[1]])
            most = prod(len(inside.pop(name, ())) for name in variables([parts[0]]))
            yield result.text, set(map(str, range(min(most, MAX_CANDIDATES) + 1)))
            yield from inside.items()
            return
        inputs = self.inputs(literal, known)
        image_key = (id(literal), tuple(map(len, inputs)))  # sets only grow
        if image_key not in self._images:
            rows = self._tables[name].rows_for(inputs, literal.span)
            self._images[image_key] = {row[-1] for row in rows}
        yield result.text, self._images[image_key]

    def inputs(self, literal: Form, known: Mapping[str, Values]) -> list[Collection[str]]:
        """Return the possible values of the arguments that a literal's table needs."""
        table = self._tables[relation_of(literal).name]
        is_text = table.builtin in ("symleq", "symless")
        found: list[Collection[str]] = []
        for form in arguments(literal)[: table.num_inputs]:
            if isinstance(form, Word) and not form.is_variable:
                found.append({form.text})
                continue
            values = known.get(str(form), self.symbols)
            found.append(
                {value for value in values if value != COMPOUND}
                if is_text
                else {value for value in values if number(value) is not None}
            )
        return found


def _equated(sides: Sequence[Form], known: Mapping[str, Values]) -> Iterator[tuple[str, Values]]:
    for one, other in (sides, sides[::-1]):
        if not isinstance(one, Word) or not one.is_variable:
            continue
        if isinstance(other, Group):
            yield one.text, {COMPOUND}
        elif not other.is_variable:
            yield one.text, {other.text}
        elif other.text in known:
            yield one.text, known[other.text]


def _positive(forms: Iterable[Form], is_certain: bool) -> Iterator[tuple[Form, bool]]:
    for form in forms:
        name = relation_of(form).name
        if name in ("and", "or"):
            yield from _positive(arguments(form), is_certain and name == "and")
        elif name == "not":
            if relation_of(arguments(form)[0]) == ("distinct", 2):
                yield form, is_certain
        elif name != "distinct":
            yield form, is_certain


def _places(atom: Form) -> Iterator[tuple[Key, Form]]:
    stack = [atom]
    while stack:
        form = stack.pop()
        if isinstance(form, Group):
            name, arity = relation_of(form)
            name = _SAME_KEY.get(name, name) if form is atom else name
            for index, item in enumerate(form.items[1:]):
                yield (name, arity, index), item
                stack.append(item)


def has_open_head(statements: Sequence[Form]) -> bool:
    """Return whether a head has a variable that no condition binds."""
    return any(_open_variables(*head_and_body(statement)) for statement in statements)


class AskedValues:
    """Values with which the conditions of a rulesheet query each argument of each relation."""

    def __init__(self, statements: Sequence[Form], values: ValueSets) -> None:
        self._statements = statements
        self._values = values
        self._found: dict[Key, Values] = {key: set(values.of_roles()) for key in _ROLES_ASKED}
        # Every value queried at the first key is also queried at the second.
        passed_on: list[tuple[Key, Key]] = []
        for statement in statements:
            head, body = head_and_body(statement)
            passed_on.extend(self._learn(head, _conditions(body)))
        has_changed = True
        while has_changed:
            has_changed = False
            for asker, key in passed_on:
                known = self._found.setdefault(key, set())
                new = self._found.get(asker, set()) - known
                known |= new
                has_changed |= bool(new)

    def close_heads(self, taken: set[str], remarks: list[Remark]) -> list[Form]:
        """Bind open variables in heads. Return the statements, and facts that list their values.

        A variable stays open if the values with which it is queried are unknown. Add a remark to
        `remarks` for each variable that is bound.
        """
        found: list[Form] = []
        for statement in self._statements:
            head, body = head_and_body(statement)
            conditions: list[Form] = []
            for word in _open_variables(head, body):
                known = sorted(self._values_of(head, word))
                if not known:
                    continue
                name = fresh_name(f"asked_{word.text[1:]}", taken)
                taken.add(name)
                conditions.append(group(head.span, name, word))
                found.extend(group(head.span, name, value) for value in known)
                remarks.append(("open-head", word.span, _remark(word)))
            closed = rule(statement.span, head, [*conditions, *body])
            found.append(closed if conditions else statement)
        return found

    def _values_of(self, head: Form, word: Word) -> Values:
        known: Values | None = None
        for key, part in _argument_places(head):
            if _is(part, word):
                values = self._found.get(key, set())
                known = values if known is None else known & values
        return set() if known is None or COMPOUND in known else known

    def _learn(self, head: Form, conditions: Sequence[Form]) -> Iterator[tuple[Key, Key]]:
        for form in conditions:
            bound = self._values.of_variables(other for other in conditions if other is not form)
            for key, part in (
                place for atom, _ in atoms([form]) for place in _argument_places(atom)
            ):
                known = self._found.setdefault(key, set())
                if not isinstance(part, Word):
                    known.add(COMPOUND)
                elif not part.is_variable:
                    known.add(part.text)
                elif part.text in bound:
                    known |= bound[part.text]
                else:
                    yield from (
                        (asker, key) for asker, each in _argument_places(head) if _is(each, part)
                    )


def _remark(word: Word) -> str:
    name = written(word)
    return (
        f"variable {name} of the head is in no condition, so it takes its value from the query; "
        "add a condition that binds it"
    )


def _is(form: Form, word: Word) -> bool:
    return isinstance(form, Word) and form.text == word.text


def _argument_places(atom: Form) -> Iterator[tuple[Key, Form]]:
    name, arity = relation_of(atom)
    for index, part in enumerate(arguments(atom)):
        yield (name, arity, index), part


def _conditions(body: Sequence[Form]) -> list[Form]:
    found = []
    for form in body:
        found.append(form)
        if relation_of(form) == _COUNT:
            found.append(arguments(form)[1])
    return found


def _open_variables(head: Form, body: Sequence[Form]) -> list[Word]:
    bound: dict[str, Word] = {}
    for form in body:
        for atom, is_positive in atoms([form]):
            if relation_of(atom) == _COUNT:
                bound |= variables(arguments(atom)[2:])
            elif is_positive != (relation_of(atom).name == "distinct"):
                bound |= variables([atom])
    return [word for name, word in variables([head]).items() if name not in bound]

"""Variables of a head that no condition binds, because whoever asks has given them a value.

Gamemaster answers a question from its end: asked for `goal(red,N)`, a rule `goal(R,0) :- ~won(R)`
knows R. Reasoners of GDL work from the facts on, so such a variable gets a condition of its own,
that it is one of the values with which the relation is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gdl.epilog.forms import (
    arguments,
    atoms,
    fresh_name,
    group,
    head_and_body,
    relation_of,
    rule,
    variables,
    written,
)
from gdl.epilog.values import COMPOUND, COUNT, Key, Values, ValueSets
from gdl.rulesheet import Relation, Remark
from gdl.syntax import Form, Word

_COUNT = Relation(COUNT, 3)
_ROLES_ASKED = (("goal", 2, 0), ("legal", 2, 0))


def has_open_head(statements: Sequence[Form]) -> bool:
    """Whether a head has a variable that no condition binds."""
    return any(_open_variables(*head_and_body(statement)) for statement in statements)


class AskedValues:
    """The values with which each argument of each relation of a rulesheet is asked for."""

    def __init__(self, statements: Sequence[Form], values: ValueSets) -> None:
        self._statements = statements
        self._values = values
        self._found: dict[Key, Values] = {key: set(values.of_roles()) for key in _ROLES_ASKED}
        passed_on: list[tuple[Key, Key]] = []  # what asks the first asks the second likewise
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
        """The statements with open variables bound, and the facts that say to what.

        A variable of which it is not known with what it is asked stays as it is.
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
        """The values of a variable of a head, where all with which it is asked are known."""
        known: Values | None = None
        for key, part in _places(head):
            if _is(part, word):
                values = self._found.get(key, set())
                known = values if known is None else known & values
        return set() if known is None or COMPOUND in known else known

    def _learn(self, head: Form, conditions: Sequence[Form]) -> Iterator[tuple[Key, Key]]:
        """Take in with what the conditions of a rule are asked; what depends on who asks it."""
        for form in conditions:
            bound = self._values.of_variables(other for other in conditions if other is not form)
            for key, part in (place for atom, _ in atoms([form]) for place in _places(atom)):
                known = self._found.setdefault(key, set())
                if not isinstance(part, Word):
                    known.add(COMPOUND)
                elif not part.is_variable:
                    known.add(part.text)
                elif part.text in bound:
                    known |= bound[part.text]
                else:
                    yield from ((asker, key) for asker, each in _places(head) if _is(each, part))


def _remark(word: Word) -> str:
    name = written(word)
    return (
        f"variable {name} of the head is in no condition, so it takes whatever it is asked with; "
        "add a condition that binds it"
    )


def _is(form: Form, word: Word) -> bool:
    return isinstance(form, Word) and form.text == word.text


def _places(atom: Form) -> Iterator[tuple[Key, Form]]:
    name, arity = relation_of(atom)
    for index, part in enumerate(arguments(atom)):
        yield (name, arity, index), part


def _conditions(body: Sequence[Form]) -> list[Form]:
    """The conditions of a rule, those inside a count as well."""
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

"""Lists of Epilog, which are terms `(cons HEAD TAIL)` that end in `nil`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gdl.epilog.forms import arguments, group, head_and_body, relation_of, variables
from gdl.epilog.reader import CONS, NIL
from gdl.errors import RulesheetError, Span
from gdl.rulesheet import Relation
from gdl.syntax import Form, Group, Word

_CONS = Relation(CONS, 2)


def elements(form: Form) -> list[Form] | None:
    """The elements of a list that is written out, or None for anything else."""
    found: list[Form] = []
    while relation_of(form) == _CONS:
        head, form = arguments(form)
        found.append(head)
    is_list = isinstance(form, Word) and form.text.lower() == NIL
    return found if is_list else None


class ListTable:
    """The elements of every list without variables that stands in a rulesheet, as facts."""

    def __init__(self, relation: str, statements: Sequence[Form]) -> None:
        self._relation = relation
        self._statements = statements
        self._span: Span | None = None

    def literal(self, atom: Form) -> Form:
        """The condition for `member(X,L)` where the list is a variable.

        Raises:
            RulesheetError: A rule makes new lists, so which ones there are is not known.
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
        """The elements of the lists, if any condition asks for them."""
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
    """All lists in a form and the tails of them, each of which is a list too."""
    stack = [form]
    while stack:
        part = stack.pop()
        if isinstance(part, Group):
            if relation_of(part) == _CONS:
                yield part
            stack.extend(part.items)

"""Forms of GDL to Epilog: GDL in infix clothes, one sentence a line.

>>> from gdl.epilog.reader import read_forms
>>> print(write_epilog(read_forms("r(X):-p(X)&~q(X)|s")), end="")
r(X) :- (p(X) & ~q(X) | s)
"""

from __future__ import annotations

from collections.abc import Iterable

from gdl.epilog.tokens import Renaming, epilog_variable, write_symbol
from gdl.errors import RulesheetError
from gdl.rulesheet import Rulesheet
from gdl.syntax import Form, Group, Word
from gdl.terms import Compound, Term

LINE_LENGTH = 100
_INDENT = "  "
_OR, _AND, _NOT, _ATOM = range(4)  # how strongly the operators bind


def write_epilog(rules: Rulesheet | Iterable[Form]) -> str:
    """The Epilog text of a rulesheet or of its statements; `read_epilog` gives the same rules.

    A sequential game is written as the GDL that it was read as. Raises RulesheetError if a
    statement has no spelling in Epilog, such as `((f) a)`.
    """
    forms = rules.forms if isinstance(rules, Rulesheet) else rules
    return "".join(_Statement().write(form) + "\n" for form in forms)


def write_term(term: Term) -> str:
    """The Epilog text of a term without variables, such as a move: `mark(1,1)`, `noop`."""
    if isinstance(term, Compound):
        return f"{write_symbol(term.name)}({','.join(map(write_term, term.args))})"
    return write_symbol(str(term))


class _Statement:
    """Writes one statement; its variables have names of their own."""

    def __init__(self) -> None:
        self._variables = Renaming(epilog_variable)

    def write(self, form: Form) -> str:
        if not isinstance(form, Group) or form.head != "<=":
            return self._term(form)
        if len(form.items) < 2:
            raise RulesheetError("expected a head after '<='", form.span)
        head, *body = (form.items[1], *form.items[2:])
        if not body:
            return self._term(head)
        strength = _OR if len(body) == 1 else _AND
        return _wrapped(self._term(head), [self._literal(part, strength + 1) for part in body])

    def _literal(self, form: Form, strength: int) -> str:
        """A part of a body; in parentheses if its operator binds weaker than `strength`."""
        keyword, parts = _operator(form)
        if keyword == "not":
            return "~" + self._literal(parts[0], _NOT)
        if not keyword:
            return self._term(form)
        own = _OR if keyword == "or" else _AND
        mark = " | " if keyword == "or" else " & "
        text = mark.join(self._literal(part, own + 1) for part in parts)
        return f"({text})" if own < strength else text

    def _term(self, form: Form) -> str:
        if isinstance(form, Word):
            if form.is_variable:
                return self._variables.of(form.text.lower())
            return write_symbol(form.text)
        first = form.items[0] if form.items else form
        if not isinstance(first, Word) or first.is_variable:
            raise RulesheetError("expected a symbol after '('", first.span)
        arguments = ",".join(map(self._term, form.items[1:]))
        return f"{write_symbol(first.text)}({arguments})"


def _operator(form: Form) -> tuple[str, tuple[Form, ...]]:
    """The connective that Epilog has a mark for, and its parts; empty for everything else."""
    if isinstance(form, Group) and form.head in ("and", "or", "not"):
        parts = form.items[1:]
        if (len(parts) == 1) if form.head == "not" else (len(parts) > 1):
            return form.head, parts
    return "", ()


def _wrapped(head: str, body: list[str]) -> str:
    line = f"{head} :- {' & '.join(body)}"
    if len(line) <= LINE_LENGTH:
        return line
    return f"{head} :-\n{_INDENT}" + f" &\n{_INDENT}".join(body)

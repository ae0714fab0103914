"""The parse tree that both notations share: words and groups, each with its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gdl.errors import GdlSyntaxError, Source, Span

MAX_DEPTH = 100  # of nested groups; real ones stay below 30, and `str` must not exhaust the stack


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """One symbol as it is written, such as `cell`, `?x`, `<=` or `2x`."""

    text: str
    span: Span

    @property
    def is_variable(self) -> bool:
        """Whether the word stands for any term (`?x`)."""
        return self.text.startswith("?")

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """A parenthesised sequence of forms, such as `(cell 1 ?y b)`."""

    items: tuple[Form, ...]
    span: Span

    @property
    def head(self) -> str:
        """Text of the first word in lower case; empty if the group starts with no word."""
        first = self.items[0] if self.items else None
        return first.text.lower() if isinstance(first, Word) else ""

    def __str__(self) -> str:
        return f"({' '.join(map(str, self.items))})"


Form = Word | Group


def words(form: Form) -> Iterator[Word]:
    """All words of a form, from left to right."""
    stack: list[Form] = [form]
    while stack:
        top = stack.pop()
        if isinstance(top, Word):
            yield top
        else:
            stack.extend(reversed(top.items))


def written(form: Form) -> str:
    """A form as it stands in the text: in Epilog `X`, not `?x`."""
    return " ".join(form.span.source.text[form.span.start : form.span.end].split()) or str(form)


def head_and_body(statement: Form) -> tuple[Form, tuple[Form, ...]]:
    """The parts of a rule or fact."""
    if isinstance(statement, Group) and statement.head == "<=" and len(statement.items) > 1:
        return statement.items[1], statement.items[2:]
    return statement, ()


def only_form(forms: Sequence[Form], source: Source, expected: str) -> Form:
    """The one form of a text; GdlSyntaxError if it has none, or several."""
    if len(forms) != 1:
        span = forms[1].span if forms else Span(source, 0, 0)
        raise GdlSyntaxError(f"expected one {expected}, got {len(forms)}", span)
    return forms[0]

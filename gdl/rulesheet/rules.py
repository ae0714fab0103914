"""Rules as data: a head and a body of literals, comparisons and disjunctions.

Negation is pushed inward on reading, so `not` stands only before relations: `(not (or a b))` is
read as two negative literals and `(not (distinct a b))` as an equality.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from gdl.errors import Span
from gdl.syntax import Form
from gdl.terms import Compound, Constant, Term, Variable, variables


class Relation(NamedTuple):
    """A relation or function symbol with its number of arguments; `str` gives `cell/3`."""

    name: str
    arity: int

    def __str__(self) -> str:
        return f"{self.name}/{self.arity}"

    @classmethod
    def of(cls, atom: Term) -> Relation:
        """The relation of an atomic sentence."""
        if isinstance(atom, Compound):
            return cls(atom.name, len(atom.args))
        assert isinstance(atom, Constant)
        return cls(atom.name, 0)


@dataclass(frozen=True, slots=True)
class Literal:
    """A relation that must hold (`is_positive`) or must not hold."""

    atom: Term
    is_positive: bool
    span: Span

    @property
    def relation(self) -> Relation:
        """Symbol and arity of the atom."""
        return Relation.of(self.atom)

    @property
    def args(self) -> tuple[Term, ...]:
        """Arguments of the atom; empty for a proposition."""
        return self.atom.args if isinstance(self.atom, Compound) else ()

    def __str__(self) -> str:
        return str(self.atom) if self.is_positive else f"(not {self.atom})"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two terms that must differ (`is_distinct`) or must be the same."""

    left: Term
    right: Term
    is_distinct: bool
    span: Span

    def __str__(self) -> str:
        text = f"(distinct {self.left} {self.right})"
        return text if self.is_distinct else f"(not {text})"


@dataclass(frozen=True, slots=True)
class Disjunction:
    """Bodies of which at least one must hold; without any branch it never holds."""

    branches: tuple[Body, ...]
    span: Span

    def __str__(self) -> str:
        texts = (f"(and {' '.join(map(str, branch))})" for branch in self.branches)
        return f"(or {' '.join(texts)})"


Item = Literal | Comparison | Disjunction
Body = tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """If every item of the body holds, the head holds. A fact has an empty body.

    `form` is the statement as it is written, for reports that point into the source.
    """

    head: Term
    body: Body
    form: Form

    @property
    def relation(self) -> Relation:
        """Symbol and arity of the head."""
        return Relation.of(self.head)

    @property
    def span(self) -> Span:
        """Place of the statement."""
        return self.form.span

    @property
    def is_fact(self) -> bool:
        """Whether the head holds without any condition and without variables."""
        return not self.body and self.head.is_ground

    def __str__(self) -> str:
        if not self.body:
            return str(self.head)
        return f"(<= {self.head} {' '.join(map(str, self.body))})"


def literals(body: Body) -> Iterator[Literal]:
    """All literals of a body, those inside disjunctions as well."""
    for item in body:
        if isinstance(item, Literal):
            yield item
        elif isinstance(item, Disjunction):
            for branch in item.branches:
                yield from literals(branch)


def item_variables(item: Item) -> set[Variable]:
    """All variables that occur in an item of a body."""
    if isinstance(item, Literal):
        return variables(item.atom)
    if isinstance(item, Comparison):
        return variables(item.left) | variables(item.right)
    return {name for branch in item.branches for part in branch for name in item_variables(part)}

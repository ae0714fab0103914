"""Rules as data: a head and a body of literals, comparisons and disjunctions, read from forms.

The reader pushes negation inward, so that `not` stands only before relations. `(not (or a b))` is
read as two negative literals and `(not (distinct a b))` as an equality. The reader accepts more
than the specification: `(terminal)` for `terminal`, rules with an empty body, `and` anywhere,
nested and empty `or`, and `not` around any of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from gdl.errors import RulesheetError, Span
from gdl.syntax import Form, Group, Word, head_and_body, words
from gdl.terms import Compound, Constant, Term, Variable, args_of, variables


class Relation(NamedTuple):
    """Relation or function symbol with its number of arguments. `str` gives `cell/3`."""

    name: str
    arity: int

    def __str__(self) -> str:
        return f"{self.name}/{self.arity}"

    @classmethod
    def of(cls, atom: Term) -> Relation:
        """Return the relation of an atomic sentence."""
        if isinstance(atom, Compound):
            return cls(atom.name, len(atom.args))
        assert isinstance(atom, Constant)
        return cls(atom.name, 0)


@dataclass(frozen=True, slots=True)
class Literal:
    """Relation that must hold (`is_positive`) or must not hold."""

    atom: Term
    is_positive: bool
    span: Span

    @property
    def relation(self) -> Relation:
        """Symbol and arity of the atom."""
        return Relation.of(self.atom)

    @property
    def args(self) -> tuple[Term, ...]:
        """Arguments of the atom, empty for a proposition."""
        return args_of(self.atom)

    def __str__(self) -> str:
        return str(self.atom) if self.is_positive else f"(not {self.atom})"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Condition that two terms must differ (`is_distinct`) or must be equal."""

    left: Term
    right: Term
    is_distinct: bool
    span: Span

    def __str__(self) -> str:
        text = f"(distinct {self.left} {self.right})"
        return text if self.is_distinct else f"(not {text})"


@dataclass(frozen=True, slots=True)
class Disjunction:
    """Bodies of which at least one must hold. A disjunction without branches never holds."""

    branches: tuple[Body, ...]
    span: Span

    def __str__(self) -> str:
        texts = (f"(and {' '.join(map(str, branch))})" for branch in self.branches)
        return f"(or {' '.join(texts)})"


Item = Literal | Comparison | Disjunction
Body = tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """Head that holds if every item of the body holds. The body of a fact is empty.

    `form` is the statement as written, for reports that point into the source.
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
        """Place of the statement in its source."""
        return self.form.span

    @property
    def is_fact(self) -> bool:
        """Whether the rule has no condition and no variables."""
        return not self.body and self.head.is_ground

    def __str__(self) -> str:
        if not self.body:
            return str(self.head)
        return f"(<= {self.head} {' '.join(map(str, self.body))})"


def literals(body: Body) -> Iterator[Literal]:
    """Yield all literals of a body, including those inside disjunctions."""
    for item in body:
        if isinstance(item, Literal):
            yield item
        elif isinstance(item, Disjunction):
            for branch in item.branches:
                yield from literals(branch)


def item_variables(item: Item) -> set[Variable]:
    """Return all variables that occur in an item of a body."""
    if isinstance(item, Literal):
        return variables(item.atom)
    if isinstance(item, Comparison):
        return variables(item.left) | variables(item.right)
    return {name for branch in item.branches for part in branch for name in item_variables(part)}


def positive_variables(body: Body) -> set[Variable]:
    """Return the variables of a body's positive literals. Ignore literals inside disjunctions."""
    positive = (item for item in body if isinstance(item, Literal) and item.is_positive)
    return set().union(*map(item_variables, positive))


# Relations with a meaning in GDL, and their number of arguments.
RESERVED: dict[str, int] = {
    "role": 1,
    "init": 1,
    "true": 1,
    "does": 2,
    "next": 1,
    "legal": 2,
    "goal": 2,
    "terminal": 0,
    "base": 1,
    "input": 2,
    "sees": 2,
}
CONNECTIVES = frozenset({"<=", "not", "and", "or", "distinct"})
ARROWS = frozenset({":-", "<-", "<--", "<==", "=<", "->", "=>", "==>", "←", "⇐", "⟸"})
"""Words that other notations use in place of `<=`."""
KEYWORDS = CONNECTIVES | RESERVED.keys() | {"random"}


class Spelling:
    """The spelling of each symbol of one rulesheet, whatever case a message uses.

    Dresden's controller sends upper case, GGP-Base is case-sensitive, and one public rulesheet
    mixes cases by mistake. So symbols of a rulesheet that differ only by case are the same symbol.
    A symbol is written as in the `legal` rules, because answers need that spelling. A symbol that
    does not occur in these rules is written as at its first occurrence. Keywords are lower case.
    """

    def __init__(self, forms: Iterable[Form] = ()) -> None:
        self._spelled: dict[str, str] = {keyword: keyword for keyword in KEYWORDS}
        forms = tuple(forms)
        for form in forms:
            if is_about_moves(form):
                self._learn(form)
        for form in forms:
            self._learn(form)

    def _learn(self, form: Form) -> None:
        spelled = self._spelled
        for word in words(form):
            spelled.setdefault(word.text.lower(), word.text)

    def of(self, text: str) -> str:
        """Return the spelling of a symbol. Unknown symbols stay as they are."""
        return self._spelled.get(text.lower(), text)


def is_about_moves(statement: Form) -> bool:
    """Return whether a statement is a `legal` fact or a rule whose head is `legal`."""
    head, _ = head_and_body(statement)
    return isinstance(head, Group) and head.head == "legal"


def read_term(form: Form, spelling: Spelling) -> Term:
    """Return the term that a form denotes. A group of one word denotes that word."""
    if isinstance(form, Word):
        return Variable(form.text.lower()) if form.is_variable else Constant(spelling.of(form.text))
    if not form.items:
        raise RulesheetError("expected a term, got an empty pair of parentheses", form.span)
    first, rest = form.items[0], form.items[1:]
    if not isinstance(first, Word) or first.is_variable:
        raise RulesheetError("expected a symbol after '('", first.span)
    if not rest:
        return read_term(first, spelling)
    return Compound(spelling.of(first.text), tuple(read_term(item, spelling) for item in rest))


def read_rule(form: Form, spelling: Spelling) -> Rule:
    """Return the rule or fact that a statement denotes.

    Raises:
        RulesheetError: The statement has no meaning.
    """
    if not isinstance(form, Group) or form.head != "<=":
        _expect_no_arrow(form)
        return Rule(_read_atom(form, spelling), (), form)
    if len(form.items) == 1:
        raise RulesheetError("expected a head after '<='", form.span)
    head = _read_atom(form.items[1], spelling)
    body = (item for part in form.items[2:] for item in _read_items(part, spelling, True))
    return Rule(head, tuple(body), form)


def _expect_no_arrow(form: Form) -> None:
    """Reject a rule that begins with a foreign arrow. Read as a fact, it would have no effect."""
    if not isinstance(form, Group) or form.head not in ARROWS or len(form.items) < 2:
        return
    parts = form.items[1:]
    groups = [part for part in parts if isinstance(part, Group)]
    has_keyword = any(part.head in CONNECTIVES or part.head in RESERVED for part in groups)
    has_condition = isinstance(parts[0], Word) and bool(groups)
    if has_keyword or has_condition or any(word.is_variable for word in words(form)):
        raise RulesheetError(f"a rule begins with '<=', got '{form.head}'", form.items[0].span)


def _read_atom(form: Form, spelling: Spelling) -> Term:
    word = form.head if isinstance(form, Group) else form.text.lower()
    if word in CONNECTIVES:
        raise RulesheetError(f"expected a relation, got the keyword '{word}'", form.span)
    atom = read_term(form, spelling)
    if isinstance(atom, Variable):
        raise RulesheetError(f"expected a relation, got the variable {atom}", form.span)
    return atom


def _read_items(form: Form, spelling: Spelling, is_positive: bool) -> Body:
    keyword = form.head if isinstance(form, Group) else ""
    if not isinstance(form, Group) or keyword not in CONNECTIVES:
        return (Literal(_read_atom(form, spelling), is_positive, form.span),)
    parts = form.items[1:]
    if keyword == "not":
        _expect(form, 1)
        return _read_items(parts[0], spelling, not is_positive)
    if keyword == "distinct":
        _expect(form, 2)
        left, right = (read_term(part, spelling) for part in parts)
        return (Comparison(left, right, is_positive, form.span),)
    if keyword == "<=":
        raise RulesheetError("a rule cannot stand inside a body", form.span)
    branches = tuple(_read_items(part, spelling, is_positive) for part in parts)
    if (keyword == "and") == is_positive:  # by De Morgan's laws, a negated `or` is a conjunction
        return tuple(item for branch in branches for item in branch)
    return branches[0] if len(branches) == 1 else (Disjunction(branches, form.span),)


def _expect(form: Group, count: int) -> None:
    got = len(form.items) - 1
    if got != count:
        raise RulesheetError(f"'{form.head}' takes {count} argument(s), got {got}", form.span)

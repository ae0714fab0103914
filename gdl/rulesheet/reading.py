"""Forms to terms and rules. Lenient where the meaning is clear, a problem with its place where not.

Accepted beyond the letter of the specification: `(terminal)` for `terminal`, rules with an empty
body, `and` anywhere, nested and empty `or`, `not` around any of them.
"""

from __future__ import annotations

from gdl.errors import RulesheetError
from gdl.rulesheet.rules import Body, Comparison, Disjunction, Item, Literal, Rule
from gdl.rulesheet.words import ARROWS, CONNECTIVES, RESERVED, Spelling
from gdl.syntax import Form, Group, Word
from gdl.terms import Compound, Constant, Term, Variable


def read_term(form: Form, spelling: Spelling) -> Term:
    """The term that a form denotes; a group of one word is that word.

    Raises:
        RulesheetError: The form is `()`, or a group that does not start with a symbol.
    """
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
    """The rule or fact that a statement of a rulesheet denotes.

    Raises:
        RulesheetError: The statement has no meaning in GDL.
    """
    if not isinstance(form, Group) or form.head != "<=":
        _expect_no_arrow(form)
        return Rule(_read_atom(form, spelling), (), form)
    if len(form.items) == 1:
        raise RulesheetError("expected a head after '<='", form.span)
    head = _read_atom(form.items[1], spelling)
    return Rule(head, _read_body(form.items[2:], spelling), form)


def _expect_no_arrow(form: Form) -> None:
    """Refuse a rule with another arrow: as a fact it would mean nothing, and the game be empty."""
    if not isinstance(form, Group) or form.head not in ARROWS or len(form.items) < 2:
        return
    second = form.items[1]
    if isinstance(second, Group) and second.head in RESERVED:
        raise RulesheetError(f"a rule begins with '<=', got '{form.head}'", form.items[0].span)


def _read_body(forms: tuple[Form, ...], spelling: Spelling) -> Body:
    return tuple(item for form in forms for item in _read_items(form, spelling, True))


def _read_atom(form: Form, spelling: Spelling) -> Term:
    word = form.head if isinstance(form, Group) else form.text.lower()
    if word in CONNECTIVES:
        raise RulesheetError(f"expected a relation, got the keyword '{word}'", form.span)
    atom = read_term(form, spelling)
    if isinstance(atom, Variable):
        raise RulesheetError(f"expected a relation, got the variable {atom}", form.span)
    return atom


def _read_items(form: Form, spelling: Spelling, is_positive: bool) -> Body:
    """The items that say that a form holds, or with `is_positive` false that it does not."""
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
    if (keyword == "and") == is_positive:  # by De Morgan a negated `or` is a conjunction
        return tuple(item for branch in branches for item in branch)
    return _disjunction(branches, form)


def _disjunction(branches: tuple[Body, ...], form: Form) -> tuple[Item, ...]:
    return branches[0] if len(branches) == 1 else (Disjunction(branches, form.span),)


def _expect(form: Group, count: int) -> None:
    got = len(form.items) - 1
    if got != count:
        raise RulesheetError(f"'{form.head}' takes {count} argument(s), got {got}", form.span)

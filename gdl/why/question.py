"""The fact that somebody asks about: read, and refused with its place where it cannot be meant."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from gdl.epilog import read_forms as read_epilog_forms
from gdl.errors import GdlError, GdlSyntaxError, RulesheetError, Source, Span
from gdl.kif import read_forms
from gdl.notation import is_epilog
from gdl.rulesheet import RESERVED, DependsOn, Relation, Rulesheet
from gdl.rulesheet.graph import DOES, TRUE
from gdl.rulesheet.words import CONNECTIVES
from gdl.syntax import Form, Group
from gdl.terms import Compound, Term, Variable

EXAMPLE = "(legal ROLE MOVE)"
MAX_LENGTH = 10_000


class QuestionError(GdlError):
    """What was asked is no fact of these rules."""


@dataclass(frozen=True, slots=True)
class Question:
    """A fact that is asked about.

    Attributes:
        fact: It may have variables.
        is_denied: It was asked as `(not FACT)`.
        needs_moves: It depends on what is done in the state.
    """

    fact: Term
    is_denied: bool
    needs_moves: bool

    def __str__(self) -> str:
        return f"(not {self.fact})" if self.is_denied else str(self.fact)


def read_question(text: str, rules: Rulesheet, name: str = "<fact>") -> Question:
    """The fact that a text asks about, in prefix KIF, or in Epilog if the rules are.

    Raises:
        GdlSyntaxError: It cannot be read, or is not one fact.
        QuestionError: No relation or fact of the state has that name, or that many arguments.
    """
    if len(text) > MAX_LENGTH:
        raise QuestionError(f"{name}: expected a fact of at most {MAX_LENGTH:,} characters")
    in_epilog = rules.origin.is_epilog and is_epilog(text)
    forms = (read_epilog_forms if in_epilog else read_forms)(text, name)
    if len(forms) != 1:
        span = forms[1].span if forms else Span(Source(name, text), 0, 0)
        raise GdlSyntaxError(f"expected one fact, such as {EXAMPLE}, got {len(forms)}", span)
    form, is_denied = forms[0], False
    while isinstance(form, Group) and form.head == "not" and len(form.items) == 2:
        form, is_denied = form.items[1], not is_denied
    fact = _fact(form, rules)
    needs_moves = rules.graph.dependence(Relation.of(fact)) == DependsOn.MOVES
    return Question(fact, is_denied, needs_moves)


def _fact(form: Form, rules: Rulesheet) -> Term:
    first = form.items[0] if isinstance(form, Group) and form.items else form
    word = str(first).lower()
    if word in CONNECTIVES:
        raise QuestionError(
            f"expected a fact, such as {EXAMPLE} or (not {EXAMPLE}), got '{word}'", first.span
        )
    try:
        fact = rules.term(form)
    except RulesheetError as error:
        raise QuestionError(error.message, error.span) from error
    if isinstance(fact, Variable):
        raise QuestionError(
            f"expected a fact, such as {EXAMPLE}, got the variable {fact}", form.span
        )
    relation = Relation.of(fact)
    if relation not in (TRUE, DOES):
        _check_relation(relation, form, first, rules)
    elif relation == TRUE and isinstance(form, Group):
        assert isinstance(fact, Compound)
        _check_state_fact(fact.args[0], form.items[1], rules)
    return fact


def _check_relation(relation: Relation, form: Form, first: Form, rules: Rulesheet) -> None:
    """Refuse a relation that the rules do not have."""
    if relation in rules.definitions:
        return
    name, arity = relation
    fluents = _fluents(rules)
    if fluents is not None and relation in fluents:
        hint = f"(true {form})" if not rules.origin.is_epilog else f"true({name}(...))"
        raise QuestionError(f"'{name}' is a fact of the state; ask for it as {hint}", first.span)
    expected = {RESERVED[name]} if name in RESERVED else set()
    expected |= {other.arity for other in rules.definitions if other.name == name}
    if expected - {arity}:
        counts = " or ".join(map(str, sorted(expected)))
        raise QuestionError(f"'{name}' takes {counts} argument(s), got {arity}", first.span)
    if name in RESERVED:
        return  # nothing defines it, which is an answer
    names = {other.name for other in rules.definitions} - rules.origin.generated
    names |= {other.name for other in fluents or ()} | RESERVED.keys()
    raise QuestionError(f"the rules have no relation '{relation}'{_near(name, names)}", first.span)


def _check_state_fact(fact: Term, form: Form, rules: Rulesheet) -> None:
    """Refuse a fact that no state can hold."""
    fluents = _fluents(rules)
    if fluents is None or isinstance(fact, Variable) or Relation.of(fact) in fluents:
        return
    name, arity = Relation.of(fact)
    counts = sorted({other.arity for other in fluents if other.name == name})
    if counts:
        expected = " or ".join(map(str, counts))
        raise QuestionError(f"'{name}' takes {expected} argument(s), got {arity}", form.span)
    near = _near(name, {other.name for other in fluents})
    raise QuestionError(f"no 'init' or 'next' makes a fact '{name}/{arity}'{near}", form.span)


def _fluents(rules: Rulesheet) -> set[Relation] | None:
    """The symbols of facts that states can hold; None if the rules leave that open."""
    found = set(_made(rules))
    return None if None in found else {one for one in found if one is not None}


def _made(rules: Rulesheet) -> Iterator[Relation | None]:
    for name in ("init", "next"):
        for rule in rules.definitions.get(Relation(name, 1), ()):
            assert isinstance(rule.head, Compound)
            fact = rule.head.args[0]
            yield None if isinstance(fact, Variable) else Relation.of(fact)


def _near(name: str, known: Collection[str]) -> str:
    nearest = get_close_matches(name, sorted(known), n=1)
    return f"; did you mean '{nearest[0]}'?" if nearest else ""

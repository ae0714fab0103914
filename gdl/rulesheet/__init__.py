"""Rulesheets: everything that can be read off the rules of a game, such as roles and spelling."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from gdl.errors import RulesheetError, Span
from gdl.lazy import lazy_property
from gdl.rulesheet.canonical import CanonicalForm, canonical_form, renamed, shape
from gdl.rulesheet.graph import DependencyGraph, DependsOn
from gdl.rulesheet.infix import InfixRules, infix_rules
from gdl.rulesheet.rules import (
    KEYWORDS,
    RESERVED,
    Body,
    Comparison,
    Disjunction,
    Item,
    Literal,
    Relation,
    Rule,
    Spelling,
    read_rule,
    read_term,
)
from gdl.syntax import Form, head_and_body, words
from gdl.terms import Compound, Constant, Term, Variable, args_of, variables

__all__ = [
    "KEYWORDS",
    "RESERVED",
    "Body",
    "CanonicalForm",
    "Comparison",
    "DependencyGraph",
    "DependsOn",
    "Disjunction",
    "Item",
    "Literal",
    "Origin",
    "Relation",
    "Remark",
    "Rule",
    "Rulesheet",
    "renamed",
]


def digest(forms: Iterable[Form]) -> str:
    """Return a digest that identifies rules, in hexadecimal.

    Comments, layout, case and the order of the statements do not affect the digest.
    """
    statements = sorted(str(form).lower() for form in forms)
    return hashlib.sha256("\n".join(statements).encode()).hexdigest()


_MADE = ("role", "init", "legal", "next", "goal")

Remark = tuple[str, Span, str]


@dataclass(frozen=True, slots=True)
class Origin:
    """Additions of the translation from Epilog to a rulesheet. For prefix KIF, all are empty."""

    is_epilog: bool = False  # whether the author wrote Epilog
    # Relations that the notation itself defines, with their number of arguments in words. Relations
    # without facts that can hold are not listed.
    builtins: Mapping[str, str] = field(default_factory=dict)
    generated: frozenset[str] = frozenset()  # names of relations that the translation adds
    is_sequential: bool = False  # whether conditions name facts of the state without `true`
    # Names of two relations of sequential games: the facts that a move deletes, and the legal
    # moves. "" in other games.
    deleted: str = ""
    movable: str = ""
    # Remarks for the author on how the rulesheet was read: code of the check, place, message
    remarks: tuple[Remark, ...] = ()

    @property
    def given(self) -> frozenset[str]:
        """Names of the relations that the notation defines or the translation adds."""
        return self.generated | self.builtins.keys()


class Rulesheet:
    """Statements of one game, in the order in which they are written.

    Attributes:
        name: Name of the rulesheet in messages, such as its file name.
        rules: The statements as rules, without those that have no meaning.
        problems: One error for each statement that has no meaning. Reasoners refuse a rulesheet
            that has any (see `refusal`), and `gdl.check` lists them all.
        infix_rules: Rules in the syntax of other languages, which are also problems.
    """

    def __init__(
        self,
        name: str,
        forms: tuple[Form, ...],
        rules: tuple[Rule, ...],
        problems: tuple[RulesheetError, ...],
        spelling: Spelling,
    ) -> None:
        self.name = name
        self.forms = forms
        self.rules = rules
        self.problems = problems
        self.spelling = spelling
        self.origin = Origin()
        self.infix_rules = InfixRules()

    @classmethod
    def from_forms(
        cls, forms: Iterable[Form], name: str = "<rules>", origin: Origin | None = None
    ) -> Rulesheet:
        """Make a rulesheet of statements. Those without a meaning become its `problems`."""
        statements = tuple(forms)
        spelling = Spelling(statements)
        rules: list[Rule] = []
        problems: list[RulesheetError] = []
        is_epilog = origin is not None and origin.is_epilog
        infix = InfixRules() if is_epilog else infix_rules(statements)
        for statement in statements:
            rule = infix.around(statement)
            if rule is not None:
                if statement.span.start == rule.span.start:
                    problems.append(rule.problem)
                continue
            try:
                rules.append(read_rule(statement, spelling))
            except RulesheetError as problem:
                problems.append(problem)
        rulesheet = cls(name, statements, tuple(rules), tuple(problems), spelling)
        rulesheet.origin = origin or rulesheet.origin
        rulesheet.infix_rules = infix
        return rulesheet

    @lazy_property
    def refusal(self) -> RulesheetError | None:
        """Error with which reasoners reject the rules, or None if the game can be played.

        The cause is a statement without meaning, or a fact in which a variable stands for a role, a
        fact of the state, a move or a goal. Other facts with variables, such as those of the
        author's own relations, hold for every value.
        """
        if self.problems:
            return self.problems[0]
        for rule in self.rules:
            if rule.body or rule.relation.name not in _MADE or rule.head.is_ground:
                continue
            *role, made = args_of(rule.head)
            open_names = {it.name for it in variables(made).difference(*map(variables, role))}
            for name in sorted(open_names):
                head = head_and_body(rule.form)[0]
                places = (word.span for word in words(head) if word.text.lower() == name)
                return RulesheetError(
                    f"a fact cannot have the variable {name}; write a constant, or a rule with a "
                    "condition that binds it",
                    next(places, rule.span),
                )
        return None

    def term(self, form: Form) -> Term:
        """Return the term that a form denotes, in the spelling of this rulesheet."""
        return read_term(form, self.spelling)

    @lazy_property
    def digest(self) -> str:
        """Digest that identifies the rules. It does not depend on their layout."""
        return digest(self.forms)

    @lazy_property
    def canonical(self) -> CanonicalForm | None:
        """Canonical form, which is equal for rulesheets of the same game with other names.

        None if there are no rules, if a statement has no meaning, or if it takes too long to
        compute. It usually takes milliseconds, and up to a second for the largest rulesheets.
        """
        return None if self.problems else canonical_form(self.rules)

    @lazy_property
    def shape(self) -> str:
        """Digest of the sizes of the rules. It does not change when symbols are renamed."""
        return shape(self.rules)

    @lazy_property
    def roles(self) -> tuple[Constant, ...]:
        """Roles, in the order of their `role` facts."""
        found: dict[Constant, None] = {}
        for rule in self.rules:
            if rule.relation == ("role", 1) and rule.is_fact:
                assert isinstance(rule.head, Compound)
                role = rule.head.args[0]
                if isinstance(role, Constant):
                    found[role] = None
        return tuple(found)

    def all_roles(self, derived: Iterable[Term]) -> tuple[Constant, ...]:
        """Return the roles: those from `role` facts in their order, then derived ones by name.

        Raises:
            RulesheetError: There is no role.
        """
        found = dict.fromkeys(self.roles)
        constants = (role for role in derived if isinstance(role, Constant))
        found.update(dict.fromkeys(sorted(constants, key=str)))
        if not found:
            raise RulesheetError(
                f"{self.name}: no role is defined; expected a fact such as (role white)"
            )
        return tuple(found)

    @lazy_property
    def fluents(self) -> frozenset[Relation | None]:
        """Relations of the facts that `init` and `next` produce. None stands for any relation."""
        return self._made("init", "next")

    @lazy_property
    def moves(self) -> frozenset[Relation | None]:
        """Relations of the moves that `legal` produces. None stands for any relation."""
        return self._made("legal")

    def _made(self, *names: str) -> frozenset[Relation | None]:
        heads = (rule.head for rule in self.rules if rule.relation.name in names)
        made = (head.args[-1] for head in heads if isinstance(head, Compound))
        return frozenset(None if isinstance(term, Variable) else Relation.of(term) for term in made)

    @lazy_property
    def symbols(self) -> frozenset[str]:
        """All words that occur in the rules, as they are written."""
        return frozenset(word.text for form in self.forms for word in words(form))

    @lazy_property
    def definitions(self) -> dict[Relation, tuple[Rule, ...]]:
        """Rules and facts of each relation, in order."""
        found: dict[Relation, list[Rule]] = {}
        for rule in self.rules:
            found.setdefault(rule.relation, []).append(rule)
        return {relation: tuple(rules) for relation, rules in found.items()}

    @property
    def has_percepts(self) -> bool:
        """Whether roles know only what the rules let them see, as in GDL-II."""
        return ("sees", 2) in self.definitions

    @lazy_property
    def graph(self) -> DependencyGraph:
        """Dependency graph of the relations."""
        return DependencyGraph(self.rules)

    def __str__(self) -> str:
        return "\n".join(map(str, self.forms))

    def __repr__(self) -> str:
        return f"<Rulesheet {self.name}: {len(self.rules)} rules, roles {self.roles}>"

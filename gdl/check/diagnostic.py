"""Findings, their codes, and functions that locate them in the source."""

from __future__ import annotations

import re
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, IntEnum, auto
from functools import lru_cache
from typing import NamedTuple

from gdl.epilog.rules import write_term
from gdl.errors import Source, Span
from gdl.rulesheet import RESERVED, Literal, Relation, Rule, Rulesheet
from gdl.rulesheet.rules import CONNECTIVES, Spelling
from gdl.syntax import Form, Group, Word, head_and_body, words, written
from gdl.terms import Compound, Constant, Term, Variable, variables


class Code(NamedTuple):
    """Severity and description of the findings that have this code."""

    severity: typing.Literal["error", "warning", "note"]
    meaning: str


CODES: dict[str, Code] = {
    # The text
    "syntax": Code("error", "The text is not a sequence of balanced expressions."),
    "statement": Code("error", "A statement has no meaning in GDL."),
    "without-effect": Code("warning", "An Epilog sentence has no effect."),
    "bare-word": Code("warning", "A single word stands where a statement is expected."),
    "spelling": Code("warning", "Two symbols differ only in case."),
    "duplicate": Code("note", "A statement repeats an earlier one."),
    # Leniencies
    "empty-body": Code("warning", "A rule has no condition."),
    "empty-or": Code("warning", "An `or` has no branch, so it never holds."),
    "needless-parentheses": Code("warning", "Parentheses stand around a single symbol."),
    "wide-not": Code("warning", "`not` stands before a connective instead of a relation."),
    # Arities and keywords
    "arity-clash": Code("warning", "A symbol has several numbers of arguments."),
    "keyword-arity": Code("error", "A keyword has the wrong number of arguments."),
    "keyword-head": Code("error", "A statement defines `true` or `does`."),
    "keyword-body": Code("warning", "A condition uses a keyword that only heads may use."),
    "keyword-term": Code("warning", "A keyword is used as a function symbol."),
    # Variables
    "unsafe-head": Code("error", "No condition binds a variable of the head."),
    "unsafe-not": Code("error", "No condition binds a variable under `not`."),
    "unsafe-distinct": Code("error", "No condition binds a variable of `distinct`."),
    "never-holds": Code("warning", "A condition says that something is distinct from itself."),
    "always-holds": Code("warning", "A condition says that two constants are distinct."),
    "open-head": Code("warning", "A variable of a head gets its value from the query (Epilog)."),
    "variable-fact": Code("error", "A fact has a variable."),
    # Recursion
    "negation-cycle": Code("error", "A relation depends on its own negation."),
    "negation-apart": Code("warning", "A relation depends on its negation for other arguments."),
    "recursion": Code("warning", "A recursive condition breaks the recursion restriction."),
    # What depends on what
    "depends-on-moves": Code("error", "`legal`, `goal` or `terminal` depends on `does`."),
    "depends-on-state": Code("error", "`init`, `base` or `input` depends on `true` or `does`."),
    # Definitions
    "undefined": Code("warning", "A condition uses a relation that nothing defines."),
    "undefined-fact": Code("warning", "A condition asks for a fact that no state contains."),
    "undefined-move": Code("warning", "A condition asks for a move that is never legal."),
    "undefined-value": Code("warning", "A condition asks for a value that never occurs there."),
    "undeclared": Code("warning", "`base` or `input` omits a fact or a move."),
    "misspelt": Code("warning", "A name occurs once and is nearly another one."),
    "misspelt-keyword": Code("warning", "A head or a role is nearly a keyword."),
    "unused": Code("note", "A relation is defined, but the game does not depend on it."),
    "unread-fact": Code("note", "A fact of the state is set, but no rule reads it."),
    # Roles, moves, goals and the end
    "no-role": Code("error", "The rulesheet names no role."),
    "role-rule": Code("error", "A role is defined by a rule instead of a fact."),
    "unknown-role": Code("warning", "A role is named that the rulesheet does not define."),
    "no-init": Code("warning", "A fact never holds, because no `init` makes a first one."),
    "no-legal": Code("error", "A role never has a legal move."),
    "no-goal": Code("warning", "A role never has a goal value."),
    "no-terminal": Code("warning", "The game has no terminal state."),
    "goal-value": Code("error", "A goal value is not a whole number from 0 to 100."),
    "sees-nothing": Code("warning", "A role sees nothing, but others do (GDL-II)."),
    "sees-always": Code("warning", "A percept depends on neither the state nor the moves."),
    # Found by playing
    "play-failed": Code("error", "The rules could not be evaluated."),
    "play-over": Code("warning", "The game is over before the first move."),
    "play-no-move": Code("error", "A role has no legal move in a state that is not terminal."),
    "play-goals": Code(
        "warning", "A role does not have exactly one goal value in a terminal state."
    ),
    "play-endless": Code("warning", "A game did not end within the limit of steps."),
    "play-sees": Code("warning", "A percept never occurs, or after every move."),
    "play-unseen": Code("note", "A percept did not occur in any random game (GDL-II)."),
    "play-unknowable": Code("warning", "The legal moves of a role depend on what it cannot know."),
    "play-lost": Code("warning", "Facts of the state vanish, and no rule keeps them."),
    "play-doubled": Code("warning", "Facts stay although others take their place."),
    "play-turns": Code("warning", "Several roles have the turn at once, or no role has it."),
    "play-undeclared": Code("warning", "`base` or `input` omits what occurs in random games."),
    "play-idle": Code("warning", "A role never has a choice, but another one does."),
    "play-time": Code("note", "The time for playing ran out before all playouts were done."),
}


class Severity(IntEnum):
    """Severity of a finding. The worst severity has the highest number."""

    NOTE = 1  # nothing is wrong, but the author may have meant something else
    WARNING = 2  # the rules can be played, but stricter players may refuse them
    ERROR = 3  # the rules cannot be played, or a part of them has no meaning

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Finding of a check. `str` gives `file:line:column: severity: message`."""

    span: Span  # the word or expression at fault
    severity: Severity  # the worst severity has the highest number
    code: str  # kind of fault, a key of `gdl.check.CODES`
    message: str  # what is wrong and what would be right
    instead: str = ""  # the correct word or expression, or rules to add; may be empty

    def __str__(self) -> str:
        return f"{self.span}: {self.severity}: {self.message}"

    @property
    def order(self) -> tuple[bool, int, int, int, str, str]:
        """Key that sorts findings in four groups, and those of a group by place.

        The groups are misspelt keywords, other findings from the text, findings from playing, and
        notes.
        """
        rank = 1 if self.code.startswith("play-") else 0
        rank = {"misspelt-keyword": -1}.get(self.code, rank)
        is_note = self.severity is Severity.NOTE
        return is_note, rank, self.span.start, -self.severity, self.code, self.message

    def picture(self) -> str:
        """Return the source line and, under it, a caret and tildes that mark the place."""
        return self.span.picture()


def finding(code: str, span: Span, message: str, instead: str = "") -> Diagnostic:
    """Return a diagnostic with the severity of its code."""
    return Diagnostic(span, Severity[CODES[code].severity.upper()], code, message, instead)


_VARIABLE = re.compile(r"\?\S+|[^\W\d]\w*")  # of either notation


class Part(Enum):
    """Part of a statement in which a symbol occurs."""

    HEAD = auto()
    BODY = auto()
    TERM = auto()


@dataclass(frozen=True, slots=True)
class Use:
    """Occurrence of a symbol, as a relation or inside a term."""

    symbol: Relation
    part: Part
    word: Word
    form: Form

    @property
    def args(self) -> tuple[Form, ...]:
        """Arguments as written."""
        return self.form.items[1:] if isinstance(self.form, Group) else ()


@lru_cache(maxsize=1)  # the checks of a rulesheet run one after the other
def uses(rulesheet: Rulesheet) -> tuple[Use, ...]:
    """Return all uses of symbols except variables, in order. Skip statements without meaning."""
    found = [use for rule in rulesheet.rules for use in _uses(rule.form, rulesheet.spelling)]
    return tuple(sorted(found, key=lambda use: use.word.span.start))


def _uses(statement: Form, spelling: Spelling) -> Iterator[Use]:
    spelled = spelling.of
    head, body = head_and_body(statement)
    waiting = [(head, Part.HEAD), *((item, Part.BODY) for item in body)]
    while waiting:
        form, part = waiting.pop()
        if isinstance(form, Word):
            if not form.is_variable:
                yield Use(Relation(spelled(form.text), 0), part, form, form)
            continue
        inner = Part.TERM
        args = form.items[1:]
        if part is Part.BODY and form.head in CONNECTIVES:
            inner = Part.TERM if form.head == "distinct" else Part.BODY
        else:
            word = first_word(form)
            yield Use(Relation(spelled(word.text), len(args)), part, word, form)
        waiting += [(item, inner) for item in args]


def first_word(form: Form) -> Word:
    """Return the leading symbol of an expression, whose first item must be a word."""
    first = form.items[0] if isinstance(form, Group) else form
    assert isinstance(first, Word)
    return first


def form_at(statement: Form, span: Span) -> Form:
    """Return the part of a statement with exactly this span, or the statement if there is none.

    Search all parts, because those of a translated statement are not in the order of the text.
    """
    waiting = [statement]
    while waiting:
        form = waiting.pop()
        if form.span == span:
            return _denied(form)
        if isinstance(form, Group):
            waiting.extend(reversed(form.items))
    return statement


def _denied(form: Form) -> Form:
    is_denial = isinstance(form, Group) and form.head == "not" and len(form.items) > 1
    if is_denial and isinstance(form, Group) and form.items[1].span == form.span:
        return form.items[1]
    return form


def head_span(rule: Rule) -> Span:
    """Return the span of the symbol in the head of a rule or fact."""
    return first_word(head_and_body(rule.form)[0]).span


def as_written(form: Form) -> str:
    """Return the source text of a form: `?x` in KIF, and `X` in Epilog.

    Forms that the translation from Epilog added have no source text. Return them in KIF.
    """
    text = written(form)
    is_variable = isinstance(form, Word) and form.is_variable
    return str(form) if is_variable and not _VARIABLE.fullmatch(text) else text


def term_text(term: Term, rulesheet: Rulesheet) -> str:
    """Return a term in the notation of the rules: `(cell 1 b)` in KIF, `cell(1,b)` in Epilog."""
    return write_term(term) if rulesheet.origin.is_epilog else str(term)


def symbol_span(rule: Rule, span: Span) -> Span:
    """Return the span of the symbol of a literal, given the span of the whole literal."""
    return first_word(form_at(rule.form, span)).span


def variable_word(variable: Variable, within: Form) -> Word:
    """Return the first occurrence of a variable in a form that contains it."""
    places = (word for word in words(within) if word.text.lower() == variable.name)
    return next(places, Word(variable.name, within.span))


def argument_forms(rule: Rule, literal: Literal) -> tuple[Form, ...]:
    """Return the forms of a literal's arguments."""
    form = form_at(rule.form, literal.span)
    if isinstance(form, Group) and len(form.items) == len(literal.args) + 1:
        return form.items[1:]
    return (form,) * len(literal.args)


def start(rulesheet: Rulesheet) -> Span:
    """Return the span of the start of a rulesheet, for findings about the whole rulesheet."""
    if not rulesheet.forms:
        return Span(Source(rulesheet.name, ""), 0, 0)
    first = rulesheet.forms[0].span
    return Span(first.source, first.start, first.start + 1)


def keyword_rules(rulesheet: Rulesheet, keyword: str) -> tuple[Rule, ...]:
    """Return the rules and facts that define a keyword."""
    return rulesheet.definitions.get(Relation(keyword, RESERVED[keyword]), ())


def rules_for(rulesheet: Rulesheet, keyword: str, role: Constant) -> tuple[Rule, ...]:
    """Return the rules for a keyword whose first argument may be `role`."""
    return tuple(
        rule
        for rule in keyword_rules(rulesheet, keyword)
        if isinstance(rule.head, Compound) and rule.head.args[0] in (role, *variables(rule.head))
    )


def role_place(rulesheet: Rulesheet, role: Constant) -> Span:
    """Return the span of the fact that declares a role."""
    for rule in keyword_rules(rulesheet, "role"):
        if isinstance(rule.head, Compound) and rule.head.args[0] is role:
            return rule.span
    raise AssertionError(role)

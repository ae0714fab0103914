"""Findings: where, how bad, which check found it; and the codes of all checks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Literal, NamedTuple

from gdl.errors import Span


class Code(NamedTuple):
    """Severity and meaning of the findings of a check."""

    severity: Literal["error", "warning", "note"]
    meaning: str


CODES: dict[str, Code] = {
    # The text
    "syntax": Code("error", "The text is no sequence of balanced expressions."),
    "statement": Code("error", "A statement has no meaning in GDL."),
    "without-effect": Code("warning", "A sentence of Epilog can make no difference."),
    "bare-word": Code("warning", "A single word stands where a statement is expected."),
    "spelling": Code("warning", "Two symbols differ only in case."),
    "duplicate": Code("note", "A statement says what an earlier one says."),
    # Leniencies
    "empty-body": Code("warning", "A rule has no condition."),
    "empty-or": Code("warning", "An `or` has no branch, so it never holds."),
    "needless-parentheses": Code("warning", "Parentheses stand around a single symbol."),
    "wide-not": Code("warning", "`not` stands before a connective and not before a relation."),
    # Arities and keywords
    "arity-clash": Code("warning", "A symbol has several numbers of arguments."),
    "keyword-arity": Code("error", "A keyword has the wrong number of arguments."),
    "keyword-head": Code("error", "A statement defines `true` or `does`."),
    "keyword-body": Code("warning", "A condition uses a keyword that only heads may use."),
    "keyword-term": Code("warning", "A keyword is used as a function symbol."),
    # Variables
    "unsafe-head": Code("error", "A variable of the head is bound by no condition."),
    "unsafe-not": Code("error", "A variable under `not` is bound by no condition."),
    "unsafe-distinct": Code("error", "A variable of `distinct` is bound by no condition."),
    "open-head": Code("warning", "A variable of a head takes what it is asked with (Epilog)."),
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
    "unused": Code("note", "A relation is defined, and the game does not depend on it."),
    # Roles, moves, goals and the end
    "no-role": Code("error", "The rulesheet names no role."),
    "role-rule": Code("error", "A role is defined by a rule and not by a fact."),
    "unknown-role": Code("warning", "A role is named that the rulesheet does not have."),
    "no-legal": Code("error", "A role never has a legal move."),
    "no-goal": Code("warning", "A role never has a goal value."),
    "no-terminal": Code("warning", "The game has no terminal state."),
    "goal-value": Code("error", "A goal value is no whole number from 0 to 100."),
    "sees-nothing": Code("warning", "A role sees nothing, and others do (GDL-II)."),
    "sees-always": Code("warning", "A percept depends neither on the state nor on the moves."),
    # Found by playing
    "play-failed": Code("error", "The rules could not be evaluated."),
    "play-no-move": Code("error", "A role has no legal move in a state that is not terminal."),
    "play-goals": Code("warning", "A role has not exactly one goal value in a terminal state."),
    "play-endless": Code("warning", "A game did not end within the bound of steps."),
    "play-sees": Code("warning", "A percept never occurs, or after every move."),
    "play-time": Code("note", "The time for playing was over before all playouts were done."),
}


class Severity(IntEnum):
    """Severity of a finding; the worst has the highest number."""

    NOTE = 1  # nothing is wrong, but it may not be what the author meant
    WARNING = 2  # the rules can be played, though a player that is less lenient may refuse them
    ERROR = 3  # the rules cannot be played, or a part of them has no meaning

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding; `str` gives `file:line:column: severity: message`."""

    span: Span  # the word or expression at fault
    severity: Severity  # how bad it is
    code: str  # which check found it, one of `gdl.check.CODES`
    message: str  # what is wrong and what would be right
    instead: str = ""  # the word that would be right in this place; empty where none is known

    def __str__(self) -> str:
        return f"{self.span}: {self.severity}: {self.message}"

    def picture(self) -> str:
        """The source line and, under it, a caret and tildes that mark the place."""
        return self.span.picture()


def finding(code: str, span: Span, message: str, instead: str = "") -> Diagnostic:
    """A diagnostic with the severity that its code has."""
    return Diagnostic(span, Severity[CODES[code].severity.upper()], code, message, instead)

"""One finding about a rulesheet: where, how bad, which check found it, and what would be right."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from gdl.check.codes import CODES
from gdl.errors import Span


class Severity(IntEnum):
    """Severity of a finding; the worst has the highest number."""

    NOTE = 1
    """Nothing is wrong, but it may not be what the author meant."""
    WARNING = 2
    """The rules can be played, though a player that is less lenient may refuse them."""
    ERROR = 3
    """The rules cannot be played, or a part of them has no meaning."""

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding; `str` gives `file:line:column: severity: message`.

    Attributes:
        span: The word or expression at fault.
        severity: How bad it is.
        code: Which check found it, one of `gdl.check.CODES`.
        message: What is wrong and what would be right.
        instead: The word that would be right in this place; empty where none is known.
    """

    span: Span
    severity: Severity
    code: str
    message: str
    instead: str = ""

    def __str__(self) -> str:
        return f"{self.span}: {self.severity}: {self.message}"

    def picture(self) -> str:
        """The source line and, under it, a caret and tildes that mark the place."""
        return self.span.picture()


def finding(code: str, span: Span, message: str, instead: str = "") -> Diagnostic:
    """A diagnostic with the severity that its code has."""
    return Diagnostic(span, Severity[CODES[code].severity.upper()], code, message, instead)

r"""Errors in GDL and their places: sources, spans, and `GdlError` with its subclasses.

A `Span` is a range of characters in a `Source`. Its `picture()` is the line with a caret under it:

    >>> source = Source("rules.kif", "(role x)\n(init (cell 1 1 b)")
    >>> print(Span(source, 9, 10).picture())
    (init (cell 1 1 b)
    ^
"""

from __future__ import annotations

import copyreg
import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from gdl.lazy import lazy_property

_LONE_RETURN = re.compile(r"\r(?!\n)")

PICTURE_WIDTH = 100  # rulesheets from game managers are one line of up to a megabyte


def with_line_feeds(text: str) -> str:
    """Return the text with each lone carriage return replaced by a line feed.

    Then every line ends with a line feed, possibly after a carriage return. The length of the text
    does not change.
    """
    return _LONE_RETURN.sub("\n", text) if "\r" in text else text


@dataclass(frozen=True, eq=False)
class Source:
    """Text and its name in error messages, such as a file name or `<message>`.

    Its lines end with line feeds, as `with_line_feeds` ensures.
    """

    name: str
    text: str = field(repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", with_line_feeds(self.text))

    @lazy_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        starts.extend(offset + 1 for offset, char in enumerate(self.text) if char == "\n")
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column of a character offset, both counted from 1."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return the text of a line, counted from 1, without its line end."""
        start = self._line_starts[number - 1]
        is_last = number == len(self._line_starts)
        end = len(self.text) if is_last else self._line_starts[number] - 1
        return self.text[start:end].rstrip("\r")


class Span(NamedTuple):
    """Characters of a source from `start` (inclusive) to `end` (exclusive)."""

    source: Source
    start: int
    end: int

    @property
    def file(self) -> str:
        """Name of the source."""
        return self.source.name

    @property
    def line(self) -> int:
        """Line of the first character, from 1."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """Column of the first character, from 1."""
        return self.source.position(self.start)[1]

    def __str__(self) -> str:
        line, column = self.source.position(self.start)
        return f"{self.source.name}:{line}:{column}"

    def picture(self) -> str:
        """Return the source line and, under it, a caret and tildes that mark the span.

        Long lines are cut to a window around the span. Tabs become single spaces.
        """
        line, column = self.source.position(self.start)
        text = self.source.line(line).replace("\t", " ")
        width = max(1, min(self.end - self.start, len(text) - column + 1))
        first = 0
        if len(text) > PICTURE_WIDTH:
            first = max(0, column - 1 - PICTURE_WIDTH // 3)
            text = text[first : first + PICTURE_WIDTH]
            width = min(width, PICTURE_WIDTH - (column - 1 - first))
        marks = " " * (column - 1 - first) + "^" + "~" * (width - 1)
        return f"{text}\n{marks}"


class GdlError(Exception):
    """Base class of all errors of the `gdl` package.

    Attributes:
        message: What was expected and what was found, without the place.
        span: The place, if it is known.
    """

    def __init__(self, message: str, span: Span | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.span = span

    def __str__(self) -> str:
        return f"{self.span}: {self.message}" if self.span else self.message

    def __reduce__(self) -> tuple[Any, ...]:
        # Avoid `__init__`, which may take other arguments. A process pool waits for ever for an
        # error that it cannot unpickle.
        new: Any = copyreg.__newobj__  # type: ignore[attr-defined]  # missing in typeshed
        return new, (type(self), *self.args), vars(self)

    def explain(self) -> str:
        """Return the message with its place and, if it is known, a picture of the source line."""
        if self.span is None:
            return self.message
        picture = "\n".join(f"    {line}" for line in self.span.picture().split("\n"))
        return f"{self}\n{picture}"


class GdlSyntaxError(GdlError):
    """A text is not a sequence of well-formed expressions."""


class RulesheetError(GdlError):
    """A well-formed expression is not a statement of GDL."""


class UnstratifiedError(GdlError):
    """A relation depends on its own negation, so the rules have no unique meaning."""


class EvaluationLimitError(GdlError):
    """The evaluation exceeds its limits on time, depth or number of facts."""


class GrowthError(EvaluationLimitError):
    """Function terms with some symbol become too large."""

    def __init__(self, message: str, symbol: str) -> None:
        super().__init__(message)
        self.symbol = symbol


class IllegalMoveError(GdlError):
    """Moves cannot be made: there are too many or too few, or one is not a move of its role."""

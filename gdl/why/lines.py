"""An answer as lines of a tree, for whoever shows it: a terminal, an editor, a page."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Any, NamedTuple

from gdl.errors import Span
from gdl.why.reason import Answer, Attempt, Condition, Kind, Reason, place_of

_MARKS = {True: "yes", False: "no ", None: "?  "}


class LineKind(StrEnum):
    """The subject of a line of an answer."""

    FACT = "fact"
    CONDITION = "condition"
    RULE = "rule"
    """That could make a fact; its conditions follow."""
    NOTE = "note"
    """On what is not shown."""


class Line(NamedTuple):
    """One line of an answer.

    Attributes:
        level: How deep it stands, from 0.
        kind: What it is about.
        holds: Whether that is true; None where it is open.
        text: The fact or condition as prefix KIF, or words.
        said: What is said of it; empty for nothing.
        place: Of the rule or fact of the rules that it names.
    """

    level: int
    kind: LineKind
    holds: bool | None
    text: str
    said: str = ""
    place: Span | None = None

    def __str__(self) -> str:
        """The line as a text, indented, with the number of the line in the rules."""
        marked = (
            f"{_MARKS[self.holds]} {self.text}" if self.kind is LineKind.CONDITION else self.text
        )
        place = "" if self.place is None else f"line {self.place.line}"
        said = ", ".join(filter(None, (self.said, place)))
        return "  " * self.level + marked + (f"  ; {said}" if said else "")

    def to_json(self) -> dict[str, Any]:
        """The line for programs."""
        fields = self._asdict() | {"kind": str(self.kind)}
        fields["place"] = None if self.place is None else place_of(self.place)
        return fields


def lines(answer: Answer, depth: int) -> Iterator[Line]:
    """The lines of an answer, so many rules deep; a reason that comes again is shown once."""
    walk = _Walk()
    for reason in answer.reasons:
        yield _headline(reason, 0)
        yield from walk.under(reason, 1, depth)


class _Walk:
    """The reasons that have been shown."""

    def __init__(self) -> None:
        self._seen: set[tuple[str, int]] = set()

    def under(self, reason: Reason, level: int, depth: int) -> Iterator[Line]:
        """The parts of a reason."""
        if not (reason.conditions or reason.attempts or reason.before):
            return
        if (reason.fact, reason.turn) in self._seen:
            yield _note(level, "as above")
            return
        if depth <= 0:
            yield _note(level, "... (more with a larger depth)")
            return
        self._seen.add((reason.fact, reason.turn))
        for condition in reason.conditions:
            yield from self._condition(condition, level, depth)
        for attempt in reason.attempts:
            yield _rule(attempt, level)
            for condition in attempt.conditions:
                yield from self._condition(condition, level + 1, depth)
        if reason.num_more:
            rules = "1 rule" if reason.num_more == 1 else f"{reason.num_more} rules"
            yield _note(level, f"and {rules} more, further from it")
        if reason.before is not None:
            yield _headline(reason.before, level)
            yield from self.under(reason.before, level + 1, depth - 1)

    def _condition(self, condition: Condition, level: int, depth: int) -> Iterator[Line]:
        reason = condition.reason
        said, place = "", None
        if reason is not None:
            is_same = reason.fact == condition.text
            said = reason.said if is_same else f"{reason.fact}: {reason.said}"
            place = _named(reason)
        yield Line(level, LineKind.CONDITION, condition.holds, condition.text, said, place)
        if reason is not None:
            yield from self.under(reason, level + 1, depth - 1)


def _headline(reason: Reason, level: int) -> Line:
    return Line(level, LineKind.FACT, reason.holds, reason.fact, reason.said, _named(reason))


def _rule(attempt: Attempt, level: int) -> Line:
    failing = (
        "1 condition fails"
        if attempt.num_failed == 1
        else (f"{attempt.num_failed} conditions fail")
    )
    return Line(level, LineKind.RULE, False, failing, "", attempt.place)


def _note(level: int, text: str) -> Line:
    return Line(level, LineKind.NOTE, None, text)


def _named(reason: Reason) -> Span | None:
    """The place that is worth naming: of the rule or the fact of the rules."""
    return reason.place if reason.kind in (Kind.RULE, Kind.FACT, Kind.UNLISTED) else None

"""Data of an answer: why a fact holds or does not hold, and lines of text to display it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from gdl.errors import Span


def moment(turn: int) -> str:
    """Return in words when a state occurs.

    >>> moment(0), moment(1), moment(2)
    ('in the first state', 'after 1 joint move', 'after 2 joint moves')
    """
    if not turn:
        return "in the first state"
    return "after 1 joint move" if turn == 1 else f"after {turn} joint moves"


class Kind(StrEnum):
    """Kind of a reason. The values are predicates about its fact."""

    STATE = "in the state"
    MOVE = "a move"
    FACT = "a fact of the rules"
    RULE = "by a rule"
    CHOICE = "one of several"  # an `or` with a branch that holds
    LARGE = "holds; its derivation is too large to be shown"
    ABSENT = "not in the state"
    NOT_MADE = "no such move is made"
    NO_RULE = "no rule can make it"
    FAILED = "no rule makes it"
    NO_CHOICE = "none of several"  # an `or` without a branch that holds
    UNLISTED = "a rule makes it for any value of a variable, so none can be listed"
    """Kind of a fact whose instances cannot be listed, although single ones can be asked about."""
    ABOVE = "depends on itself"
    DEEP = "does not hold"  # not explained further


@dataclass(frozen=True, slots=True, eq=False)
class Condition:
    """Condition of a statement, with its variables replaced by their values."""

    text: str  # in prefix KIF; a remaining variable stands for any value
    place: Span  # where the condition is written
    # None if its variables have no values, because an earlier condition failed
    holds: bool | None
    # Why its fact holds or not. The fact of `(not FACT)` is FACT. None for a comparison, or if
    # there is no explanation.
    reason: Reason | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Attempt:
    """Statement that could make a fact, with values that satisfy most of its conditions."""

    place: Span  # where the statement is written
    conditions: tuple[Condition, ...]  # in the order of the text; at least one fails

    @property
    def failed(self) -> Condition:
        """The failing condition to explain: the first with a reason, or else the first."""
        failed = [condition for condition in self.conditions if condition.holds is False]
        return next((one for one in failed if one.reason is not None), failed[0])

    @property
    def num_failed(self) -> int:
        """Number of conditions that fail."""
        return sum(condition.holds is False for condition in self.conditions)

    @property
    def num_held(self) -> int:
        """Number of conditions that hold."""
        return sum(condition.holds is True for condition in self.conditions)


@dataclass(frozen=True, slots=True, eq=False)
class Reason:
    """Explanation of why a fact holds or does not hold."""

    fact: str  # in prefix KIF; if it does not hold, variables stand for any value
    kind: Kind  # kind of the reason
    turn: int  # number of joint moves before the state
    place: Span | None = None  # where the statement that makes the fact is written
    conditions: tuple[Condition, ...] = ()  # conditions of that statement, which all hold
    attempts: tuple[Attempt, ...] = ()  # statements that could make the fact, the closest first
    num_more: int = 0  # number of other statements that could make the fact
    # The most similar facts of the state, if the fact is not in the state
    near: tuple[str, ...] = ()
    # Number of joint moves before the last state with the fact, if the fact is gone
    last: int | None = None
    # Why the fact came into the state, or why it did not: the reason for `(init FACT)`, or for
    # `(next FACT)` one turn earlier. None if there is no explanation.
    before: Reason | None = None

    @property
    def holds(self) -> bool:
        """Whether the fact is true."""
        return self.kind in _HOLDS

    @property
    def said(self) -> str:
        """The reason as words that can follow the fact, without a place."""
        near = f"; there is {', '.join(self.near)}" if self.near else ""
        last = "" if self.last is None else f"; it was there {moment(self.last)}"
        return f"{self.kind}{near}{last}"


_HOLDS = {Kind.STATE, Kind.MOVE, Kind.FACT, Kind.RULE, Kind.CHOICE, Kind.LARGE}


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """Answer to one question."""

    question: str  # as prefix KIF
    holds: bool  # whether the question is true
    turn: int  # number of joint moves before the state
    # Reasons for the fact in question or, if it has variables, for each instance that holds. For
    # `(not FACT)` they are the reasons for FACT.
    reasons: tuple[Reason, ...]
    num_more: int = 0  # number of other instances that hold
    sentence: str = ""  # the answer in one sentence

    def to_json(self) -> dict[str, Any]:
        """Return the answer as a JSON object.

        `reasons` lists all reasons, which refer to each other by their place in the list. `answers`
        has the places of the reasons that answer the question directly.
        """
        listed = _Listed()
        roots = [listed.add(reason) for reason in self.reasons]
        return {
            "question": self.question,
            "holds": self.holds,
            "turn": self.turn,
            "sentence": self.sentence,
            "answers": roots,
            "more": self.num_more,
            "reasons": listed.rows,
        }


class _Listed:
    """Rows of JSON data, one for each reason. Each reason comes after those that it refers to."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        self._numbers: dict[int, int] = {}

    def add(self, root: Reason) -> int:
        """Add a reason and return its row number.

        Avoid recursion, because derivations may be deep.
        """
        waiting = [(root, False)]
        while waiting:
            reason, is_ready = waiting.pop()
            if id(reason) in self._numbers:
                continue
            if is_ready:
                self._numbers[id(reason)] = len(self.rows)
                self.rows.append(self._row(reason))
                continue
            waiting.append((reason, True))
            waiting.extend((part, False) for part in reversed(list(parts(reason))))
        return self._numbers[id(root)]

    def _row(self, reason: Reason) -> dict[str, Any]:
        row: dict[str, Any] = {
            "fact": reason.fact,
            "holds": reason.holds,
            "why": str(reason.kind),
            "said": reason.said,
            "turn": reason.turn,
        }
        if reason.place is not None:
            row["place"] = place_of(reason.place)
        if reason.conditions:
            row["conditions"] = [self._condition(one) for one in reason.conditions]
        if reason.attempts:
            row["attempts"] = [
                {
                    "place": place_of(attempt.place),
                    "conditions": [self._condition(one) for one in attempt.conditions],
                }
                for attempt in reason.attempts
            ]
            row["more"] = reason.num_more
        if reason.near:
            row["near"] = list(reason.near)
        if reason.last is not None:
            row["last"] = reason.last
        if reason.before is not None:
            row["before"] = self._numbers[id(reason.before)]
        return row

    def _condition(self, one: Condition) -> dict[str, Any]:
        row: dict[str, Any] = {"text": one.text, "place": place_of(one.place), "holds": one.holds}
        if one.reason is not None:
            row["reason"] = self._numbers[id(one.reason)]
        return row


def parts(reason: Reason) -> list[Reason]:
    """Return the reasons that `reason` refers to, in order."""
    conditions = list(reason.conditions)
    for attempt in reason.attempts:
        conditions.extend(attempt.conditions)
    found = [one.reason for one in conditions if one.reason is not None]
    return found if reason.before is None else [*found, reason.before]


def place_of(span: Span) -> dict[str, Any]:
    """Return a span as data for JSON."""
    return {
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "length": span.end - span.start,
    }


_MARKS = {True: "yes", False: "no ", None: "?  "}


class LineKind(StrEnum):
    """The subject of a line of an answer."""

    FACT = "fact"
    CONDITION = "condition"
    RULE = "rule"  # a rule that could make a fact; its conditions follow
    NOTE = "note"  # a note on lines that are not shown


class Line(NamedTuple):
    """Line of an answer."""

    level: int  # indentation level, from 0
    kind: LineKind  # what the line is about
    holds: bool | None  # whether its text is true, or None if that is unknown
    text: str  # a fact or condition in prefix KIF, or words
    said: str = ""  # a remark, or ""
    place: Span | None = None  # where the rule or fact is written

    def __str__(self) -> str:
        """Return the line as indented text, with the line number in the rulesheet."""
        marked = (
            f"{_MARKS[self.holds]} {self.text}" if self.kind is LineKind.CONDITION else self.text
        )
        place = "" if self.place is None else f"line {self.place.line}"
        said = ", ".join(filter(None, (self.said, place)))
        return "  " * self.level + marked + (f"  ; {said}" if said else "")

    def to_json(self) -> dict[str, Any]:
        """Return the line as data for JSON."""
        fields = self._asdict() | {"kind": str(self.kind)}
        fields["place"] = None if self.place is None else place_of(self.place)
        return fields


def lines(answer: Answer, depth: int) -> Iterator[Line]:
    """Yield the lines of an answer, down to `depth` levels of rules. Show repeated reasons once."""
    walk = _Walk()
    for reason in answer.reasons:
        yield _headline(reason, 0)
        yield from walk.under(reason, 1, depth)


class _Walk:
    def __init__(self) -> None:
        self._seen: set[tuple[str, int]] = set()

    def under(self, reason: Reason, level: int, depth: int) -> Iterator[Line]:
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
            rules = "1 more rule" if reason.num_more == 1 else f"{reason.num_more} more rules"
            yield _note(level, f"and {rules}, less close")
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
    """Return where the rule or fact behind a reason is written, or None if there is none."""
    return reason.place if reason.kind in (Kind.RULE, Kind.FACT, Kind.UNLISTED) else None

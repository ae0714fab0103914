"""What `why` answers: why a fact holds or does not, as data that any page or terminal can show.

A `Reason` is about one fact. One that holds has the conditions of the statement that makes it; one
that does not has an `Attempt` for each statement that could have made it. A `Condition` is what a
statement asks for, with its place, and has the reason of its own fact. Reasons are shared: equal
parts of an answer are one object.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from gdl.errors import Span


class Kind(StrEnum):
    """The kind of a reason, in the words that it says of its fact."""

    STATE = "in the state"
    MOVE = "a move"
    FACT = "a fact of the rules"
    RULE = "by a rule"
    CHOICE = "one of several"
    """A condition `or`, of which a branch holds."""
    LARGE = "holds; its derivation is too large to be shown"
    ABSENT = "not in the state"
    NOT_MADE = "no such move is made"
    NO_RULE = "no rule can make it"
    FAILED = "no rule makes it"
    NO_CHOICE = "none of several"
    """A condition `or`, of which no branch holds."""
    UNLISTED = "a rule makes it for any value of a variable, so none can be listed"
    """A fact with variables, whose instances may be asked about; or a move, a goal or the like."""
    ABOVE = "depends on itself"
    DEEP = "does not hold"
    """It is not explained further."""


@dataclass(frozen=True, slots=True, eq=False)
class Condition:
    """A condition of a statement, with the values that its variables have.

    Attributes:
        text: As prefix KIF; a variable in it stands for any value.
        place: Where it is written.
        holds: None where that depends on variables that have no value, as an earlier one failed.
        reason: Of the fact that it is about: for `(not FACT)` of FACT. None for a comparison, and
            where it is not explained.
    """

    text: str
    place: Span
    holds: bool | None
    reason: Reason | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Attempt:
    """A statement that could make a fact, at the values that satisfy most of its conditions.

    Attributes:
        place: Of the statement.
        conditions: In the order in which they are written; at least one fails.
    """

    place: Span
    conditions: tuple[Condition, ...]

    @property
    def failed(self) -> Condition:
        """The condition that fails and is explained: the first, if it is of no recursion."""
        failed = [condition for condition in self.conditions if condition.holds is False]
        return next((one for one in failed if one.reason is not None), failed[0])

    @property
    def num_failed(self) -> int:
        """Number of the conditions that fail."""
        return sum(condition.holds is False for condition in self.conditions)

    @property
    def num_held(self) -> int:
        """Number of the conditions that hold."""
        return sum(condition.holds is True for condition in self.conditions)


@dataclass(frozen=True, slots=True, eq=False)
class Reason:
    """The reason why a fact holds, or does not.

    Attributes:
        fact: As prefix KIF; where it does not hold, a variable in it stands for any value.
        kind: What the reason is.
        turn: Number of joint moves that led to the state in which it is looked at.
        place: Of the statement that makes it.
        conditions: Of that statement; all hold.
        attempts: Of statements that could make it, the nearest first.
        num_more: Number of further statements that could make it.
        near: Facts of the state that are most like it, where it is not in the state.
        before: Of a fact in the state or absent from it, why it came there or did not: the reason
            of `(init FACT)`, or of `(next FACT)` one turn before. None where it is not explained.
    """

    fact: str
    kind: Kind
    turn: int
    place: Span | None = None
    conditions: tuple[Condition, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    num_more: int = 0
    near: tuple[str, ...] = ()
    before: Reason | None = None

    @property
    def holds(self) -> bool:
        """Whether the fact is true."""
        return self.kind in _HOLDS

    @property
    def said(self) -> str:
        """The words that the reason says of its fact, without a place."""
        near = f"; there is {', '.join(self.near)}" if self.near else ""
        return f"{self.kind}{near}"


_HOLDS = {Kind.STATE, Kind.MOVE, Kind.FACT, Kind.RULE, Kind.CHOICE, Kind.LARGE}


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """The answer to one question.

    Attributes:
        question: As prefix KIF.
        holds: Whether what was asked is true.
        turn: Number of joint moves that led to the state.
        reasons: Of the fact that was asked for; of each of its instances that hold, if it has
            variables. Of `(not FACT)` they are the reasons of FACT.
        num_more: Number of further instances that hold.
    """

    question: str
    holds: bool
    turn: int
    reasons: tuple[Reason, ...]
    num_more: int = 0

    def to_json(self) -> dict[str, Any]:
        """The answer for programs: its reasons are a list, in which they name each other."""
        listed = _Listed()
        roots = [listed.add(reason) for reason in self.reasons]
        return {
            "question": self.question,
            "holds": self.holds,
            "turn": self.turn,
            "answers": roots,
            "more": self.num_more,
            "reasons": listed.rows,
        }


class _Listed:
    """Reasons as rows, each once; parts before what they are a part of."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        self._numbers: dict[int, int] = {}

    def add(self, root: Reason) -> int:
        """The number of a reason; a derivation may be deep, so nothing is called in itself."""
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
        if reason.before is not None:
            row["before"] = self._numbers[id(reason.before)]
        return row

    def _condition(self, one: Condition) -> dict[str, Any]:
        row: dict[str, Any] = {"text": one.text, "place": place_of(one.place), "holds": one.holds}
        if one.reason is not None:
            row["reason"] = self._numbers[id(one.reason)]
        return row


def parts(reason: Reason) -> list[Reason]:
    """The reasons that a reason is made of, in order."""
    conditions = list(reason.conditions)
    for attempt in reason.attempts:
        conditions.extend(attempt.conditions)
    found = [one.reason for one in conditions if one.reason is not None]
    return found if reason.before is None else [*found, reason.before]


def place_of(span: Span) -> dict[str, Any]:
    """A place for programs."""
    return {
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "length": span.end - span.start,
    }

"""The fields of a match record's JSON object, each checked for its kind as it is taken."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from ggp.records.errors import RecordError
from ggp.term_text import first_term, terms_of

T = TypeVar("T")
_REQUIRED = object()
MAX_SHOWN = 40
"""Characters of a value that an error repeats."""


class Fields:
    """A JSON object whose members are taken one by one.

    Every method raises `RecordError` naming the field when it is of the wrong kind.
    """

    def __init__(self, members: dict[str, Any]) -> None:
        self._members = dict(members)

    def rest(self) -> dict[str, Any]:
        """The members that nobody has taken."""
        return self._members

    def text(self, name: str, default: object = _REQUIRED) -> str:
        """A member that is a text."""
        return _expect(self._take(name, default), str, name, "a text")

    def number(self, name: str, default: object = _REQUIRED) -> int:
        """A member that is a whole number."""
        return _number(self._take(name, default), name)

    def flag(self, name: str) -> bool:
        """A member that is true or false; false when missing."""
        return _expect(self._take(name, False), bool, name, "true or false")

    def texts(self, name: str) -> tuple[str, ...] | None:
        """A member that is a list of texts; None when missing."""
        found = self._take(name, None)
        return None if found is None else _texts(found, name)

    def numbers(self, name: str) -> tuple[int, ...] | None:
        """A member that is a list of whole numbers; None when missing."""
        found = self._take(name, None)
        if found is None:
            return None
        return tuple(_number(item, name) for item in _expect(found, list, name, "a list"))

    def rows(self, name: str) -> tuple[tuple[str, ...], ...]:
        """A member that is a list of lists of texts; empty when missing."""
        found = _expect(self._take(name, []), list, name, "a list")
        return tuple(_texts(row, f"{name}[{index}]") for index, row in enumerate(found))

    def moves(self, name: str) -> tuple[tuple[str, ...], ...]:
        """A member that is a list of joint moves, each move one term."""
        return tuple(tuple(_term(move, name) for move in row) for row in self.rows(name))

    def states(self, name: str) -> tuple[tuple[str, ...], ...]:
        """A member that is a list of states, each the text of a list of facts."""
        return tuple(_facts(state, name) for state in self.texts(name) or ())

    def _take(self, name: str, default: object) -> object:
        found = self._members.pop(name, default)
        if found is _REQUIRED:
            raise RecordError(f"{name}: expected this field, it is missing")
        return found


def _expect(value: object, kind: type[T], name: str, expected: str) -> T:
    if not isinstance(value, kind):
        raise RecordError(f"{name}: expected {expected}, got: {_as_written(value)}")
    return value


def _as_written(value: object) -> str:
    """The beginning of a value as a JSON file has it, such as `null`."""
    return json.dumps(value)[:MAX_SHOWN]


def _number(value: object, name: str) -> int:
    if isinstance(value, bool):  # a kind of int in Python, not in JSON
        raise RecordError(f"{name}: expected a whole number, got: {_as_written(value)}")
    return _expect(value, int, name, "a whole number")


def _texts(value: object, name: str) -> tuple[str, ...]:
    items = _expect(value, list, name, "a list")
    return tuple(_expect(item, str, name, "a text") for item in items)


def _term(text: str, name: str) -> str:
    term = first_term(text)
    if term is None:
        raise RecordError(f"{name}: expected a term, got: {text[:40]!r}")
    return term


def _facts(text: str, name: str) -> tuple[str, ...]:
    try:
        return terms_of(text)
    except ValueError as error:
        raise RecordError(f"{name}: {error}") from error

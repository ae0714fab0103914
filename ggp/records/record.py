"""The record of a match in GGP-Base's JSON.

Field names and meanings are those of `org.ggp.base.util.match.Match.toJSON`. Terms are kept as
single-spaced KIF text and written with the same spaces as in GGP-Base:

    >>> record = MatchRecord(match_id="m.1", start_time=0, startclock=10, playclock=5)
    >>> record = record.after_start(["(control x)"], errors=["", "TO"], time=20)
    >>> record.to_json()["states"]
    ['( ( control x ) )']
"""

from __future__ import annotations

import json
import secrets
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self, TypeVar

from ggp.atomic_file import replace_file
from ggp.errors import GgpError
from ggp.term_text import first_term, spaced, spaced_group, terms_of


class RecordError(GgpError):
    """A text is not a match record. The message names the field."""


T = TypeVar("T")
_REQUIRED = object()
ENDING, ENDING_REASON = "ending", "endingReason"
"""Fields that say how people ended a match before its rules did."""
MAX_SHOWN = 40
"""Maximum number of characters of a value to quote in an error message."""


class Fields:
    """A JSON object whose members are removed one by one, so that unknown ones remain in `rest`.

    The methods raise `RecordError` with the name of the field if the member has the wrong type, or
    if it is missing and has no default.
    """

    def __init__(self, members: dict[str, Any]) -> None:
        self._members = dict(members)

    def rest(self) -> dict[str, Any]:
        """Return the members that have not been removed."""
        return self._members

    def text(self, name: str, default: object = _REQUIRED) -> str:
        """Remove and return a member that is a string."""
        return _expect(self._take(name, default), str, name, "a text")

    def number(self, name: str, default: object = _REQUIRED) -> int:
        """Remove and return a member that is an integer."""
        return _number(self._take(name, default), name)

    def flag(self, name: str) -> bool:
        """Remove and return a member that is a boolean. Return False if it is missing."""
        return _expect(self._take(name, False), bool, name, "true or false")

    def texts(self, name: str) -> tuple[str, ...] | None:
        """Remove and return a member that is a list of strings. Return None if it is missing."""
        found = self._take(name, None)
        return None if found is None else _texts(found, name)

    def numbers(self, name: str) -> tuple[int, ...] | None:
        """Remove and return a member that is a list of integers. Return None if it is missing."""
        found = self._take(name, None)
        if found is None:
            return None
        return tuple(_number(item, name) for item in _expect(found, list, name, "a list"))

    def rows(self, name: str) -> tuple[tuple[str, ...], ...]:
        """Remove and return a member that is a list of lists of strings, or () if it is missing."""
        found = _expect(self._take(name, []), list, name, "a list")
        return tuple(_texts(row, f"{name}[{index}]") for index, row in enumerate(found))

    def moves(self, name: str) -> tuple[tuple[str, ...], ...]:
        """Remove and return a list of joint moves, in which each move is a term."""
        return tuple(tuple(_term(move, name) for move in row) for row in self.rows(name))

    def states(self, name: str) -> tuple[tuple[str, ...], ...]:
        """Remove a list of states, each the text of a list of facts. Return the facts of each."""
        return tuple(_facts(state, name) for state in self.texts(name) or ())

    def _take(self, name: str, default: object) -> object:
        found = self._members.pop(name, default)
        if found is _REQUIRED:
            raise RecordError(f"{name}: this field is missing")
        return found


def _expect(value: object, kind: type[T], name: str, expected: str) -> T:
    if not isinstance(value, kind):
        raise RecordError(f"{name}: expected {expected}, got: {_as_written(value)}")
    return value


def _as_written(value: object) -> str:
    return json.dumps(value)[:MAX_SHOWN]


def _number(value: object, name: str) -> int:
    if isinstance(value, bool):  # bool is a subclass of int in Python, but not a number in JSON
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


_TOKEN_LETTERS = string.ascii_letters + string.digits


def random_token() -> str:
    """Return 32 random letters and digits that identify a match to a spectator server."""
    return "".join(secrets.choice(_TOKEN_LETTERS) for _ in range(32))


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRecord:
    """A match so far: n joint moves, n+1 states, and n+1 rows of errors, the first from START.

    Times are in milliseconds since 1970, and clocks in seconds. Rows are in role order, including
    `random`.
    """

    match_id: str
    start_time: int
    startclock: int
    playclock: int
    previewclock: int = -1
    """-1 if no PREVIEW was sent."""
    random_token: str = field(default_factory=random_token)
    player_names: tuple[str, ...] | None = None
    states: tuple[tuple[str, ...], ...] = ()
    """The facts of each state, without `true`."""
    state_times: tuple[int, ...] = ()
    moves: tuple[tuple[str, ...], ...] = ()
    errors: tuple[tuple[str, ...], ...] = ()
    """Row 0 is START, row i is turn i: `IL <move>`, `TO`, `CE`, `FB <why>` or empty."""
    printed: tuple[tuple[str, ...], ...] = ()
    """What the players printed before each joint move. Rows at the end may be missing."""
    goals: tuple[int, ...] | None = None
    """Set if and only if the match is completed."""
    is_completed: bool = False
    is_aborted: bool = False
    tournament: str = ""
    is_scrambled: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Fields that we do not interpret, such as signatures. They are written back unchanged."""

    def after_start(self, facts: Sequence[str], errors: Sequence[str], time: int) -> Self:
        """Return the record with the initial state and the errors of the START phase added."""
        return self._longer(facts, errors, time)

    def after_turn(
        self,
        moves: Sequence[str],
        facts: Sequence[str],
        errors: Sequence[str],
        time: int,
        printed: Sequence[str] = (),
    ) -> Self:
        """Return the record with one more joint move and the resulting state."""
        longer = replace(self._longer(facts, errors, time), moves=(*self.moves, tuple(moves)))
        if not any(printed):
            return longer
        missing = ((("",) * len(moves)),) * (len(self.moves) - len(self.printed))
        return replace(longer, printed=(*self.printed, *missing, tuple(printed)))

    def _longer(self, facts: Sequence[str], errors: Sequence[str], time: int) -> Self:
        return replace(
            self,
            states=(*self.states, tuple(facts)),
            state_times=(*self.state_times, time),
            errors=(*self.errors, tuple(errors)),
        )

    def shortened(self, num_turns: int) -> Self:
        """Return the record as it was after `num_turns` turns."""
        return replace(
            self,
            states=self.states[: num_turns + 1],
            state_times=self.state_times[: num_turns + 1],
            errors=self.errors[: num_turns + 1],
            moves=self.moves[:num_turns],
            printed=self.printed[:num_turns],
        )

    def completed(self, goals: Sequence[int]) -> Self:
        """Return the record of a match that has ended with the given goals."""
        return replace(self, goals=tuple(goals), is_completed=True)

    def aborted(self) -> Self:
        """Return the record of a match that was aborted."""
        return replace(self, is_aborted=True)

    def to_json(self) -> dict[str, Any]:
        """Return the fields of GGP-Base's JSON object."""
        fields: dict[str, Any] = {
            "matchId": self.match_id,
            "randomToken": self.random_token,
            "startTime": self.start_time,
            "startClock": self.startclock,
            "playClock": self.playclock,
            "previewClock": self.previewclock,
            "tournamentNameFromHost": self.tournament,
            "scrambled": self.is_scrambled,
            "isCompleted": self.is_completed,
            "isAborted": self.is_aborted,
            "states": [spaced_group(facts) for facts in self.states],
            "stateTimes": list(self.state_times),
            "moves": [[spaced(move) for move in row] for row in self.moves],
            "errors": [list(row) for row in self.errors],
        }
        if self.player_names is not None:
            fields["playerNamesFromHost"] = list(self.player_names)
        if self.printed:
            fields["printed"] = [list(row) for row in self.printed]
        if self.goals is not None:
            fields["goalValues"] = list(self.goals)
        return fields | dict(self.extra)

    def to_text(self) -> str:
        """Return the record as one line of JSON."""
        return json.dumps(self.to_json(), separators=(",", ":"))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Parse a record that we or GGP-Base wrote.

        Raises:
            RecordError: The text is not a JSON object, or a field is missing or has the wrong type.
        """
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise RecordError(f"expected a match record in JSON: {error}") from error
        if not isinstance(found, dict):
            raise RecordError(f"expected a JSON object, got: {text[:40]!r}")
        return cls._from_fields(Fields(found))

    @classmethod
    def _from_fields(cls, fields: Fields) -> Self:
        record = cls(
            match_id=fields.text("matchId"),
            start_time=fields.number("startTime"),
            startclock=fields.number("startClock"),
            playclock=fields.number("playClock"),
            previewclock=fields.number("previewClock", default=-1),
            random_token=fields.text("randomToken", default=""),
            player_names=fields.texts("playerNamesFromHost"),
            states=fields.states("states"),
            state_times=fields.numbers("stateTimes") or (),
            moves=fields.moves("moves"),
            errors=fields.rows("errors"),
            printed=fields.rows("printed"),
            goals=fields.numbers("goalValues"),
            is_completed=fields.flag("isCompleted"),
            is_aborted=fields.flag("isAborted"),
            tournament=fields.text("tournamentNameFromHost", default=""),
            is_scrambled=fields.flag("scrambled"),
            extra=fields.rest(),
        )
        if record.states and len(record.states) != len(record.moves) + 1:
            counts = f"{len(record.states)} states and {len(record.moves)} joint moves"
            raise RecordError(f"states: expected one more than joint moves, got {counts}")
        return record

    def save(self, path: Path) -> None:
        """Write the record to a file atomically, so that no reader sees half of it.

        Raises:
            OSError: The file cannot be written.
        """
        replace_file(path, f"{self.to_text()}\n".encode())

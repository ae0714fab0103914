"""Files of recorded play: traces of random playouts, and records of matches.

A trace holds the answers of another reasoner about the states of random playouts. It is a file of
JSON lines: the first line describes the game, and each further line a state. Terms are lower-case
KIF with single spaces, and lists are sorted by code point. If the other reasoner stopped in the
middle of a playout, the file lacks the successor of the last state.

A file of matches contains one record in the JSON of GGP-Base, one such record per line as printed
by `ggp match --json`, or one record in GGP-Base's XML. Any file may be compressed with gzip. The
format is detected from the beginning of the file.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from ggp.errors import GgpError, WrongUseError, reason_of
from ggp.records.record import MatchRecord, RecordError
from ggp.records.xml import from_xml, record_from

SUFFIXES = (".jsonl", ".jsonl.gz", ".json", ".json.gz", ".xml", ".xml.gz")
MAX_LINES = 1_000_000  # of a record that is formatted over several lines
MAX_BYTES: Final = 64_000_000
"""Maximum size of the record of one match."""


class TraceError(GgpError):
    """A file is not a recorded trace. The message names the file and the line."""


class TraceFileError(TraceError):
    """The file of a trace is missing, truncated or not a text file."""


@dataclass(frozen=True, slots=True)
class TracedState:
    """One state of a recorded playout or match."""

    playout: int
    step: int
    facts: tuple[str, ...]
    is_terminal: bool | None
    """None if it was not recorded."""
    legal: Mapping[str, tuple[str, ...]] | None
    """Legal moves of each role. None if none were recorded (in terminal states and matches)."""
    moves: tuple[str, ...] | None
    """The joint move made, in role order. None if the playout stopped here."""
    goals: Mapping[str, int] | None
    """The goal of each role that has exactly one. None if no goals were recorded."""
    goal_sets: Mapping[str, tuple[int, ...]]
    """The goals of the other roles. In non-terminal states, only of roles with several goals."""
    percepts: Mapping[str, tuple[str, ...]] | None = None
    """What each role sees when the joint move is made (GDL-II). None if it was not recorded."""


@dataclass(frozen=True, slots=True)
class Trace:
    """A trace file: the roles of the game, and its states in order."""

    path: Path
    game: str
    roles: tuple[str, ...]

    def states(self, roles: Sequence[str] = ()) -> Iterator[TracedState]:
        """Yield the states while reading the file. Ignore `roles`: the file names the roles.

        Raises:
            TraceError: A line does not follow the format.
        """
        lines = _lines(self.path)
        next(lines)
        for number, line in lines:
            try:
                yield _state(line)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                problem = f"{type(error).__name__}: {error}"
                raise TraceError(
                    f"{self.path}:{number}: this line is not a state of a trace: {problem}"
                ) from error


def open_trace(path: Path) -> Trace:
    """Open the trace in a file without reading its states.

    Raises:
        TraceError: The file is not a trace, or cannot be read.
    """
    for _, head in _lines(path):
        roles = head.get("roles")
        if not isinstance(roles, list) or "playout" in head:
            raise TraceError(
                f"{path}:1: expected a trace, whose first line names the roles, or match records"
            )
        return Trace(path, str(head.get("game", "")), tuple(map(str, roles)))
    raise TraceError(f"{path}: expected a trace, but the file is empty")


def text_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a text file, which may be compressed with gzip.

    Raises:
        TraceFileError: The file is missing, truncated or not a text file.
    """
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8") as file:
            yield from file
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise TraceFileError(
            f"{path}: expected a complete gzip file, but it cannot be unpacked"
        ) from error
    except UnicodeDecodeError as error:
        raise TraceFileError(f"{path}: expected text in UTF-8, got a binary file") from error
    except OSError as error:
        raise TraceFileError(f"{path}: cannot be read: {error.strerror or error}") from error


def _lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(text_lines(path), start=1):
        yield number, _object(line, f"{path}:{number}")


def _object(line: str, place: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise TraceError(f"{place}: expected a line of JSON, got: {line[:40]!r}") from error
    if not isinstance(found, dict):
        raise TraceError(f"{place}: expected a JSON object, got: {line[:40]!r}")
    return found


def _state(line: dict[str, Any]) -> TracedState:
    legal, moves, percepts = line.get("legal"), line.get("moves"), line.get("percepts")
    return TracedState(
        playout=int(line["playout"]),
        step=int(line["step"]),
        facts=tuple(line["state"]),
        is_terminal=bool(line["terminal"]),
        legal=None if legal is None else {role: tuple(found) for role, found in legal.items()},
        moves=None if moves is None else tuple(moves),
        goals={role: int(goal) for role, goal in line.get("goals", {}).items()},
        goal_sets={role: tuple(found) for role, found in line.get("goal_sets", {}).items()},
        percepts=percepts and {role: tuple(found) for role, found in percepts.items()},
    )


@dataclass(frozen=True, slots=True)
class MatchFile:
    """A file of match records. Each match counts as a playout."""

    path: Path
    roles: None = None
    """A record does not name its roles, so only their number is compared."""

    def states(self, roles: Sequence[str]) -> Iterator[TracedState]:
        """Yield the states of all matches while reading the file.

        Args:
            roles: Roles of the game in lower case, to name the goals.

        Raises:
            TraceError: The file contains something other than match records.
        """
        for playout, record in enumerate(_records(self.path)):
            yield from traced_states(record, roles, playout)


def open_recording(path: Path) -> Trace | MatchFile:
    """Open the trace or the matches in a file without reading the states.

    Raises:
        TraceError: The file contains neither, or cannot be read.
    """
    head = "".join(islice(text_lines(path), 2)).lstrip()
    # The first line of a trace is a complete JSON object that names the roles.
    is_record = '"matchId"' in head or (path.name.endswith((".json", ".json.gz")) and head)
    is_laid_out = head.partition("\n")[0].strip() == "{"
    return MatchFile(path) if is_record or is_laid_out or _is_xml(head) else open_trace(path)


def traced_states(
    record: MatchRecord, roles: Sequence[str], playout: int = 0
) -> Iterator[TracedState]:
    """Yield the states of a match, with the record's information about each.

    A joint move was made in every state except the last one. If the match was completed, the last
    state is terminal and has goals. Otherwise nothing is known about the last state.
    """
    for step, facts in enumerate(record.states):
        is_last = step == len(record.moves)
        has_result = is_last and record.is_completed
        goals = dict(zip(roles, record.goals, strict=False)) if record.goals else None
        yield TracedState(
            playout=playout,
            step=step,
            facts=facts,
            is_terminal=False if not is_last else True if has_result else None,
            legal=None,
            moves=None if is_last else tuple(move.lower() for move in record.moves[step]),
            goals=goals if has_result else None,
            goal_sets={},
        )


def recording_name(path: Path) -> str:
    """Return a file's name without the suffixes of recorded play, such as `.jsonl.gz`."""
    return (
        path.name.removesuffix(".gz")
        .removesuffix(".jsonl")
        .removesuffix(".json")
        .removesuffix(".xml")
    )


def _is_xml(head: str) -> bool:
    return head.lstrip("\ufeff \t\r\n").startswith("<")


def _records(path: Path) -> Iterator[MatchRecord]:
    lines = list(islice(text_lines(path), MAX_LINES))
    is_one_a_line = lines[0].strip() != "{" and '"matchId"' in lines[0]
    is_xml = _is_xml(lines[0])
    texts = [line for line in lines if line.strip()] if is_one_a_line else ["".join(lines)]
    for number, text in enumerate(texts, start=1):
        try:
            record = from_xml(text) if is_xml else MatchRecord.from_text(text)
        except RecordError as error:
            place = f"{path}:{number}" if len(texts) > 1 else str(path)
            raise TraceError(f"{place}: expected a match record: {error}") from error
        if not record.states:
            raise TraceError(f"{path}: states: expected the states of the match, got none")
        yield record


def read_record(file: Path) -> MatchRecord:
    """Read the match in a file, in GGP-Base's JSON or XML.

    Raises:
        WrongUseError: The file cannot be read, or contains no match.
    """
    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise WrongUseError(f"{file}: {reason_of(error)}") from error
    if len(data) > MAX_BYTES:
        raise WrongUseError(f"{file}: expected at most {MAX_BYTES:,} bytes")
    try:
        return record_from(data.decode())
    except UnicodeDecodeError as error:
        raise WrongUseError(f"{file}: expected text in UTF-8") from error
    except RecordError as error:
        raise WrongUseError(f"{file}: {error}") from error

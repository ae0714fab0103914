"""Recorded traces: what another engine says of the states of random playouts.

A trace is a file of JSON lines, perhaps with gzip: a line about the game, then one per state. Terms
are lower-cased KIF with single blanks, lists are sorted by code point. Where the other engine
stopped in the middle of a playout, the last state's successor is not in the file.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ggp.records.errors import TraceError, TraceFileError


@dataclass(frozen=True, slots=True)
class TracedState:
    """One state of a playout, as the other engine saw it."""

    playout: int
    step: int
    facts: tuple[str, ...]
    is_terminal: bool | None
    """None where it was not recorded."""
    legal: Mapping[str, tuple[str, ...]] | None
    """Legal moves of each role; None where none were recorded (terminal states, matches)."""
    moves: tuple[str, ...] | None
    """The joint move made, in role order; None where the playout stopped."""
    goals: Mapping[str, int] | None
    """The goal of each role that has exactly one; None where no goals were recorded."""
    goal_sets: Mapping[str, tuple[int, ...]]
    """The goals of the other roles; outside terminal states only of those that have several."""
    percepts: Mapping[str, tuple[str, ...]] | None = None
    """What each role sees when the joint move is made (GDL-II); None where it was not recorded."""


@dataclass(frozen=True, slots=True)
class Trace:
    """A trace file: the roles of the game, and the states in order."""

    path: Path
    game: str
    roles: tuple[str, ...]

    def states(self, roles: Sequence[str] = ()) -> Iterator[TracedState]:
        """The states, read as they are asked for; the roles stand in the file.

        Raises:
            TraceError: A line is not what the format says.
        """
        lines = _lines(self.path)
        next(lines)
        for number, line in lines:
            try:
                yield _state(line)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                problem = f"{type(error).__name__}: {error}"
                raise TraceError(f"{self.path}:{number}: no state of a trace: {problem}") from error


def open_trace(path: Path) -> Trace:
    """The trace in a file; its states are not read yet.

    Raises:
        TraceError: The file is no trace, or cannot be read.
    """
    for _, head in _lines(path):
        roles = head.get("roles")
        if not isinstance(roles, list) or "playout" in head:
            raise TraceError(f"{path}:1: expected a trace, which names its roles here, or matches")
        return Trace(path, str(head.get("game", "")), tuple(map(str, roles)))
    raise TraceError(f"{path}: expected a trace, the file is empty")


def text_lines(path: Path) -> Iterator[str]:
    """The lines of a text file, perhaps with gzip.

    Raises:
        TraceFileError: It is missing, cut short or no text.
    """
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8") as file:
            yield from file
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise TraceFileError(
            f"{path}: expected a whole file of gzip, got something else"
        ) from error
    except UnicodeDecodeError as error:
        raise TraceFileError(f"{path}: expected text in UTF-8, got a binary file") from error
    except OSError as error:
        raise TraceFileError(f"{path}: cannot be read: {error.strerror or error}") from error


def _lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file of JSON lines, and the number of each line."""
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

"""Grades of submissions. Measurements, which differ in each grading, are in `Measured`."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Final

from ggp.records.record import MatchRecord
from ggp.submission.process import Fault, SubmissionLostError
from ggp.submission.seat import Incident, Mistake, SeatNotes
from ggp.tournament.fixture import ABSENT_SHARE
from ggp.tournament.standings import Score, Standing, tally

ALONE: Final = "nobody"
"""The opponent's name in a game with one role."""
SHOWN_ATTEMPTS: Final = 3
"""Number of attempts that a reason lists."""


class Verdict(StrEnum):
    """The verdict on a submission. If several verdicts apply, the first in this order counts."""

    FORBIDDEN = "failed: forbidden attempts"
    UNLOADABLE = "failed: cannot be loaded"
    FORGED = "failed: writes into the talk with its grader"
    PRINTED = "failed: prints too much"
    CRASHED = "failed: crashed"
    HUNG = "failed: no answer in time"
    ERRORS = "failed: errors"
    LATE = "failed: late moves"
    ILLEGAL = "failed: illegal moves"
    UNGRADED = "not graded"
    PASSED = "passed"


@dataclass(frozen=True, slots=True)
class MistakeExample:
    """The first occurrence of a fault in a match.

    Attributes:
        turn: Number of the turn, from 1. 0 means before the first turn, None means unknown.
    """

    game: str
    against: str
    role: str
    turn: int | None
    state: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class GradeCell:
    """The matches of a submission in one game against one baseline.

    Attributes:
        scores: Scores of the matches that ended, and of those forfeited.
        forfeited: Number of matches lost because the submission's process was lost.
        absent: Number of matches lost because of mistakes in a quarter of the turns, or in every
            turn in which the submission had to choose. It counts as not having played.
        unfinished: For each match that could not be played to its end because of the game, the
            submission's role and the reason.
    """

    game: str
    against: str
    scores: tuple[Score, ...]
    forfeited: int
    absent: int = 0
    unfinished: tuple[str, ...] = ()

    @property
    def standing(self) -> Standing | None:
        """The standing over the cell's matches, or None if none ended or was forfeited."""
        return tally(self.scores) if self.scores else None

    def to_json(self) -> dict[str, Any]:
        """Return the cell as JSON data."""
        found: dict[str, Any] = {
            "game": self.game,
            "against": self.against,
            "matches": len(self.scores),
            "forfeited": self.forfeited,
            "absent": self.absent,
            "unfinished": list(self.unfinished),
        }
        standing = self.standing
        if standing is not None:
            low, high = standing.interval
            found |= {
                "wins": standing.wins,
                "draws": standing.draws,
                "losses": standing.losses,
                "points": round(standing.mean_goal, 2),
                "interval": [round(low, 2), round(high, 2)],
            }
        return found


@dataclass(frozen=True, slots=True)
class Measured:
    """Measurements that depend on the clock and the machine, so they differ in each grading.

    Attributes:
        seconds: Time of each requested move.
        output_bytes: Number of bytes that the submission printed in all matches.
        output: The beginning and the end of what the submission printed in the first match with
            output.
    """

    seconds: tuple[float, ...] = ()
    output_bytes: int = 0
    output: str = ""

    @property
    def median(self) -> float:
        """Median seconds per move, or 0 if there are no moves."""
        return statistics.median(self.seconds) if self.seconds else 0.0

    @property
    def worst(self) -> float:
        """Seconds of the slowest move."""
        return max(self.seconds, default=0.0)

    def quantile(self, share: float) -> float:
        """Return the number of seconds within which the fraction `share` of the moves was made."""
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0

    def to_json(self) -> dict[str, Any]:
        """Return the measurements as JSON data."""
        return {
            "moves": len(self.seconds),
            "median_seconds": round(self.median, 4),
            "p99_seconds": round(self.quantile(0.99), 4),
            "worst_seconds": round(self.worst, 4),
            "output_bytes": self.output_bytes,
            "output": self.output,
        }


@dataclass(frozen=True, slots=True)
class Grade:
    """The result of one submission.

    Attributes:
        player: Name of the player class. Empty if none was found.
        reason: The reason for the verdict, for the author. Empty if the submission passed.
        unrepeatable: Why the same seed may give a different result. Empty if the result is
            repeatable.
        interpreted: Games that should have been compiled but were interpreted, with the reason.
    """

    file: str
    verdict: Verdict
    reason: str
    cells: tuple[GradeCell, ...]
    player: str = ""
    example: MistakeExample | None = None
    counts: dict[str, int] = field(default_factory=dict)
    attempts: tuple[str, ...] = ()
    unrepeatable: str = ""
    interpreted: tuple[str, ...] = ()
    measured: Measured = Measured()

    @property
    def has_passed(self) -> bool:
        """Whether the submission passed."""
        return self.verdict is Verdict.PASSED

    @property
    def absent(self) -> int:
        """Number of matches that the submission lost because of mistakes."""
        return sum(cell.absent for cell in self.cells)

    @property
    def standing(self) -> Standing | None:
        """The standing over all matches, or None if none ended or was forfeited."""
        scores = [score for cell in self.cells for score in cell.scores]
        return tally(scores) if scores else None

    def to_json(self) -> dict[str, Any]:
        """Return everything except the measurements as JSON data."""
        return {
            "file": self.file,
            "player": self.player,
            "verdict": str(self.verdict),
            "reason": self.reason,
            "example": asdict(self.example) if self.example else None,
            "counts": self.counts,
            "attempts": list(self.attempts),
            "cells": [cell.to_json() for cell in self.cells],
            "unrepeatable": self.unrepeatable,
            "interpreted": list(self.interpreted),
        }


@dataclass(frozen=True, slots=True)
class Gradebook:
    """All grades of one grading, with its settings.

    Attributes:
        gaps: Sentences on protections that could not be applied to the submissions.
        equal: Names of submissions with identical files, grouped by file.
    """

    settings: dict[str, Any]
    gaps: tuple[str, ...]
    grades: Sequence[Grade]
    equal: Sequence[Sequence[str]] = ()

    @property
    def columns(self) -> list[tuple[str, str]]:
        """The game and the baseline of each column of the table."""
        found = [(cell.game, cell.against) for grade in self.grades for cell in grade.cells]
        return list(dict.fromkeys(found))

    @property
    def unfinished(self) -> list[str]:
        """A sentence for each game in which some matches did not end."""
        games = dict.fromkeys(game for game, _ in self.columns)
        return [text for game in games if (text := self._unfinished(game))]

    def _unfinished(self, game: str) -> str:
        cells = [(one.file, cell) for one in self.grades for cell in one.cells if cell.game == game]
        broken = [(file, cell) for file, cell in cells if cell.unfinished]
        if not broken:
            return ""
        number = sum(len(cell.unfinished) for _, cell in broken)
        ended = sum(len(cell.scores) - cell.forfeited for _, cell in cells)
        file, cell = broken[0]
        return (
            f"{game}: {number} of {number + ended} matches did not come to an end and count for "
            f"nothing. The first, {file} against {cell.against}, {cell.unfinished[0]}"
        )

    def to_json(self) -> dict[str, Any]:
        """Return the gradebook as JSON data. `table` holds what is the same in each grading."""
        return {
            "settings": self.settings,
            "gaps": list(self.gaps),
            "unfinished": self.unfinished,
            "equal": [list(names) for names in self.equal],
            "table": [grade.to_json() for grade in self.grades],
            "measured": [{"file": one.file, **one.measured.to_json()} for one in self.grades],
        }


_OF_MISTAKES: Final = {
    Mistake.ERROR: Verdict.ERRORS,
    Mistake.LATE: Verdict.LATE,
    Mistake.ILLEGAL: Verdict.ILLEGAL,
}


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """One match of a submission.

    Attributes:
        index: Index of the match in this game against this baseline.
        lost: The error that says how the submission's process was lost. None if it was not lost.
        unfinished: Why the game did not end. Empty if it did, or if the process was lost.
        is_absent: Whether the submission counts as absent because of its mistakes.
        score: The score that counts, or None if the match did not end.
    """

    game: str
    against: str
    index: int
    role: str
    record: MatchRecord
    notes: SeatNotes
    lost: SubmissionLostError | None
    unfinished: str
    is_absent: bool
    score: Score | None


def attempted(attempts: Sequence[str]) -> str:
    """Return a text with the first forbidden attempts and the number of further ones."""
    shown, more = attempts[:SHOWN_ATTEMPTS], len(attempts) - SHOWN_ATTEMPTS
    return f"it tried to {', '.join(shown)}" + (f" and {more} more" if more > 0 else "")


def verdict_on(
    matches: Sequence[PlayedMatch], attempts: Sequence[str]
) -> tuple[Verdict, str, MistakeExample | None]:
    """Return the verdict, its reason, and an example of the fault or None.

    The machine may be to blame for late moves. So they count only in matches that are lost because
    of mistakes. A late start counts only if at least a quarter of the matches have one.
    """
    found: list[tuple[Verdict, str, MistakeExample | None]] = []
    starts = [one for match in matches for one in match.notes.incidents if _is_late_start(one)]
    is_often_late = len(starts) >= ABSENT_SHARE * len(matches)
    for match in matches:
        for incident in match.notes.incidents:
            fails = is_often_late if _is_late_start(incident) else match.is_absent
            if incident.mistake is Mistake.LATE and not fails:
                continue
            example = _example(match, incident.turn, incident.text)
            found.append((_OF_MISTAKES[incident.mistake], _in_words(example), example))
        if match.lost is not None:
            # In which turn we notice that too much is printed depends on the clock.
            is_sure = match.lost.fault is not Fault.PRINTED
            last = len(match.record.moves) + bool(match.record.states) if is_sure else None
            example = _example(match, last, str(match.lost))
            found.append((Verdict[match.lost.fault.name], _in_words(example), example))
    if matches and all(match.unfinished for match in matches):
        found.append((Verdict.UNGRADED, "none of its matches was played to its end", None))
    order = list(Verdict)
    found.sort(key=lambda one: order.index(one[0]))  # stable: the first of each kind stays first
    if attempts:
        return Verdict.FORBIDDEN, attempted(attempts), found[0][2] if found else None
    return found[0] if found else (Verdict.PASSED, "", None)


def _is_late_start(incident: Incident) -> bool:
    return incident.mistake is Mistake.LATE and not incident.turn


def _example(match: PlayedMatch, turn: int | None, text: str) -> MistakeExample:
    states = match.record.states
    state = states[turn - 1] if turn and turn <= len(states) else ()
    return MistakeExample(match.game, match.against, match.role, turn, state, text)


def _in_words(example: MistakeExample) -> str:
    where = [example.game, example.role]
    if example.turn is not None:
        where.append(f"turn {example.turn}" if example.turn else "before turn 1")
    return f"{', '.join(where)}: {example.text}"

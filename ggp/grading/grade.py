"""A grade: the verdict on one submission. What depends on the clock stands apart from the rest."""

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
"""The opponent in a game of one role."""
SHOWN_ATTEMPTS: Final = 3
"""Number of attempts that a reason names."""


class Verdict(StrEnum):
    """Whether a submission is sound; of several faults the first of these counts."""

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
class Example:
    """The first time that something went wrong in a match.

    Attributes:
        turn: Counted from 1; 0 is what came before the first one, None what cannot be said.
    """

    game: str
    against: str
    role: str
    turn: int | None
    state: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Cell:
    """The matches of a submission in one game against one baseline.

    Attributes:
        scores: Of the matches that were played, or lost because the submission's process was.
        forfeited: How many of them were lost so.
        absent: How many of them it lost by mistakes in a quarter of the turns: it did not play.
        unfinished: Of each match that the game did not let come to its end: as which role, and why.
    """

    game: str
    against: str
    scores: tuple[Score, ...]
    forfeited: int
    absent: int = 0
    unfinished: tuple[str, ...] = ()

    @property
    def standing(self) -> Standing | None:
        """Points from 0 to 100 and how sure that is; None if no match came to an end."""
        return tally(self.scores) if self.scores else None

    def to_json(self) -> dict[str, Any]:
        """The cell as JSON can hold it."""
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
    """The figures that depend on clock and machine, and are others with each grading.

    Attributes:
        seconds: Of each move that was asked for.
        output_bytes: That it printed in all matches.
        output: The beginning and the end of what it printed in the first match with any.
    """

    seconds: tuple[float, ...] = ()
    output_bytes: int = 0
    output: str = ""

    @property
    def median(self) -> float:
        """Median seconds of a move; 0 if there were none."""
        return statistics.median(self.seconds) if self.seconds else 0.0

    @property
    def worst(self) -> float:
        """Seconds of the slowest move."""
        return max(self.seconds, default=0.0)

    def quantile(self, share: float) -> float:
        """Seconds that this share of the moves took at most."""
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0

    def to_json(self) -> dict[str, Any]:
        """The figures as JSON can hold them."""
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
        player: The class; empty if none was found.
        reason: In words, for whoever handed it in; empty if it passed.
        unrepeatable: Why the same seed may give another result; empty if it does not.
        interpreted: Games that it wanted compiled and that the interpreter played, and why.
    """

    file: str
    verdict: Verdict
    reason: str
    cells: tuple[Cell, ...]
    player: str = ""
    example: Example | None = None
    counts: dict[str, int] = field(default_factory=dict)
    attempts: tuple[str, ...] = ()
    unrepeatable: str = ""
    interpreted: tuple[str, ...] = ()
    measured: Measured = Measured()

    @property
    def has_passed(self) -> bool:
        """Whether nothing is wrong with it."""
        return self.verdict is Verdict.PASSED

    @property
    def absent(self) -> int:
        """The number of matches that it lost by mistakes."""
        return sum(cell.absent for cell in self.cells)

    @property
    def standing(self) -> Standing | None:
        """All matches together; None if no match came to an end."""
        scores = [score for cell in self.cells for score in cell.scores]
        return tally(scores) if scores else None

    def to_json(self) -> dict[str, Any]:
        """All but what was measured, as JSON can hold it."""
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
    """All grades of one grading, and what was asked for.

    Attributes:
        gaps: Sentences on what did not confine the submissions.
        equal: Names of submissions with the same file, those of each file together.
    """

    settings: dict[str, Any]
    gaps: tuple[str, ...]
    grades: Sequence[Grade]
    equal: Sequence[Sequence[str]] = ()

    @property
    def columns(self) -> list[tuple[str, str]]:
        """Game and baseline of each column of the table."""
        found = [(cell.game, cell.against) for grade in self.grades for cell in grade.cells]
        return list(dict.fromkeys(found))

    @property
    def unfinished(self) -> list[str]:
        """A sentence on each game in which matches did not come to an end."""
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
        """The book; what is the same with each grading stands under `table`."""
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
        index: Among those in this game against this baseline.
        lost: How the submission's process was lost, if it was.
        unfinished: Why the game did not come to its end; empty if it did, or the process was lost.
        is_absent: Whether it made mistakes in so many turns that it did not play.
        score: As it counts; None without an end.
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
    """The first of the attempts in words, and how many more there were."""
    shown, more = attempts[:SHOWN_ATTEMPTS], len(attempts) - SHOWN_ATTEMPTS
    return f"it tried to {', '.join(shown)}" + (f" and {more} more" if more > 0 else "")


def verdict_on(
    matches: Sequence[PlayedMatch], attempts: Sequence[str]
) -> tuple[Verdict, str, Example | None]:
    """The verdict, why, and where it was first seen.

    Moves that were late in a match that was not lost by mistakes fail nobody, for they may be the
    machine's fault; nor does it to be ready late, but in a quarter of the matches.
    """
    found: list[tuple[Verdict, str, Example | None]] = []
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
            # How much is printed when that is seen depends on the clock.
            is_sure = match.lost.fault is not Fault.PRINTED
            last = len(match.record.moves) + bool(match.record.states) if is_sure else None
            example = _example(match, last, str(match.lost))
            found.append((Verdict[match.lost.fault.name], _in_words(example), example))
    if matches and all(match.unfinished for match in matches):
        found.append((Verdict.UNGRADED, "none of its matches was played to its end", None))
    order = list(Verdict)
    found.sort(key=lambda one: order.index(one[0]))  # stable: the first of a kind stays first
    if attempts:
        return Verdict.FORBIDDEN, attempted(attempts), found[0][2] if found else None
    return found[0] if found else (Verdict.PASSED, "", None)


def _is_late_start(incident: Incident) -> bool:
    return incident.mistake is Mistake.LATE and not incident.turn


def _example(match: PlayedMatch, turn: int | None, text: str) -> Example:
    states = match.record.states
    state = states[turn - 1] if turn and turn <= len(states) else ()
    return Example(match.game, match.against, match.role, turn, state, text)


def _in_words(example: Example) -> str:
    where = [example.game, example.role]
    if example.turn is not None:
        where.append(f"turn {example.turn}" if example.turn else "before turn 1")
    return f"{', '.join(where)}: {example.text}"

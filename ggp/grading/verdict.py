"""The verdict on a submission, from what was seen of it in its matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ggp.grading.grade import Example, Verdict
from ggp.records.record import MatchRecord
from ggp.submission.process import Fault, SubmissionLostError
from ggp.submission.seat import Mistake, SeatNotes
from ggp.tournament.standings import Score

SHOWN_ATTEMPTS: Final = 3
"""So many are named in the reason."""
_OF_FAULTS: Final = {
    Fault.FORGED: Verdict.FORGED,
    Fault.PRINTED: Verdict.PRINTED,
    Fault.CRASHED: Verdict.CRASHED,
    Fault.HUNG: Verdict.HUNG,
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
        score: None without an end.
    """

    game: str
    against: str
    index: int
    role: str
    record: MatchRecord
    notes: SeatNotes
    lost: SubmissionLostError | None
    unfinished: str
    score: Score | None


def attempted(attempts: Sequence[str]) -> str:
    """The first of the attempts in words, and how many more there were."""
    shown, more = attempts[:SHOWN_ATTEMPTS], len(attempts) - SHOWN_ATTEMPTS
    return f"it tried to {', '.join(shown)}" + (f" and {more} more" if more > 0 else "")


def verdict_on(
    matches: Sequence[PlayedMatch], attempts: Sequence[str]
) -> tuple[Verdict, str, Example | None]:
    """The verdict, why, and where it was first seen."""
    found: list[tuple[Verdict, str, Example | None]] = []
    for match in matches:
        for incident in match.notes.incidents:
            example = _example(match, incident.turn, incident.text)
            found.append((_OF_MISTAKES[incident.mistake], _said(example), example))
        if match.lost is not None:
            # How much is printed when that is seen depends on the clock.
            is_sure = match.lost.fault is not Fault.PRINTED
            last = len(match.record.moves) + bool(match.record.states) if is_sure else None
            example = _example(match, last, str(match.lost))
            found.append((_OF_FAULTS[match.lost.fault], _said(example), example))
    if matches and all(match.unfinished for match in matches):
        found.append((Verdict.UNGRADED, "none of its matches was played to its end", None))
    order = list(Verdict)
    found.sort(key=lambda one: order.index(one[0]))  # stable: the first of a kind stays first
    if attempts:
        return Verdict.FORBIDDEN, attempted(attempts), found[0][2] if found else None
    return found[0] if found else (Verdict.PASSED, "", None)


def _example(match: PlayedMatch, turn: int | None, text: str) -> Example:
    states = match.record.states
    state = states[turn - 1] if turn and turn <= len(states) else ()
    return Example(match.game, match.against, match.role, turn, state, text)


def _said(example: Example) -> str:
    where = [example.game, example.role]
    if example.turn is not None:
        where.append(f"turn {example.turn}" if example.turn else "before turn 1")
    return f"{', '.join(where)}: {example.text}"

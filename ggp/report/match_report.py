"""The report on a match: the value of every position, and how much every move lost.

A move's *loss* is the goal that its role could expect before the move with best play, minus the
goal that the role could expect after it. Both are expected goals from 0 to 100, exact if proven. A
position has the same value in the curve, in losses, in marks and in accuracy. If only one role had
a choice, its curve falls by the loss of its move.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

EXACT: Final = 1e-6
"""A proven loss counts only if it is at least this large."""
SURE: Final = 15.0
"""Minimum loss for which a move is marked, if the loss is an estimate."""
MISTAKE_FROM, BLUNDER_FROM = 25.0, 45.0
FALL: Final = 25.0
"""The loss at which the accuracy of a move is 1/e."""
MAX_ACCURATE: Final = 99.9
"""The highest accuracy in percent to show for a role that lost anything at all."""
OPEN: Final = 40.0
"""A position was open if its value differed from the final result by at least this much."""

Progress = Callable[[int, int], None]
"""A function that receives the number of finished positions of a report, and the total number."""


class Mark(StrEnum):
    """The mark of a move that lost something, depending on how large the loss is."""

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


@dataclass(frozen=True, slots=True)
class Worth:
    """The goals that roles may expect in a position.

    Attributes:
        goals: The goal of each role, from 0 to 100.
        is_proven: Whether the goals are exact.
    """

    goals: tuple[float, ...]
    is_proven: bool


def deciding_turn(worths: Sequence[Worth]) -> int | None:
    """Return the turn that decided the match, counted from 1.

    Before this turn, the value of the position differed from the final result by `OPEN` or more.
    After it, no value did. Return None if no value differed that much, or if the last position does
    not show the result.

    Args:
        worths: `[T + 1]` values of the positions.
    """
    final = worths[-1]
    if not final.is_proven:
        return None
    for turn in range(len(worths) - 1, 0, -1):
        goals = zip(worths[turn - 1].goals, final.goals, strict=True)
        if any(abs(before - after) >= OPEN for before, after in goals):
            return turn
    return None


@dataclass(frozen=True, slots=True)
class MoveReport:
    """A move of a role that had a choice.

    Attributes:
        turn: Number of the turn, from 1.
        role: Index of the role.
        move: The move that was made.
        best: The best move, or `move` itself if no better move is known.
        before: The goal that the role could expect with the best move.
        after: The goal that the role could expect with the move made.
        is_proven: Whether both goals are exact.
        line: The expected moves in words, starting with the best move.
        is_sure: Whether the loss can be blamed on this move. If False, the role was already behind,
            and an earlier move may have lost the goal.
        is_decisive: Whether the move lost something in the turn that decided the match. Such a move
            is always marked.
        made_for: The record's error mark, such as `TO`, if the move was made on the player's
            behalf. Empty if the move is the player's own.
    """

    turn: int
    role: int
    move: str
    best: str
    before: float
    after: float
    is_proven: bool
    line: tuple[str, ...] = ()
    is_sure: bool = True
    is_decisive: bool = False
    made_for: str = ""

    @property
    def lost(self) -> float:
        """The goal that the move lost."""
        return max(0.0, round(self.before - self.after, 2))

    @property
    def mark(self) -> Mark | None:
        """The mark of the move. None if its loss is small or unsure, or it was not the player's."""
        return None if self.made_for else self.size

    @property
    def size(self) -> Mark | None:
        """Like `mark`, but also for a move that was made on the player's behalf."""
        is_marked = self.is_sure and self.lost >= (EXACT if self.is_proven else SURE)
        if not is_marked and not self.is_decisive:
            return None
        if self.lost < MISTAKE_FROM:
            return Mark.INACCURACY
        return Mark.MISTAKE if self.lost < BLUNDER_FROM else Mark.BLUNDER

    @property
    def accuracy(self) -> float:
        """The accuracy of the move, from 0 to 100. It is 100 if nothing was lost."""
        return 100 * math.exp(-self.lost / FALL)

    @classmethod
    def from_json(cls, told: Mapping[str, Any], roles: Sequence[str]) -> MoveReport:
        """Create the move report from the output of `to_json`."""
        return cls(
            turn=told["turn"],
            role=roles.index(told["role"]),
            move=told["move"],
            best=told["best"],
            before=told["before"],
            after=told["after"],
            is_proven=told["proven"],
            line=tuple(told["line"]),
            is_sure=told.get("sure", True),
            is_decisive=told.get("decisive", False),
            made_for=told.get("made_for") or "",
        )

    def to_json(self, roles: Sequence[str]) -> dict[str, Any]:
        """Return the move as JSON data."""
        return {
            "turn": self.turn,
            "role": roles[self.role],
            "move": self.move,
            "best": self.best,
            "before": self.before,
            "after": self.after,
            "lost": self.lost,
            "proven": self.is_proven,
            "sure": self.is_sure,
            "decisive": self.is_decisive,
            "made_for": self.made_for or None,
            "mark": self.mark,
            "line": list(self.line),
        }


@dataclass(frozen=True, slots=True)
class MatchReport:
    """The report on a match. `T` is the number of turns that it covers.

    Attributes:
        game: Name of the game.
        roles: The played roles, in the order of the rules.
        worths: `[T + 1]` values of the positions, from the first to the last.
        moves: Moves of roles that had a choice, in the order of the turns.
        broken: Why the rest of the match is not reported. Empty if the report is complete.
        hides: Whether the report uses information that was hidden from roles.
        evaluation: How leaves of the searches were evaluated. Empty if everything is proven.
        is_cut: Whether a time limit ended the searches early.
        result: A sentence on how the match ended. Empty if the report does not reach the end.
    """

    game: str
    roles: tuple[str, ...]
    worths: tuple[Worth, ...]
    moves: tuple[MoveReport, ...]
    broken: str = ""
    hides: bool = False
    evaluation: str = ""
    is_cut: bool = False
    result: str = ""

    @property
    def num_turns(self) -> int:
        """Number of reported turns."""
        return len(self.worths) - 1

    @property
    def mistakes(self) -> list[MoveReport]:
        """The marked moves, from the most to the least costly."""
        marked = [move for move in self.moves if move.mark]
        return sorted(marked, key=lambda move: (-move.lost, move.turn))

    @property
    def costly_made_for(self) -> list[MoveReport]:
        """Moves made on a player's behalf whose loss is large enough for a mark, in order."""
        return [move for move in self.moves if move.made_for and move.size]

    @property
    def falls_from_behind(self) -> list[MoveReport]:
        """The players' own moves with a large loss that an earlier move may have caused, in order.

        They are not marked.
        """
        moves = [move for move in self.moves if not (move.is_sure or move.mark or move.made_for)]
        return [move for move in moves if move.lost >= SURE]

    @property
    def decided(self) -> int | None:
        """The turn that decided the match, or None if there is none, as in `deciding_turn`."""
        return deciding_turn(self.worths)

    def accuracy(self, role: int) -> float | None:
        """Return the mean accuracy of a role's own moves, from 0 to 100, or None if it made none.

        The mean is rounded, but never up to 100 if anything was lost.
        """
        own = [move.accuracy for move in self.moves_of(role) if not move.made_for]
        if not own:
            return None
        mean = round(sum(own) / len(own), 1)
        return mean if min(own) == 100 else min(mean, MAX_ACCURATE)

    def num_marked(self, role: int, mark: Mark) -> int:
        """Return how many moves of a role have the mark."""
        return sum(move.mark == mark for move in self.moves_of(role))

    def num_made_for(self, role: int) -> int:
        """Return how many of a role's moves with a choice were made on its player's behalf."""
        return sum(bool(move.made_for) for move in self.moves_of(role))

    def moves_of(self, role: int) -> list[MoveReport]:
        """Return the moves of a role, including those made on its player's behalf."""
        return [move for move in self.moves if move.role == role]

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> MatchReport:
        """Create the report from the output of `to_json`."""
        roles = tuple(told["roles"])
        return cls(
            game=told["game"],
            roles=roles,
            worths=tuple(Worth(tuple(one["goals"]), one["proven"]) for one in told["worths"]),
            moves=tuple(MoveReport.from_json(move, roles) for move in told["moves"]),
            broken=told["broken"] or "",
            hides=told["hides"],
            evaluation=told.get("evaluation") or "",
            is_cut=told.get("cut", False),
            result=told.get("result") or "",
        )

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON data."""
        return {
            "game": self.game,
            "roles": list(self.roles),
            "turns": self.num_turns,
            "broken": self.broken or None,
            "hides": self.hides,
            "evaluation": self.evaluation or None,
            "cut": self.is_cut,
            "result": self.result or None,
            "decided": self.decided,
            "players": [
                {
                    "role": name,
                    "accuracy": self.accuracy(role),
                    "made_for": self.num_made_for(role),
                    "marks": {mark.value: self.num_marked(role, mark) for mark in Mark},
                }
                for role, name in enumerate(self.roles)
            ],
            "worths": [
                {"goals": list(worth.goals), "proven": worth.is_proven} for worth in self.worths
            ],
            "moves": [move.to_json(self.roles) for move in self.moves],
        }

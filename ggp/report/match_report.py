"""The report on a match: what every position was worth, and what every move cost.

What a move *lost* is what its role could expect before it with the best move, less what it could
expect after it. Both are expected goals, from 0 to 100; exact where they are proven.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

EXACT: Final = 1e-6
"""What is proven is lost from here on."""
SURE: Final = 20.0
"""Expected goal that a move must have lost to be marked where that is an estimate."""
MISTAKE_FROM, BLUNDER_FROM = 25.0, 45.0
FALL: Final = 25.0
"""Lost goal that makes the accuracy of a move 1/e."""


class Mark(StrEnum):
    """A move that lost something, by how much."""

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


@dataclass(frozen=True, slots=True)
class Worth:
    """The goals that roles may expect in a position.

    Attributes:
        goals: Of each role, from 0 to 100.
        is_proven: Whether these are exact.
    """

    goals: tuple[float, ...]
    is_proven: bool


@dataclass(frozen=True, slots=True)
class MoveReport:
    """A move of a role that had a choice.

    Attributes:
        turn: From 1 on.
        role: Index of the role.
        move: What it did.
        best: What it should have done; the move itself where nothing better is known.
        before: The goal that it could expect with the best move.
        after: The goal that it could expect with its own.
        is_proven: Whether both are exact.
        line: What is expected from the best move on, it included, in words.
    """

    turn: int
    role: int
    move: str
    best: str
    before: float
    after: float
    is_proven: bool
    line: tuple[str, ...] = ()

    @property
    def lost(self) -> float:
        """The goal that the move gave away."""
        return max(0.0, self.before - self.after)

    @property
    def mark(self) -> Mark | None:
        """The mark of the move; None if it was good enough, or nobody can be sure."""
        if self.lost < (EXACT if self.is_proven else SURE):
            return None
        if self.lost < MISTAKE_FROM:
            return Mark.INACCURACY
        return Mark.MISTAKE if self.lost < BLUNDER_FROM else Mark.BLUNDER

    @property
    def accuracy(self) -> float:
        """Accuracy of the move, from 0 to 100: 100 where nothing was lost."""
        return 100 * math.exp(-self.lost / FALL) if self.mark else 100.0

    @classmethod
    def from_json(cls, told: Mapping[str, Any], roles: Sequence[str]) -> MoveReport:
        """A move as `to_json` tells it."""
        return cls(
            turn=told["turn"],
            role=roles.index(told["role"]),
            move=told["move"],
            best=told["best"],
            before=told["before"],
            after=told["after"],
            is_proven=told["proven"],
            line=tuple(told["line"]),
        )

    def to_json(self, roles: Sequence[str]) -> dict[str, Any]:
        """The move, for programs."""
        return {
            "turn": self.turn,
            "role": roles[self.role],
            "move": self.move,
            "best": self.best,
            "before": round(self.before, 2),
            "after": round(self.after, 2),
            "lost": round(self.lost, 2),
            "proven": self.is_proven,
            "mark": self.mark,
            "line": list(self.line),
        }


@dataclass(frozen=True, slots=True)
class MatchReport:
    """The report on a match of which `T` turns are reported.

    Attributes:
        game: Its name.
        roles: Those that are played, in the order of the rules.
        worths: `[T + 1]` of the positions, from the first to the last.
        moves: Of roles that had a choice, in the order of the turns.
        broken: Why the rest of the match is not reported; empty if all is.
        hides: Whether roles did not see all that the report knows.
    """

    game: str
    roles: tuple[str, ...]
    worths: tuple[Worth, ...]
    moves: tuple[MoveReport, ...]
    broken: str = ""
    hides: bool = False

    @property
    def num_turns(self) -> int:
        """Number of turns that are reported."""
        return len(self.worths) - 1

    @property
    def mistakes(self) -> list[MoveReport]:
        """The moves that are marked, the worst first."""
        marked = [move for move in self.moves if move.mark]
        return sorted(marked, key=lambda move: (-move.lost, move.turn))

    def accuracy(self, role: int) -> float | None:
        """The mean accuracy of a role's moves, from 0 to 100; None if it had no choice."""
        own = [move.accuracy for move in self.moves if move.role == role]
        return sum(own) / len(own) if own else None

    def num_marked(self, role: int, mark: Mark) -> int:
        """Number of moves of a role that have a mark."""
        return sum(move.role == role and move.mark == mark for move in self.moves)

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> MatchReport:
        """A report as `to_json` tells it."""
        roles = tuple(told["roles"])
        return cls(
            game=told["game"],
            roles=roles,
            worths=tuple(Worth(tuple(one["goals"]), one["proven"]) for one in told["worths"]),
            moves=tuple(MoveReport.from_json(move, roles) for move in told["moves"]),
            broken=told["broken"] or "",
            hides=told["hides"],
        )

    def to_json(self) -> dict[str, Any]:
        """The report, for programs."""
        return {
            "game": self.game,
            "roles": list(self.roles),
            "turns": self.num_turns,
            "broken": self.broken or None,
            "hides": self.hides,
            "players": [
                {
                    "role": name,
                    "accuracy": _rounded(self.accuracy(role)),
                    "marks": {mark.value: self.num_marked(role, mark) for mark in Mark},
                }
                for role, name in enumerate(self.roles)
            ],
            "worths": [
                {"goals": [round(goal, 2) for goal in worth.goals], "proven": worth.is_proven}
                for worth in self.worths
            ],
            "moves": [move.to_json(self.roles) for move in self.moves],
        }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)

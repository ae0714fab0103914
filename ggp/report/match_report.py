"""The report on a match: what every position was worth, and what every move cost.

What a move *lost* is what its role could expect before it with the best move, less what it could
expect after it. Both are expected goals, from 0 to 100; exact where they are proven. A position is
worth the same in the curve, in what moves have lost, in marks and in accuracy: where one role alone
had a choice, its curve falls by what its move has lost.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

EXACT: Final = 1e-6
"""What is proven is lost from here on."""
SURE: Final = 15.0
"""Expected goal that a move must have lost to be marked where that is an estimate."""
MISTAKE_FROM, BLUNDER_FROM = 25.0, 45.0
FALL: Final = 25.0
"""Lost goal that makes the accuracy of a move 1/e."""
MOST_ACCURATE: Final = 99.9
"""Percents shown, at most, of who lost anything."""
OPEN: Final = 40.0
"""Goal by which a position must have been off the result for that to be open."""


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


def deciding_turn(worths: Sequence[Worth]) -> int | None:
    """The last turn before which the result of a match was open.

    Args:
        worths: `[T + 1]` of the positions.

    Returns:
        From 1 on; None if it never was, or the last position says nothing of the result.
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
        turn: From 1 on.
        role: Index of the role.
        move: What it did.
        best: What it should have done; the move itself where nothing better is known.
        before: The goal that it could expect with the best move.
        after: The goal that it could expect with its own.
        is_proven: Whether both are exact.
        line: What is expected from the best move on, it included, in words.
        is_sure: Whether it is marked for what it lost; not if that may have been lost before.
        is_decisive: Whether it lost in the turn in which the match was decided; it is marked then.
        made_for: The record's mark of a move that was made in the player's place, such as `TO`;
            empty if it is its own.
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
        """The goal that the move gave away."""
        return max(0.0, round(self.before - self.after, 2))

    @property
    def mark(self) -> Mark | None:
        """The mark of the player's own move; None if it was good enough, or nobody can be sure."""
        return None if self.made_for else self.size

    @property
    def size(self) -> Mark | None:
        """The size of what was lost, whoever made the move; None if it is not to be marked."""
        is_marked = self.is_sure and self.lost >= (EXACT if self.is_proven else SURE)
        if not is_marked and not self.is_decisive:
            return None
        if self.lost < MISTAKE_FROM:
            return Mark.INACCURACY
        return Mark.MISTAKE if self.lost < BLUNDER_FROM else Mark.BLUNDER

    @property
    def accuracy(self) -> float:
        """Accuracy of the move, from 0 to 100: 100 where nothing was lost."""
        return 100 * math.exp(-self.lost / FALL)

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
            is_sure=told.get("sure", True),
            is_decisive=told.get("decisive", False),
            made_for=told.get("made_for") or "",
        )

    def to_json(self, roles: Sequence[str]) -> dict[str, Any]:
        """The move, for programs."""
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
    """The report on a match of which `T` turns are reported.

    Attributes:
        game: Its name.
        roles: Those that are played, in the order of the rules.
        worths: `[T + 1]` of the positions, from the first to the last.
        moves: Of roles that had a choice, in the order of the turns.
        broken: Why the rest of the match is not reported; empty if all is.
        hides: Whether roles did not see all that the report knows.
        evaluation: What valued the leaves of searches, in words; empty if all is proven.
        is_cut: Whether a limit of time came before all was searched that was to be.
        result: How the match ended, in a sentence; empty if the rest of it is not reported.
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
        """Number of turns that are reported."""
        return len(self.worths) - 1

    @property
    def mistakes(self) -> list[MoveReport]:
        """The moves that are marked, the worst first."""
        marked = [move for move in self.moves if move.mark]
        return sorted(marked, key=lambda move: (-move.lost, move.turn))

    @property
    def costly_made_for(self) -> list[MoveReport]:
        """Moves made in a player's place that would be marked if they were its own; in order."""
        return [move for move in self.moves if move.made_for and move.size]

    @property
    def falls_from_behind(self) -> list[MoveReport]:
        """Own moves after which much is lost that may have been lost before; in order."""
        moves = [move for move in self.moves if not (move.is_sure or move.mark or move.made_for)]
        return [move for move in moves if move.lost >= SURE]

    @property
    def decided(self) -> int | None:
        """The turn in which the match was decided; None if its result was never open or known."""
        return deciding_turn(self.worths)

    def accuracy(self, role: int) -> float | None:
        """The mean accuracy of a role's own moves, from 0 to 100; None if it chose none.

        It is rounded, but 100 only if nothing was lost.
        """
        own = [move.accuracy for move in self.moves_of(role) if not move.made_for]
        if not own:
            return None
        mean = round(sum(own) / len(own), 1)
        return mean if min(own) == 100 else min(mean, MOST_ACCURATE)

    def num_marked(self, role: int, mark: Mark) -> int:
        """Number of moves of a role that have a mark."""
        return sum(move.mark == mark for move in self.moves_of(role))

    def num_made_for(self, role: int) -> int:
        """Number of moves, where a role had a choice, that were made in its player's place."""
        return sum(bool(move.made_for) for move in self.moves_of(role))

    def moves_of(self, role: int) -> list[MoveReport]:
        """The moves of a role, whoever made them."""
        return [move for move in self.moves if move.role == role]

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
            evaluation=told.get("evaluation") or "",
            is_cut=told.get("cut", False),
            result=told.get("result") or "",
        )

    def to_json(self) -> dict[str, Any]:
        """The report, for programs."""
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

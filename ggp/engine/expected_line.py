"""The moves that a player expected when it last had time, for a turn in which it has none.

>>> line = ExpectedLine()
>>> line.learn(4, {"line": [["(mark 1 1)", "noop"], ["noop", "(mark 2 2)"]]})
>>> line.move(5, ["(mark 1 1)", "noop"], 1)  # that came true
'(mark 2 2)'
>>> line.move(6, ["noop", "(mark 3 3)"], 0)  # that did not
''
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class ExpectedLine:
    """Joint moves from a turn on, as long as the match follows them."""

    def __init__(self) -> None:
        self._turn = 0
        self._joint_moves: list[list[str]] = []

    def learn(self, turn: int, thoughts: Mapping[str, object]) -> None:
        """Keep what a player expects from a turn on, if it says so."""
        line = thoughts.get("line")
        if isinstance(line, list) and all(isinstance(moves, list) for moves in line):
            self._turn, self._joint_moves = turn, line

    def move(self, turn: int, joint_move: Sequence[str] | None, place: int) -> str:
        """The move that was expected in a turn; empty if none was, or not in this position.

        Args:
            turn: One after the other is to be asked for, or the line is lost.
            joint_move: What led to the turn; None if that is not known.
            place: Of the role whose move is wanted.
        """
        if turn != self._turn:
            is_true = turn == self._turn + 1 and self._joint_moves[:1] == [list(joint_move or ())]
            self._turn, self._joint_moves = turn, self._joint_moves[1:] if is_true else []
        moves = self._joint_moves[0] if self._joint_moves else ()
        return str(moves[place]) if place < len(moves) else ""

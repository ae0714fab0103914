"""Choose the move to answer, from everything that the processes have reported.

>>> line = ExpectedLine()
>>> line.learn(4, {"line": [["(mark 1 1)", "noop"], ["noop", "(mark 2 2)"]]})
>>> line.move(5, ["(mark 1 1)", "noop"], 1)  # the expected move was made
'(mark 2 2)'
>>> line.move(6, ["noop", "(mark 3 3)"], 0)  # another move was made
''
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ggp.engine.answers import Choice, EnginePosition, MoveOrigin
from ggp.engine.pending_request import PendingRequest

_RANKS = list(MoveOrigin)


def judge(
    exchanges: Sequence[PendingRequest],
    guess: str,
    legal: Sequence[str] = (),
    expected: str = "",
    *,
    is_stand_in: bool = False,
) -> Choice:
    """Choose the best available move.

    The first of these that exists is used: the move that the player chose, reported last, or
    expected to make; a legal move; the guess.

    Args:
        exchanges: The requests of this turn, one per process, in order. Later ones take precedence.
        guess: A move that may be legal, see `KnownPositions`.
        legal: Moves that the caller knows to be legal in this turn.
        expected: The move that the player expected to make in this turn. Empty if there is none.
        is_stand_in: Whether the fallback player has replaced the configured one.
    """
    latest = list(reversed(exchanges))
    position = next((each.moved.position for each in latest if each.moved is not None), None)
    choices = [choice for exchange in latest for choice in _choices(exchange)]
    choices += _last_resorts(position, guess, legal, expected)
    best = min(choices, key=lambda choice: _RANKS.index(choice.origin))
    if is_stand_in and best.origin in {MoveOrigin.SEARCH, MoveOrigin.BEST_SO_FAR}:
        return Choice(best.move, MoveOrigin.STAND_IN, position=position)
    return replace(best, position=position)


def _choices(exchange: PendingRequest) -> Iterator[Choice]:
    for event in (exchange.done, exchange.best):
        if event is not None and event.choice is not None:
            yield event.choice


def _last_resorts(
    position: EnginePosition | None,
    guess: str,
    legal: Sequence[str],
    expected: str,
) -> Iterator[Choice]:
    reported = position.legal if position is not None else legal
    if expected in reported:
        yield Choice(expected, MoveOrigin.BEST_SO_FAR)
    if reported:
        num_legal = position.num_legal if position is not None else len(legal)
        yield Choice(
            reported[0], MoveOrigin.ONLY_MOVE if num_legal == 1 else MoveOrigin.FIRST_LEGAL
        )
    yield Choice(guess, MoveOrigin.GUESS)


class ExpectedLine:
    """A player's expected line from some turn on, valid as long as the match follows it."""

    def __init__(self) -> None:
        self._turn = 0
        self._joint_moves: list[list[str]] = []

    def learn(self, turn: int, search_info: Mapping[str, object]) -> None:
        """Store the line that the player expects from `turn` on, if it reports one."""
        line = search_info.get("line")
        if isinstance(line, list) and all(isinstance(moves, list) for moves in line):
            self._turn, self._joint_moves = turn, line

    def move(self, turn: int, joint_move: Sequence[str] | None, place: int) -> str:
        """Return the move expected in a turn, or "" if the match has left the line.

        Args:
            turn: The turn of the last call or the turn after it. For any other turn, the line is
                dropped.
            joint_move: The joint move that led to the turn. None if unknown.
            place: Index of the role that has to move.
        """
        if turn != self._turn:
            is_true = turn == self._turn + 1 and self._joint_moves[:1] == [list(joint_move or ())]
            self._turn, self._joint_moves = turn, self._joint_moves[1:] if is_true else []
        moves = self._joint_moves[0] if self._joint_moves else ()
        return str(moves[place]) if place < len(moves) else ""

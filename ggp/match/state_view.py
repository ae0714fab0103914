"""A state as lines of text: its board, where it has one, and the other facts in columns."""

from __future__ import annotations

import random
from collections.abc import Sequence

import gdl
from ggp.clock import Deadline
from ggp.match.board import find_board

MAX_LINES = 12
SURVEY_SECONDS = 0.3
_GAP = 2


class StateView:
    """Shows the states of a game, always in the same layout.

    A board is laid out by the states it is seen in. Give it a survey of the game first, since some
    boards begin empty; should a state have more, the board grows.
    """

    def __init__(self, states: Sequence[Sequence[str]], width: int = 80) -> None:
        """Lay out the view.

        Args:
            states: Facts of some states of the game, the initial one first.
            width: Characters of a line.
        """
        self._states = [tuple(facts) for facts in states]
        self._board = find_board(self._states)
        self._width = width

    def lines(self, facts: Sequence[str]) -> list[str]:
        """The lines that show a state; at most `MAX_LINES` of them for the facts off the board."""
        self._widen(facts)
        board = self._board
        if board is None:
            return in_columns(sorted(facts), self._width)
        crowded = set(board.crowded(facts))
        others = sorted(fact for fact in facts if fact in crowded or not board.holds(fact))
        return [*board.draw(facts), *in_columns(others, self._width)]

    def _widen(self, facts: Sequence[str]) -> None:
        board = self._board
        if board is not None:
            cells = [fact for fact in facts if fact.startswith(f"({board.relation} ")]
            if all(map(board.holds, cells)):
                return
        self._states.append(tuple(facts))
        self._board = find_board(self._states)


def survey(machine: gdl.StateMachine, seconds: float = SURVEY_SECONDS) -> list[list[str]]:
    """Facts of states that random play comes by, the initial one first, found within a time."""
    deadline = Deadline.after(seconds)
    rng = random.Random(0)
    state = machine.initial_state()
    seen = [_facts(machine, state)]
    while not deadline.is_over():
        legal = [machine.legal_moves(state, role) for role in machine.roles]
        if machine.is_terminal(state) or not all(legal):
            seen.append(_facts(machine, state))
            state = machine.initial_state()
            if len(seen) > 1 and seen[-1] == seen[0]:
                break
        else:
            state = machine.next_state(state, [rng.choice(moves) for moves in legal])
    return [*seen, _facts(machine, state)]


def in_columns(words: Sequence[str], width: int, max_lines: int = MAX_LINES) -> list[str]:
    """The words in as few lines as fit a width, in columns that are read downwards."""
    if not words:
        return []
    cell = max(map(len, words)) + _GAP
    across = max(1, (width + _GAP) // cell)
    height = -(-len(words) // across)
    lines = [
        "".join(word.ljust(cell) for word in words[line::height]).rstrip()
        for line in range(min(height, max_lines))
    ]
    if height > max_lines:
        hidden = sum(len(words[line::height]) for line in range(max_lines, height))
        lines.append(f"... and {hidden} more facts")
    return lines


def _facts(machine: gdl.StateMachine, state: gdl.State) -> list[str]:
    return [str(fact) for fact in machine.facts(state)]

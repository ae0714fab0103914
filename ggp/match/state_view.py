"""A state as lines of text: its board, where it has one, and the other facts in columns."""

from __future__ import annotations

from collections.abc import Sequence

from ggp.match.board import find_board

MAX_LINES = 12
_GAP = 2


class StateView:
    """Shows the states of one match, always in the same layout.

    The layout comes from the initial state, so that a board keeps its size while pieces leave it.
    """

    def __init__(self, initial_facts: Sequence[str], width: int = 80) -> None:
        self._board = find_board(initial_facts)
        self._width = width

    def lines(self, facts: Sequence[str]) -> list[str]:
        """The lines that show a state; at most `MAX_LINES` of them for the facts off the board."""
        board = self._board
        if board is None:
            return columns(sorted(facts), self._width)
        others = sorted(fact for fact in facts if not board.holds(fact))
        return [*board.draw(facts), *columns(others, self._width)]


def columns(words: Sequence[str], width: int, max_lines: int = MAX_LINES) -> list[str]:
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

"""Who draws the positions of one match, all in the same way."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ggp.drawing.board import SIDE, draw_board, size_of
from ggp.drawing.cards import draw_cards
from ggp.drawing.look import Look, looks_of
from ggp.drawing.svg import picture, tag
from ggp.drawing.views import view_of
from ggp.match.board import Board, Place, find_boards

GAP = SIDE / 2
MIN_WIDTH = 240.0


class Artist:
    """Draws the positions of a game; how, is settled by those that are known."""

    def __init__(
        self, game: str, states: Collection[Collection[str]], roles: Sequence[str] = ()
    ) -> None:
        """Look at the game.

        Args:
            game: A bundled game, for its view; anything else has none.
            states: Facts of positions, the initial one first; the more, the surer the guess.
            roles: Of the game, to tell whose things are whose.
        """
        self._view = view_of(game)
        self._boards = find_boards(states)
        contents = {content for board in self._boards for content in board.contents}
        self._looks = {**looks_of(contents, roles), **self._view.things}

    def svg(self, facts: Collection[str], before: Collection[str] | None = None) -> str:
        """The picture of a position.

        Args:
            facts: Of the position.
            before: Those of the position before; what has changed since is marked.
        """
        parts, width, height = self._draw_boards(facts, before)
        width = max(width, MIN_WIDTH)
        rest = [fact for fact in facts if not self._is_elsewhere(fact)]
        changed = set(rest) - set(before) if before is not None else set()
        cards, height = draw_cards(rest, changed, height + GAP / 2 if parts else 0.0, width)
        return picture(width + 1, height + 1, "Position", [*parts, *cards])

    def _draw_boards(
        self, facts: Collection[str], before: Collection[str] | None
    ) -> tuple[list[str], float, float]:
        """All boards beside each other: their parts, width and height."""
        parts, right, lowest = [], 0.0, 0.0
        for board in self._boards:
            changed = _changed(board, facts, before) if before is not None else set()
            drawn = draw_board(board, facts, changed, self._known(board, facts), self._view.frame)
            width, height = size_of(board, self._view.frame)
            parts.append(tag("g", *drawn, transform=f"translate({right:g} 0)"))
            right, lowest = right + width + GAP, max(lowest, height)
        return parts, max(0.0, right - GAP), lowest

    def _known(self, board: Board, facts: Collection[str]) -> Mapping[str, Look]:
        """The looks of all that is there, also of what no known position had."""
        contents = {one for some in board.cells(facts).values() for one in some}
        self._looks = {**looks_of(contents - self._looks.keys(), ()), **self._looks}
        return self._looks

    def _is_elsewhere(self, fact: str) -> bool:
        """Whether a fact is on a board, or not to be shown."""
        relation = fact.strip("()").split(" ", 1)[0]
        on_board = any(board.is_cell(fact) for board in self._boards)
        return on_board or relation in self._view.hidden


def _changed(board: Board, facts: Collection[str], before: Collection[str]) -> set[Place]:
    now, then = board.cells(facts), board.cells(before)
    return {place for place in now.keys() | then.keys() if now.get(place) != then.get(place)}

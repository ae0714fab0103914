"""Who draws the positions of one match, all in the same way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from ggp.drawing.board import SIDE, Frame, draw_board, pin, size_of
from ggp.drawing.cards import draw_cards
from ggp.drawing.lines import find_lines
from ggp.drawing.look import EMPTY, GREY, Look, looks_of
from ggp.drawing.nested import find_nested
from ggp.drawing.piles import draw_piles
from ggp.drawing.svg import picture, tag
from ggp.drawing.views import View, view_of
from ggp.drawing.walk import find_marks
from ggp.match.board import Board, Cells, Place, find_boards
from ggp.match.term_text import terms_of

GAP = SIDE / 2
MIN_WIDTH = 240.0
MAX_ACROSS = 4
"""Boards beside each other; more of them stand in rows of equal length, if they can."""
MAX_MARKED = 0.5
"""Of a board's places; where more has changed, marks would say nothing."""
MANY = 60
"""Positions in which a fact must be to be taken for one that never changes."""
MIN_CHECKERED = 16
MAX_BESIDE, MAX_ALONE = 16, 60
"""Cards below a board, and where there is none."""
Box = tuple[list[str], float, float]
"""Parts of a picture, their width and height."""


class Artist:
    """Draws the positions of a game; how, is settled by those that are known."""

    def __init__(
        self, game: str, states: Sequence[Collection[str]], roles: Sequence[str] = ()
    ) -> None:
        """Look at the game.

        Args:
            game: A bundled game, for its view; anything else has none.
            states: Facts of positions, the initial one first; the more, the surer the guess. See
                `ggp.drawing.glimpse`.
            roles: Of the game, to tell whose things are whose.
        """
        self._view: View = view_of(game)
        self._roles = roles
        self._boards = _boards(self._view, states)
        self._frame = _with_checks(self._view.frame, self._boards, states)
        contents = {content for board in self._boards for content in board.contents}
        self._looks = {**looks_of(contents, roles), **self._view.things}
        self._blanks = {board.blank for board in self._boards} - self._view.things.keys()
        self._blanks |= _blanks(contents) - self._view.things.keys()
        self._steady = _steady(states)

    def knows(self, facts: Collection[str]) -> bool:
        """Whether the boards have a place for all that is on them in a position."""
        places = [(board, place) for board in self._boards for place in board.cells(facts)]
        return all(column in board.columns and row in board.rows for board, (column, row) in places)

    def svg(self, facts: Collection[str], before: Collection[str] | None = None) -> str:
        """The picture of a position.

        Args:
            facts: Of the position.
            before: Those of the position before; what has changed since is marked.
        """
        boxes = [self._draw_board(board, facts, before) for board in self._boards]
        if self._view.piles is not None:
            boxes.append((draw_piles(self._view.piles, facts, before), *self._view.piles.size))
        parts, width, height = _arranged(boxes, is_stacked=_are_lines(self._boards))
        if parts and width < MIN_WIDTH:
            parts = [tag("g", *parts, transform=f"translate({(MIN_WIDTH - width) / 2:g} 0)")]
        width = max(width, MIN_WIDTH)
        rest = [fact for fact in facts if not self._is_elsewhere(fact)]
        changed = set(rest) - set(before) if before is not None else set()
        scale = max(1.0, width / MIN_WIDTH / 1.2)
        top = height + GAP / 2 if parts else 0.0
        most = MAX_BESIDE if parts else MAX_ALONE
        cards, low = draw_cards(rest, changed, width / scale, most)
        if cards:
            parts.append(tag("g", *cards, transform=f"translate(0 {top:g}) scale({scale:.3g})"))
            height = top + low * scale
        return picture(width + 1, height + 1, "Position", parts)

    def _draw_board(
        self, board: Board, facts: Collection[str], before: Collection[str] | None
    ) -> Box:
        cells = self._cells(board, facts)
        changed = _changed(cells, self._cells(board, before)) if before is not None else set()
        if len(changed) > MAX_MARKED * len(board.columns) * len(board.rows):
            changed = set()
        drawn = draw_board(board, cells, changed, self._known(cells), self._frame)
        for fact in facts:
            words = terms_of(fact) if fact.startswith("(") else ()
            if len(words) == 4 and words[0] in self._view.pins:
                owner = self._looks.get(words[1], Look("ring", GREY))
                drawn += pin(board, (words[2], words[3]), owner.fill, self._frame)
        return drawn, *size_of(board, self._frame)

    def _cells(self, board: Board, facts: Collection[str]) -> Cells:
        cells = board.cells(facts)
        for place, thing in (self._view.walk.always if self._view.walk else {}).items():
            cells.setdefault(place, []).insert(0, thing)
        return cells

    def _known(self, cells: Cells) -> Mapping[str, Look]:
        """The looks of all that is there, also of what no known position had."""
        contents = {one for some in cells.values() for one in some}
        unknown = contents - self._looks.keys()
        if unknown:
            self._looks.update(looks_of(unknown, self._roles))
        return {thing: look for thing, look in self._looks.items() if thing not in self._blanks}

    def _is_elsewhere(self, fact: str) -> bool:
        """Whether a fact is on a board, or not to be shown."""
        relation = fact.strip("()").split(" ", 1)[0]
        if relation in self._view.hidden or relation in self._view.pins or fact in self._steady:
            return True
        piles = self._view.piles
        return any(board.is_cell(fact) for board in self._boards) or (
            piles is not None and piles.is_told_by(fact)
        )


def _boards(view: View, states: Sequence[Collection[str]]) -> tuple[Board, ...]:
    """Those that the view tells of, else those of the first form that is found."""
    if view.walk is not None:
        return (view.walk.board(),)
    if view.piles is not None:
        return ()
    for find in (find_boards, find_nested, find_lines, find_marks):
        found = find(states)
        if found:
            return found
    return ()


def _with_checks(frame: Frame, boards: Sequence[Board], states: Sequence[Collection[str]]) -> Frame:
    """Checkered as a chess board are boards that begin with pieces, unless the view tells."""
    if frame.is_checkered is not None or not boards or not states:
        return frame
    board = boards[0]
    kinds = Counter(one for some in board.cells(states[0]).values() for one in some)
    is_set_up = sum(count for one, count in kinds.items() if one not in {board.blank, *EMPTY}) > 0
    is_large = len(board.columns) * len(board.rows) >= MIN_CHECKERED and len(board.rows) > 1
    return replace(frame, is_checkered=is_set_up and is_large)


def _blanks(contents: Collection[str]) -> set[str | None]:
    """`b` stands for blank where all else are numbers or marks; words such as `empty` always do."""
    rest = {one.lower() for one in contents} - {"b"}
    found: set[str | None] = {one for one in contents if one.lower() in EMPTY}
    if rest and all(one.isdecimal() or one in {"x", "o"} for one in rest):
        found |= {one for one in contents if one.lower() == "b"}
    return found


def _steady(states: Sequence[Collection[str]]) -> frozenset[str]:
    """Facts of all positions, which say nothing about any of them; none if few are known."""
    if len(states) < MANY:
        return frozenset()
    steady = frozenset(states[0]).intersection(*states)
    return steady if len(steady) < len(states[0]) else frozenset()


def _are_lines(boards: Sequence[Board]) -> bool:
    return bool(boards) and boards[0].rows == ("",)


def _arranged(boxes: Sequence[Box], *, is_stacked: bool) -> Box:
    """Boxes beside each other, in rows where there are many; lines one below the other."""
    across = 1 if is_stacked else _across(len(boxes))
    parts: list[str] = []
    y, widest = 0.0, 0.0
    for start in range(0, len(boxes), across):
        x, highest = 0.0, 0.0
        for drawn, width, height in boxes[start : start + across]:
            parts.append(tag("g", *drawn, transform=f"translate({x:g} {y:g})"))
            x, highest = x + width + GAP, max(highest, height)
        y, widest = y + highest + GAP, max(widest, x - GAP)
    return parts, widest, max(0.0, y - GAP)


def _across(number: int) -> int:
    """How many stand in a row: 2 of 4, 3 of 9."""
    side = round(number**0.5)
    return max(1, side if side * side == number else min(number, MAX_ACROSS))


def _changed(now: Cells, then: Cells) -> set[Place]:
    return {place for place in now.keys() | then.keys() if now.get(place) != then.get(place)}

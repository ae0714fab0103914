"""The colours of what lies on boards: each content has its own, in all states of a game.

A content whose name has a colour in it, such as `red` or `blackking`, gets that one where it can be
seen on light and dark screens alike; the others share out what is left.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from rich.text import Text

from ggp.boards.board import Board
from ggp.boards.text import Line

NAMED = {
    "red": "red",
    "green": "green",
    "blue": "blue",
    "yellow": "yellow",
    "teal": "cyan",
    "orange": "dark_orange",
    "purple": "magenta",
    "pink": "magenta",
}
PALETTE = ("red", "blue", "green", "magenta", "dark_orange", "cyan", "yellow")
PLAIN = {"white", "black"}
"""Their letters tell them apart: neither colour can be seen on every screen."""
MAX_COLOURED = 8
"""Of more contents than that, such as the numbers of eightPuzzle, none is coloured."""
FAINT = "dim"
MARK = "bold"


class Colours:
    """Gives lines of boards their colours."""

    def __init__(self) -> None:
        self._styles: dict[str, str] = {}

    def styled(self, line: Line) -> Text:
        """A line as text with styles; what is marked stands out, what is unsure is faint."""
        found = Text()
        for piece in line:
            style = self._styles.get(piece.content, "") if piece.content else ""
            if piece.is_marked:
                style = f"{style} {MARK}".strip()
            if piece.is_faint:
                style = f"{style} {FAINT}".strip()
            found.append(piece.text, style or None)
        found.rstrip()
        return found

    def learn(self, boards: Collection[Board]) -> None:
        """Choose the colours of contents that are new."""
        contents = sorted({content for board in boards for content in board.contents})
        if len(contents) > MAX_COLOURED:
            contents = [content for content in contents if _named(content)]
        new = [content for content in contents if content not in self._styles]
        for content in new:
            self._styles[content] = _named(content) or self._free(contents)

    def _free(self, contents: Iterable[str]) -> str:
        """A colour that nothing has yet; none if all are taken."""
        taken = {*self._styles.values(), *map(_named, contents)}
        return next((colour for colour in PALETTE if colour not in taken), "")


def _named(content: str) -> str:
    """The colour that a content's name says, or that of nothing where it says black or white."""
    words = content.strip("()").split()
    for name, colour in NAMED.items():
        if any(word.startswith(name) for word in words):
            return colour
    return "default" if any(word.startswith(tuple(PLAIN)) for word in words) else ""

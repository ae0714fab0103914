"""Places in a text: offsets of characters, and the lines and columns of the protocol."""

from __future__ import annotations

import re
from bisect import bisect_right

from lsprotocol import types

_LINE_END = re.compile(r"\r\n|\r|\n")
_UNITS = {
    types.PositionEncodingKind.Utf8: "utf-8",
    types.PositionEncodingKind.Utf16: "utf-16-le",
}


class Places:
    """The lines of one text.

    Args:
        text: The whole of it.
        encoding: In whose units the client counts columns.
    """

    def __init__(
        self,
        text: str,
        encoding: types.PositionEncodingKind = types.PositionEncodingKind.Utf16,
    ) -> None:
        self._text = text
        self._codec = _UNITS.get(encoding, "")
        self._unit = 2 if self._codec == "utf-16-le" else 1
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
        self._is_ascii = text.isascii()

    def position(self, offset: int) -> types.Position:
        """The line and column of an offset."""
        line = bisect_right(self._starts, offset) - 1
        start = self._starts[line]
        return types.Position(line, self._width(self._text[start:offset]))

    def offset(self, position: types.Position) -> int:
        """The offset of a line and column; the nearest one if the text has no such place."""
        if position.line < 0:
            return 0
        if position.line >= len(self._starts):
            return len(self._text)
        start = self._starts[position.line]
        is_last = position.line + 1 == len(self._starts)
        end = len(self._text) if is_last else self._starts[position.line + 1]
        line = self._text[start:end].rstrip("\r\n")
        column = max(0, position.character)
        if self._is_ascii or not self._codec:
            return start + min(column, len(line))
        width = 0
        for index, char in enumerate(line):
            if width >= column:
                return start + index
            width += self._width(char)
        return start + len(line)

    def range(self, start: int, end: int) -> types.Range:
        """The range of the characters from one offset to another."""
        return types.Range(self.position(start), self.position(end))

    def width(self, start: int, end: int) -> int:
        """How many columns the characters from one offset to another take in a line."""
        return self._width(self._text[start:end])

    def _width(self, text: str) -> int:
        if not self._codec or text.isascii():
            return len(text)
        return len(text.encode(self._codec, "surrogatepass")) // self._unit

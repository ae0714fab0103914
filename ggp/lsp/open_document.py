"""A text that is open in an editor: its newest version, and the places in it."""

from __future__ import annotations

import asyncio
import re
from bisect import bisect_right
from functools import cached_property
from typing import Any

from lsprotocol import types

import gdl

_LINE_END = re.compile(r"\r\n|\r|\n")
_UNITS = {
    types.PositionEncodingKind.Utf8: "utf-8",
    types.PositionEncodingKind.Utf16: "utf-16-le",
}


class Places:
    """The lines of one text."""

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
        """The columns that the characters from one offset to another take in a line."""
        return self._width(self._text[start:end])

    def _width(self, text: str) -> int:
        if not self._codec or text.isascii():
            return len(text)
        return len(text.encode(self._codec, "surrogatepass")) // self._unit


class Version:
    """One version of a text."""

    def __init__(
        self,
        name: str,
        text: str,
        encoding: types.PositionEncodingKind,
        number: int | None = None,
        before: gdl.Document | None = None,
    ) -> None:
        self.number = number
        self.text = text
        self._name = name
        self._encoding = encoding
        self._before = before

    @cached_property
    def document(self) -> gdl.Document:
        """The language services for it."""
        before, self._before = self._before, None
        return gdl.document(self.text, self._name, before)

    @cached_property
    def places(self) -> Places:
        """Its lines."""
        return Places(self.text, self._encoding)

    def following(self, text: str, number: int | None) -> Version:
        """The next version."""
        before = self.document if "document" in self.__dict__ else self._before
        return Version(self._name, text, self._encoding, number, before)


class OpenDocument:
    """A text in an editor, its findings, and the work on it that is under way.

    Attributes:
        sound: The newest version that was checked and had no error; None if there is none.
        played: Findings of playing the newest version, as the sandbox gives them.
        seen: The values of arguments in games, of the newest version that could be played.
        check_seconds: How long the next check should wait, as the last one took long.
    """

    def __init__(self, uri: str, version: Version) -> None:
        self.uri = uri
        self.version = version
        self.sound: Version | None = None
        self.played: list[dict[str, Any]] = []
        self.seen: dict[str, list[list[str]]] = {}
        self.check_seconds = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    def replace(self, text: str, number: int | None) -> None:
        """Take a newer version of the text."""
        self.version = self.version.following(text, number)
        self.played = []

    def wait(self, timer: asyncio.TimerHandle) -> None:
        """Keep the timer of the next check; one that was waiting is off."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = timer

    def work(self, task: asyncio.Task[None]) -> None:
        """Keep the play that is under way; one of an older version ends."""
        self.stop_playing()
        self._task = task

    def stop_playing(self) -> None:
        """End the play that is under way."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def close(self) -> None:
        """End all work."""
        self.stop_playing()
        if self._timer is not None:
            self._timer.cancel()

"""A text that is open in an editor: its newest version, and positions in the text."""

from __future__ import annotations

import asyncio
import re
from bisect import bisect_right
from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException

import gdl
from ggp.lsp.worker import WORK_SECONDS, Worker

R = TypeVar("R")

MAX_CHARACTERS: Final = 500_000
"""Maximum length of a text that is analysed. The largest bundled game has 7,000 characters."""
_LINE_END = re.compile(r"\r\n|\r|\n")
_UNITS = {
    types.PositionEncodingKind.Utf8: "utf-8",
    types.PositionEncodingKind.Utf16: "utf-16-le",
}


class Places:
    """Converts between offsets and positions in one text."""

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
        """Return the line and column of an offset."""
        line = bisect_right(self._starts, offset) - 1
        start = self._starts[line]
        return types.Position(line, self._width(self._text[start:offset]))

    def offset(self, position: types.Position) -> int:
        """Return the offset of a line and column, or the nearest one if there is no such place."""
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
        """Return the range between two offsets."""
        return types.Range(self.position(start), self.position(end))

    def width(self, start: int, end: int) -> int:
        """Return the number of columns between two offsets of a line."""
        return self._width(self._text[start:end])

    def _width(self, text: str) -> int:
        if not self._codec or text.isascii():
            return len(text)
        return len(text.encode(self._codec, "surrogatepass")) // self._unit


class RequestError(JsonRpcException):
    """A request failed for a reason that the user should see."""

    CODE = types.LSPErrorCodes.RequestFailed.value
    MESSAGE = "The request failed"


class OutdatedError(JsonRpcException):
    """A request failed because its text changed before the answer was ready."""

    CODE = types.LSPErrorCodes.ContentModified.value
    MESSAGE = "The text was changed"


class Version:
    """One version of a text.

    Attributes:
        trouble: Why the text cannot be analysed. Empty if no reason is known.
    """

    def __init__(
        self,
        name: str,
        text: str,
        encoding: types.PositionEncodingKind,
        number: int | None = None,
        before: gdl.Document | None = None,
    ) -> None:
        self.number = number
        self.text = gdl.with_line_feeds(text)
        self.trouble = ""
        if len(text) > MAX_CHARACTERS:
            self.trouble = f"a text of more than {MAX_CHARACTERS:,} characters is not analysed"
        self._name = name
        self._encoding = encoding
        self._before = before
        self._document: gdl.Document | None = None
        self._places: Places | None = None

    @property
    def document(self) -> gdl.Document:
        """The language services for this version."""
        if self._document is None:
            self._document = gdl.document(self.text, self._name, self._before)
            self._before = None
        return self._document

    @property
    def places(self) -> Places:
        """Converter between offsets and positions in this version."""
        if self._places is None:
            self._places = Places(self.text, self._encoding)
        return self._places

    def following(self, text: str, number: int | None) -> Version:
        """Return the next version, which reuses the analysis of this one where possible."""
        before = self._document or self._before
        return Version(self._name, text, self._encoding, number, before)


class OpenDocument:
    """A text in an editor, with its findings and the tasks that work on it.

    Attributes:
        sound: The newest version that was checked and has no errors, or None.
        played: Findings from playing the newest version, in the form that the sandbox returns.
        seen: Values that arguments had in random games of the newest version that could be played.
        check_seconds: Seconds to wait before the next check, because the last one was slow. 0 if it
            was fast.
    """

    def __init__(self, uri: str, version: Version) -> None:
        self.uri = uri
        self.version = version
        self.sound: Version | None = None
        self.played: list[dict[str, Any]] = []
        self.seen: dict[str, list[list[str]]] = {}
        self.check_seconds = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._check: asyncio.Task[None] | None = None
        self._task: asyncio.Task[None] | None = None
        self._worker = Worker()

    def replace(self, text: str, number: int | None) -> None:
        """Accept a newer version of the text, and cancel the work on the old version."""
        self._stop_checking()
        self.version = self.version.following(text, number)
        self.played = []

    async def ask(self, question: Callable[[Version], R]) -> R:
        """Answer a question about the newest version without blocking the server.

        Raises:
            RequestError: The answer would exceed the limits of time or memory.
            OutdatedError: A newer version has arrived in the meantime.
        """
        version = self.version
        if version.trouble:
            raise RequestError(version.trouble)
        work = asyncio.ensure_future(self._worker.do(partial(question, version)))
        try:
            await asyncio.wait([work])
        finally:
            work.cancel()  # the result is useless if the caller is gone
        if work.cancelled():
            raise OutdatedError
        try:
            return work.result()
        except TimeoutError:
            version.trouble = f"the text cannot be analysed within {WORK_SECONDS:g} s"
            raise RequestError(version.trouble) from None
        except MemoryError:
            raise RequestError("there is not enough memory to analyse the text") from None

    def wait(self, timer: asyncio.TimerHandle) -> None:
        """Set the timer of the next check, and cancel the previous timer."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = timer

    def check(self, task: asyncio.Task[None]) -> None:
        """Store the task of the current check, so that a newer version can cancel it."""
        self._check = task

    def work(self, task: asyncio.Task[None]) -> None:
        """Set the task that plays the game, and cancel the task for an older version."""
        self.stop_playing()
        self._task = task

    def stop_playing(self) -> None:
        """Cancel the task that plays the game."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def close(self) -> None:
        """Cancel all work."""
        self.stop_playing()
        self._stop_checking()
        if self._timer is not None:
            self._timer.cancel()

    def _stop_checking(self) -> None:
        self._worker.drop()
        if self._check is not None:
            self._check.cancel()
            self._check = None

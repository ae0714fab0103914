"""A text that is open in an editor: what is known of its newest version."""

from __future__ import annotations

import asyncio
from functools import cached_property
from typing import Any

from lsprotocol import types

import gdl
from ggp.lsp.places import Places


class Version:
    """One version of a text.

    Attributes:
        number: That the client gave it; None if it gave none.
        text: The whole of it.
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
        self.text = text
        self._name = name
        self._encoding = encoding
        self._before = before

    @cached_property
    def document(self) -> gdl.Document:
        """What the language services say of it."""
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
        uri: By which the client names it.
        version: The newest one.
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

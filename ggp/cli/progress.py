"""Progress of a long verb: a line at a terminal."""

from __future__ import annotations

from types import TracebackType
from typing import Self


class Progress:
    """A line on standard error, if that is a terminal: what is being done with a game."""

    def __init__(self, name: str) -> None:
        from rich.console import Console

        self._name = name
        self._status = Console(stderr=True).status(name)

    def say(self, text: str) -> None:
        """Show what is being done now."""
        self._status.update(f"{self._name}: {text}")

    def __enter__(self) -> Self:
        self._status.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._status.stop()

"""The stage of an attack: everything that it needs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from attacking.player import Opponent
from attacking.report import Report


@dataclass(frozen=True, slots=True)
class Stage:
    """The place where an attack happens."""

    folder: Path
    """An empty folder for this attack only."""
    report: Report
    is_short: bool
    """Whether a few seconds must suffice."""
    opponent: Opponent
    """The player of the matches that managers host; all attacks share it."""

    def size(self, short: int, whole: int) -> int:
        """Return one of two numbers, depending on the form."""
        return short if self.is_short else whole


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack."""

    name: str
    what: str
    """Its description in one line."""
    run: Callable[[Stage], Awaitable[None]]

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
    """Empty, and its own."""
    report: Report
    is_short: bool
    """Whether a few seconds have to do."""
    opponent: Opponent
    """Plays the matches that managers host; all attacks have the same one."""

    def size(self, short: int, whole: int) -> int:
        """One of two numbers, by the form that is run."""
        return short if self.is_short else whole


@dataclass(frozen=True, slots=True)
class Attack:
    """One of them."""

    name: str
    what: str
    """In a line."""
    run: Callable[[Stage], Awaitable[None]]

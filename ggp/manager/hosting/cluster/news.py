"""What a machine of a cluster reports of a match that it holds, besides the turns."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ggp.manager.store.matches import PlayedTurn


class FailureKind(StrEnum):
    """The fate of a match that does not go on."""

    BROKEN_OFF = "broken off"
    """It is over."""
    ADJOURNED = "adjourned"
    """It may go on later."""
    UNFIT = "unfit"
    """Nothing is wrong with it: this machine cannot hold it, or not now."""


@dataclass(frozen=True, slots=True)
class Begun:
    """The match begins."""

    machine: str


@dataclass(frozen=True, slots=True)
class Completed:
    """The match was played to its end."""

    goals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Failed:
    """The match does not go on."""

    kind: FailureKind
    reason: str


News = Begun | PlayedTurn | Completed | Failed

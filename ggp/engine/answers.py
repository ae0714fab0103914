"""Answers of an engine: the position in which our role moves, the chosen move, the outcome."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

NO_MOVE = "nil"  # the answer of GGP-Base's own player if it has no move


class MoveOrigin(StrEnum):
    """Origins of a chosen move, in order from best to worst."""

    SEARCH = "search"
    """The player chose the move."""
    ONLY_MOVE = "only move"
    """There was only one legal move."""
    BEST_SO_FAR = "best so far"
    """The last move that the player reported, because its choice was late or not legal."""
    STAND_IN = "stand-in"
    """A move of the fallback player, because too many of our processes died."""
    FIRST_LEGAL = "first legal"
    """The first legal move, because the player chose and reported none."""
    GUESS = "guess"
    """The position was not computed in time. The move was legal earlier, or is `nil`."""


SOUND_ORIGINS: Final = frozenset({MoveOrigin.SEARCH, MoveOrigin.ONLY_MOVE})
"""Origins of the moves of an engine that works normally."""


@dataclass(frozen=True, slots=True)
class EnginePosition:
    """The state in which our role has to move, as far as the process has reported it."""

    turn: int
    """Number of turns since the initial state."""
    legal: tuple[str, ...]
    """Our legal moves as the rulesheet spells them; only the first ones if there are very many."""
    num_legal: int
    in_control: bool
    """Whether our role decides. If not, our role has a single move and another role decides."""
    is_terminal: bool
    joint_move: tuple[str, ...] | None = None
    """The joint move that led here, in role order and in the rulesheet's spelling. None if unknown.
    """
    missed: tuple[str, ...] | None = None
    """The joint move before `joint_move` if the manager never sent it, else None. The two turns
    count as one.
    """


@dataclass(frozen=True, slots=True)
class Choice:
    """The move that answers a PLAY, and how it was chosen."""

    move: str
    origin: MoveOrigin
    search_text: str = "{}"
    """The player's search info (visits, value, ...) as a JSON object."""
    position: EnginePosition | None = None
    """The position in which the move was chosen. None if it was not computed in time. The server
    fills it in.
    """

    def __post_init__(self) -> None:
        object.__setattr__(self, "origin", MoveOrigin(self.origin))  # a JSON line has only its text

    @property
    def search_info(self) -> Mapping[str, object]:
        """The player's search info as JSON values."""
        search_info: Mapping[str, object] = json.loads(self.search_text)
        return search_info

    @property
    def in_control(self) -> bool:
        """Whether our role decides. If not, Gamemaster wants no answer."""
        return self.position is None or self.position.in_control


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a match."""

    is_terminal: bool
    goals: tuple[int, ...]
    """Goals in role order, 0 to 100. Empty if unknown."""

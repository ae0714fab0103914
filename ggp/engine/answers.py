"""The answers of an engine: the position of our role, the move chosen, the outcome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

NO_MOVE = "nil"  # what GGP-Base's own player answers when it has none


class MoveOrigin(StrEnum):
    """The origin of a move, the best source first."""

    SEARCH = "search"
    """The player chose it."""
    ONLY_MOVE = "only move"
    """There was nothing to choose."""
    BEST_SO_FAR = "best so far"
    """The player's last report; its choice did not come in time, or was not legal."""
    STAND_IN = "stand-in"
    """The move of another player: processes of ours had died too often."""
    FIRST_LEGAL = "first legal"
    """The player said nothing of use."""
    GUESS = "guess"
    """The position could not be computed in time: a move that was legal earlier, or `nil`."""


SOUND_ORIGINS: Final = frozenset({MoveOrigin.SEARCH, MoveOrigin.ONLY_MOVE})
"""Origins of a move when nothing has gone wrong."""


@dataclass(frozen=True, slots=True)
class EnginePosition:
    """The state before our move, as far as it is known."""

    turn: int
    """Number of steps made since the initial state."""
    legal: tuple[str, ...]
    """Our legal moves in the rulesheet's spelling; the first ones if there are very many."""
    num_legal: int
    in_control: bool
    """Whether our role decides here. False: it has one move, and another role decides."""
    is_terminal: bool
    joint_move: tuple[str, ...] | None = None
    """The joint move that led here, in role order and the rulesheet's spelling, if known."""
    missed: tuple[str, ...] | None = None
    """The joint move before it, if that was never told; the turn of both counts as one."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The answer to one PLAY."""

    move: str
    origin: MoveOrigin
    in_control: bool = True
    """False: our one move is forced and another role decides; Gamemaster wants no answer then."""
    search_info: Mapping[str, object] = field(default_factory=dict)
    """The player's search info (visits, value, ...), as JSON values."""
    position: EnginePosition | None = None
    """The position that was searched; None if it was not computed in time."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a match."""

    is_terminal: bool
    goals: tuple[int, ...]
    """Goals in role order, 0..100; empty if they are not known."""

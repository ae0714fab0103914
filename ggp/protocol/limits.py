"""Bounds on what a message may ask for: the decoder keeps them, whatever the sender intends."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MessageLimits:
    """Bounds of one message; the rules inside a START have bounds of their own in `gdl`."""

    num_characters: int = 2_000_000
    """Length of the whole message; the largest real START known has 455,000 characters."""
    startclock: int = 3600
    """Seconds."""
    playclock: int = 3600
    """Seconds."""
    num_word_characters: int = 500
    """Length of a match's or a role's name."""
    num_moves_characters: int = 100_000
    """Length of what a PLAY or STOP tells of the last turn."""
    num_arguments: int = 64
    """Arguments of a message in prefix notation."""
    depth: int = 200
    """Nesting depth of the terms of a PLAY or STOP."""


DEFAULT_LIMITS = MessageLimits()

"""Status of matches and tournaments."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """The status of a match or a tournament."""

    WAITING = "waiting"
    """Set up; its turn has not come."""
    RUNNING = "running"
    COMPLETED = "completed"
    ABORTED = "aborted"
    """Broken off, by somebody or by a fault."""
    INTERRUPTED = "interrupted"
    """The manager stopped in the middle of it."""


OVER = frozenset({Status.COMPLETED, Status.ABORTED})
"""Nothing more will happen."""
OPEN = frozenset({Status.WAITING, Status.RUNNING})
"""Set up, and not over."""

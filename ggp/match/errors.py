"""Errors that end or interrupt a match."""

from __future__ import annotations

from ggp.errors import GgpError


class MatchError(GgpError):
    """The match cannot be played, or cannot be finished."""


class MoveLimitError(MatchError):
    """The match has reached its move limit."""


class PositionSizeError(MatchError):
    """A position of the match has grown beyond the size limit."""

    def __init__(self, what: str, num_bytes: int, most: int) -> None:
        super().__init__(
            f"the rules led to a position whose {what} take {num_bytes:,} bytes; "
            f"expected at most {most:,}"
        )


class SeatError(GgpError):
    """A seat's player could not be reached, or disconnected before it answered."""


class ForgottenError(MatchError):
    """A match is being resumed, but one of its players no longer knows it.

    Attributes:
        name: Name of the player.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"{name} no longer knows the match, which was interrupted")


class TakeBackError(GgpError):
    """A seat asks to take moves back and to continue from an earlier turn.

    Attributes:
        num_turns: Number of turns that remain.
    """

    def __init__(self, num_turns: int) -> None:
        self.num_turns = num_turns
        super().__init__(f"back to the position after {num_turns} turns")


class AdjournedError(GgpError):
    """The match is adjourned. This is no fault, and the match may continue later."""


class ShortageError(AdjournedError):
    """This process has run out of a resource and could not ask a player."""

    def __init__(self, what: str) -> None:
        super().__init__(f"this machine has run short of resources ({what}); no player is to blame")

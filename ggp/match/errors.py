"""Errors of a match."""

from __future__ import annotations

from ggp.errors import GgpError


class MatchError(GgpError):
    """The match cannot be played, or not to its end."""


class MoveLimitError(MatchError):
    """The match has reached the number of moves after which it is to be broken off."""


class PositionSizeError(MatchError):
    """A position of a match has grown beyond what is kept of one."""

    def __init__(self, what: str, num_bytes: int, most: int) -> None:
        super().__init__(
            f"the rules led to a position whose {what} take {num_bytes:,} bytes; "
            f"expected at most {most:,}"
        )


class SeatError(GgpError):
    """A seat's player could not be reached, or broke off while answering."""


class TakeBackError(GgpError):
    """A seat asks to take moves back: the match is to go on as it was after fewer turns.

    Attributes:
        num_turns: How many turns remain.
    """

    def __init__(self, num_turns: int) -> None:
        self.num_turns = num_turns
        super().__init__(f"back to the position after {num_turns} turns")


class AdjournedError(GgpError):
    """The match rests: nothing is wrong with it, and it may go on later."""


class ShortageError(AdjournedError):
    """This process has run out of something, so that a player could not be asked at all."""

    def __init__(self, what: str) -> None:
        super().__init__(f"this machine has run short ({what}); no player is to blame")

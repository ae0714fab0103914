"""A player in a Python file that nobody vouches for, in a match that goes on without it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ggp.match.errors import SeatError
from ggp.match.seat import Answer, Invitation, TurnReport
from ggp.submission.process import SubmissionLostError, UnconfinedError
from ggp.submission.seat import SubmissionSeat
from ggp.submission.starter import StarterError


class UploadedSeat(SubmissionSeat):
    """A submission whose process is not replaced: once it is gone, all its answers are missing."""

    _lost = ""

    async def start(self, invitation: Invitation) -> None:
        """Start the process, and let the player prepare.

        Raises:
            SeatError: There is no such process, or it is gone; or the game hides something.
        """
        if invitation.has_percepts:
            self._lost = f"{self.name} plays only games in which all is seen"
        with self._missing():
            await super().start(invitation)

    async def play(self, report: TurnReport) -> Answer:
        """The player's move.

        Raises:
            SeatError: The player failed, or its process is gone.
            TimeoutError: It was late.
        """
        with self._missing():
            return await super().play(report)

    @contextmanager
    def _missing(self) -> Iterator[None]:
        """Let a player that is lost be one that does not answer."""
        if self._lost:
            raise SeatError(self._lost)
        try:
            yield
        except (SubmissionLostError, StarterError, UnconfinedError) as error:
            self._lost = f"{self.name}: {error}"
            raise SeatError(self._lost) from error

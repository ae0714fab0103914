"""The trace of a turn: how a PLAY became an answer, step by step, and which step was slow.

>>> trace = TurnTrace(arrived=100.0, accepted=100.001, read=100.002, handled=100.003)
>>> trace.asked, trace.chosen, trace.due = 101.2, 103.9, 104.0
>>> trace.fields(replied=103.902)["asked"]
1.2
>>> trace.slow_step(replied=103.902)
'asked'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SLOW_SECONDS: Final = 0.25
"""A step that takes longer than that is worth a warning; for the choice, beyond its deadline."""
REASONS: Final = {
    "accepted": "the server did not get to accept the connection",
    "read": "the message came slowly, or the server did not get to read it",
    "handled": "other messages were read first",
    "asked": "the match was not ready, or still busy with the turn before",
    "chosen": "the choice came after its deadline",
    "replied": "the server did not get to send the answer",
}
"""Why a step is slow, by its name."""


@dataclass(slots=True)
class TurnTrace:
    """Moments on `ggp.clock.now()`; None for what has not happened."""

    arrived: float
    """Its bytes came to this machine: the playclock runs."""
    accepted: float | None = None
    """The connection is ours."""
    read: float | None = None
    """The whole message has come."""
    handled: float | None = None
    """It is understood, and given to its match."""
    asked: float | None = None
    """The engine was asked for a move; before this PLAY if it repeats another."""
    chosen: float | None = None
    """There is a move."""
    due: float | None = None
    """When there was to be one at the latest."""

    def fields(self, replied: float) -> dict[str, float]:
        """Seconds since it arrived, for the log; steps that were over before are at 0."""
        return {
            step: round(max(0.0, moment - self.arrived), 3) for step, moment in self._steps(replied)
        }

    def slow_step(self, replied: float) -> str:
        """The slowest of the steps that took too long; empty if none did."""
        excess: dict[str, float] = {}
        before = self.arrived
        for step, moment in self._steps(replied):
            since = before if step != "chosen" or self.due is None else max(before, self.due)
            excess[step] = moment - since
            before = max(before, moment)
        slowest = max(excess, key=lambda step: excess[step])
        return slowest if excess[slowest] > SLOW_SECONDS else ""

    def _steps(self, replied: float) -> list[tuple[str, float]]:
        moments = {step: getattr(self, step, None) for step in REASONS} | {"replied": replied}
        return [(step, moment) for step, moment in moments.items() if moment is not None]

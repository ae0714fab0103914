"""The trace of a turn: when a PLAY passed each step on the way to its answer, and which was slow.

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
"""A step that takes longer is slow. The choice is slow if it is this long past its deadline."""
REASONS: Final = {
    "accepted": "the server was slow to accept the connection",
    "read": "the message arrived slowly, or the server was slow to read it",
    "handled": "other messages were read first",
    "asked": "the match was not ready, or still busy with the previous turn",
    "chosen": "the move came after its deadline",
    "replied": "the server was slow to send the answer",
}
"""Why each step can be slow."""


@dataclass(slots=True)
class TurnTrace:
    """The times of the steps on the clock `ggp.clock.now()`, or None for steps not reached yet."""

    arrived: float
    """When the PLAY reached this machine."""
    travelling: float = 0.0
    """Seconds of the playclock for messages between the manager and this machine, both ways."""
    accepted: float | None = None
    """When the server accepted the connection."""
    read: float | None = None
    """When the whole message had arrived."""
    handled: float | None = None
    """When the message had been parsed and given to its match."""
    asked: float | None = None
    """When the engine was asked for a move. If the PLAY is a repetition, this was before it
    arrived.
    """
    chosen: float | None = None
    """When the move had been chosen."""
    due: float | None = None
    """The deadline for the move."""

    @property
    def began(self) -> float:
        """Start of the playclock, put earlier by the time that the answer will travel."""
        return self.arrived - self.travelling

    def fields(self, replied: float) -> dict[str, float]:
        """Return the seconds from arrival to each step, for the log. 0 if the step was earlier."""
        return {
            step: round(max(0.0, moment - self.arrived), 3) for step, moment in self._steps(replied)
        }

    def slow_step(self, replied: float) -> str:
        """Return the slowest of the steps that took too long, or "" if none did."""
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

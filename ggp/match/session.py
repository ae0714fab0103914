"""One match as our player sees it: the manager's messages, our answers, and how to tell its end.

This module holds only state: it has no clock, transport or rules. Times are seconds on a clock of
the caller's choice.

Most dialects send no turn number with PLAY, and the same joint move can be made twice in a row. So
a PLAY that equals the last one may be a repetition or the next turn. These rules decide:

- If the moves are not legal in the current state, it is a repetition. For our own move this is
  known at once (`can_follow`). For the other roles, the caller checks it when it makes the step
  (`NEXT_IF_LEGAL`).
- While the manager waits for our answer and its clock runs, the game has not moved on, so it is a
  repetition.
- If the PLAY was certainly sent before our answer left, it is a repetition.
- In all other cases the game has moved on, even if the PLAY gives us another move than we answered,
  because managers replace moves.

If the dialect sends a turn number, the number alone decides.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from ggp.errors import GgpError
from ggp.match.steps import JointMove, Percepts, SingleMove, Step, one_spelling

ORPHAN_GRACE_SECONDS = 30.0
"""Seconds without a message, after its last deadline, until a match counts as abandoned."""
TICK_SECONDS = 0.01
"""How much too early a reported arrival time may be. The system measures arrivals in ticks of 4 or
10 ms, and a manager on the same machine may send the next message within a tick.
"""


class Arrival(Enum):
    """Kinds of PLAY: a repetition of the last PLAY, or a new turn. Sometimes the rules decide."""

    FIRST = "first"
    """First turn: no moves have been made yet."""
    NEXT = "next"
    """New turn: the reported step has to be made."""
    NEXT_IF_LEGAL = "next if legal"
    """Equal to the previous PLAY. If all its moves are legal now, the step has to be made.
    Otherwise it is a repetition.
    """
    REPEATED = "repeated"
    """Repetition: send the same answer again and make no step."""


class GapError(GgpError):
    """A PLAY does not follow the last one that we received: a turn in between is missing."""


@dataclass(slots=True)
class Session:
    """A match: the data of START, the steps since, and our answers.

    `dialect` names the manager's dialect. Its format is up to the caller.
    """

    match_id: str
    role: str
    startclock: float
    playclock: float
    dialect: str = ""
    history: list[Step] = field(default_factory=list)
    """The step that ended each finished turn."""
    answers: dict[int, str] = field(default_factory=dict)
    """Our move in each turn that we answered, by turn number, counted from 0."""
    deadline: float = 0.0
    """When the manager's clock for its last request runs out."""
    _num_asked: int = 0
    _delivered: dict[int, float] = field(default_factory=dict)

    @property
    def turn(self) -> int:
        """Number of the current turn, counted from 0."""
        return len(self.history)

    @property
    def answer(self) -> str | None:
        """Our answer in the current turn, or None if there is none yet."""
        return self.answers.get(self.turn)

    def arrival(
        self,
        step: Step | None,
        arrived: float,
        number: int | None = None,
        *,
        can_follow: bool = True,
        is_awaited: bool = True,
    ) -> Arrival:
        """Return whether a PLAY is a repetition or the next turn. Do not change the session.

        Args:
            step: The last turn as the PLAY reports it. None for `NIL`.
            arrived: When the request arrived.
            number: The turn that the PLAY names, counted from 0, if the dialect sends one.
            can_follow: Whether the step can be made in the current state, as far as known.
            is_awaited: Whether the game needs our answer in the current turn to continue.

        Raises:
            GapError: A turn is missing between the last PLAY and this one.
        """
        if number is not None:
            return self._numbered(number)
        if step is None:
            return self._told_nothing()
        if not self.history or _key(step) != _key(self.history[-1]):
            return Arrival.NEXT
        if not can_follow or (is_awaited and self._is_awaiting(arrived)):
            return Arrival.REPEATED
        return Arrival.NEXT_IF_LEGAL

    def ask(self, step: Step | None, deadline: float) -> None:
        """Accept a PLAY. If it has a step, append the step to the history: the next turn begins."""
        if step is not None:
            self.history.append(step)
        self._num_asked = self.turn + 1
        self.deadline = deadline

    def take_back(self, step: Step | None) -> None:
        """Remove an accepted step that turned out to be unreadable and so was never made.

        It need not be the last step, because another PLAY may arrive before the fault is found.
        """
        places = [place for place, one in enumerate(self.history) if one is step]
        if places:
            del self.history[places[-1]]
        self._num_asked = self.turn + 1

    def answered(self, move: str) -> None:
        """Store our answer for the current turn, so that a repeated request gets the same one."""
        self.answers[self.turn] = one_spelling(move)

    def delivered(self, turn: int, now: float) -> None:
        """Note that the answer for a turn was sent over a connection that was still open."""
        self._delivered.setdefault(turn, now)

    def is_orphaned(self, now: float, grace_seconds: float = ORPHAN_GRACE_SECONDS) -> bool:
        """Return whether the manager has been silent for so long that it counts as gone."""
        return now > self.deadline + grace_seconds

    def _numbered(self, number: int) -> Arrival:
        if number == self.turn:
            return Arrival.REPEATED if self._num_asked > number else Arrival.FIRST
        if number == self.turn + 1:
            return Arrival.NEXT
        raise GapError(f"expected turn {self.turn} or {self.turn + 1}, got {number}")

    def _told_nothing(self) -> Arrival:
        if self.history:
            raise GapError(
                f"expected a list of the moves or percepts of turn {self.turn}, got none"
            )
        return Arrival.REPEATED if self._num_asked else Arrival.FIRST

    def _is_awaiting(self, arrived: float) -> bool:
        delivered = self._delivered.get(self.turn)
        if delivered is None:
            return arrived < self.deadline
        return arrived < delivered - TICK_SECONDS


def _key(step: Step) -> object:
    """Return a value that is equal for steps that differ only in case."""
    match step:
        case JointMove(moves):
            return tuple(move.lower() for move in moves)
        case SingleMove(move):
            return move.lower()
        case Percepts(percepts, own_move):
            return tuple(percept.lower() for percept in percepts), (own_move or "").lower()

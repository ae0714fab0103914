"""One match as our agent sees it: what the manager sent, what was answered, how long it is alive.

Pure state: no clock of its own, no transport, no rules. Moments are seconds on one clock of the
caller's choice.

A PLAY names no turn in most dialects, and the same joint move may well be made twice in a row. So
whether a PLAY that equals the last one is a repetition is judged by what is sure:

- if it cannot be made in the present state, it is a repetition; whether our own move can be is
  known at once (`can_follow`), at the others' whoever makes the step has to look (`NEXT_IF_LEGAL`);
- as long as the manager has no answer and its clock runs, the game cannot have gone on: it is one;
- if it was surely on its way before our answer left, it is one;
- else the game has gone on, also if our move is said to be another one than we answered: managers
  put moves in the place of ours. Where a turn number is sent, the number alone decides.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from ggp.errors import GgpError
from ggp.match.steps import JointMove, Percepts, SingleMove, Step, one_spelling

ORPHAN_GRACE_SECONDS = 30.0
"""Time after its last deadline until a match without a sign of life counts as given up."""
TICK_SECONDS = 0.01
"""How much too early an arrival may be dated: the system counts when bytes came in ticks of 4 or 10
ms, and a manager on the same machine may go on within less."""


class Arrival(Enum):
    """The kind of a PLAY, given those before it."""

    FIRST = "first"
    """The first turn: nothing has happened yet."""
    NEXT = "next"
    """The step that it tells has to be made."""
    NEXT_IF_LEGAL = "next if legal"
    """It says the same as the one before, and has to be made if all its moves are legal now;
    else it came before."""
    REPEATED = "repeated"
    """It came before: the same answer again, and no step."""


class GapError(GgpError):
    """A PLAY does not follow on what came before: a turn is missing."""


@dataclass(slots=True)
class Session:
    """A match: what START said, the steps since, and our answers.

    Dialect is the manager's, in the words of whoever keeps the session.
    """

    match_id: str
    role: str
    startclock: float
    playclock: float
    dialect: str = ""
    history: list[Step] = field(default_factory=list)
    """The step of each turn that is over."""
    answers: dict[int, str] = field(default_factory=dict)
    """Our move of each turn that was answered, by turn, counted from 0."""
    deadline: float = 0.0
    """The time at which the manager's clock for what it asked last runs out."""
    _num_asked: int = 0
    _delivered: dict[int, float] = field(default_factory=dict)

    @property
    def turn(self) -> int:
        """The present turn, counted from 0."""
        return len(self.history)

    @property
    def answer(self) -> str | None:
        """Our answer in the present turn; None as long as there is none."""
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
        """The kind of a PLAY; changes nothing.

        Args:
            step: What it says of the last turn; None for `NIL`.
            arrived: When its request came.
            number: The turn that it names, counted from 0, where the dialect has one.
            can_follow: Whether the step can be made in the present state, as far as is known.
            is_awaited: Whether the game cannot go on without our answer in the present turn.

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
        """A PLAY of the present or next turn is accepted: a step, if there is one, was made."""
        if step is not None:
            self.history.append(step)
        self._num_asked = self.turn + 1
        self.deadline = deadline

    def take_back(self, step: Step | None) -> None:
        """A step that was accepted turned out not to be readable: it was never made.

        It need not be the last one: a PLAY may have come before that was known.
        """
        places = [place for place, one in enumerate(self.history) if one is step]
        if places:
            del self.history[places[-1]]
        self._num_asked = self.turn + 1

    def answered(self, move: str) -> None:
        """Keep our answer of the present turn, also for the same question asked again."""
        self.answers[self.turn] = one_spelling(move)

    def delivered(self, turn: int, now: float) -> None:
        """The answer of a turn left, over a connection that the manager had not given up."""
        self._delivered.setdefault(turn, now)

    def is_orphaned(self, now: float, grace_seconds: float = ORPHAN_GRACE_SECONDS) -> bool:
        """Whether the manager has been silent for so long that it must be gone."""
        return now > self.deadline + grace_seconds

    def _numbered(self, number: int) -> Arrival:
        if number == self.turn:
            return Arrival.REPEATED if self._num_asked > number else Arrival.FIRST
        if number == self.turn + 1:
            return Arrival.NEXT
        raise GapError(f"expected turn {self.turn} or {self.turn + 1}, got {number}")

    def _told_nothing(self) -> Arrival:
        if self.history:
            raise GapError(f"expected what was played in turn {self.turn} in a list, got none")
        return Arrival.REPEATED if self._num_asked else Arrival.FIRST

    def _is_awaiting(self, arrived: float) -> bool:
        delivered = self._delivered.get(self.turn)
        if delivered is None:
            return arrived < self.deadline
        return arrived < delivered - TICK_SECONDS


def _key(step: Step) -> object:
    """Equal for steps that say the same, in whatever case of letters."""
    match step:
        case JointMove(moves):
            return tuple(move.lower() for move in moves)
        case SingleMove(move):
            return move.lower()
        case Percepts(percepts, own_move):
            return tuple(percept.lower() for percept in percepts), (own_move or "").lower()

"""One match as our agent sees it: what has been told, what was answered, how long it is alive.

Pure state: no clock of its own, no transport, no rules. Moments are seconds on one clock of the
caller's choice.

A PLAY names no turn in most dialects, and the same joint move may well be made twice in a row. So
whether a PLAY that equals the last one is a repetition is judged by what the manager can know:

- as long as the last PLAY is not answered, the game cannot have gone on: it is a repetition;
- if the move it names for our role is not the one we answered, it is the old one: a repetition;
- if it cannot be made in the present state (`can_follow`), it is a repetition;
- else the game has gone on. Where a turn number is sent, the number alone decides.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from ggp.errors import GgpError
from ggp.match.steps import JointMove, Percepts, SingleMove, Step, one_spelling

ORPHAN_GRACE_SECONDS = 30.0
"""How long after its last deadline a match without a sign of life counts as given up."""


class Arrival(Enum):
    """What a PLAY is, given those before it."""

    FIRST = "first"
    """The first turn: nothing has happened yet."""
    NEXT = "next"
    """The step that it tells has to be made."""
    REPEATED = "repeated"
    """It was told before: the same answer again, and no step."""


class GapError(GgpError):
    """A PLAY does not follow on what was told before: a turn is missing."""


@dataclass(slots=True)
class Session:
    """A match: what START said, the steps told since, and our answers.

    Dialect is the manager's, in the words of whoever keeps the session.
    """

    match_id: str
    role: str
    startclock: float
    playclock: float
    dialect: str = ""
    role_index: int | None = None
    """Our place among the roles, once the rules have been read."""
    history: list[Step] = field(default_factory=list)
    """What happened in each turn that is over."""
    answers: dict[int, str] = field(default_factory=dict)
    """Our move of each turn that was answered, by turn, counted from 0."""
    deadline: float = 0.0
    """When the manager's clock for what it asked last runs out."""
    _num_asked: int = 0
    _is_in_control: bool = True

    @property
    def turn(self) -> int:
        """The present turn, counted from 0."""
        return len(self.history)

    @property
    def answer(self) -> str | None:
        """What was answered in the present turn; None as long as nothing was."""
        return self.answers.get(self.turn)

    def arrival(
        self, step: Step | None, number: int | None = None, *, can_follow: bool = True
    ) -> Arrival:
        """What a PLAY is; changes nothing.

        Args:
            step: What it says of the last turn; None for `NIL`.
            number: The turn that it names, counted from 0, where the dialect has one.
            can_follow: Whether the step can be made in the present state, as far as is known.

        Raises:
            GapError: A turn is missing between the last PLAY and this one.
        """
        if number is not None:
            return self._numbered(number)
        if step is None:
            return self._told_nothing()
        if self.history and self._says_the_same(step) and self._is_stale(step, can_follow):
            return Arrival.REPEATED
        return Arrival.NEXT

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

    def answered(self, move: str, *, in_control: bool = True) -> None:
        """Keep our answer of the present turn, also for the same question asked again.

        Args:
            move: The answer, or the forced move that was kept to ourselves.
            in_control: Whether our role decided; else another role's move will be told.
        """
        self.answers[self.turn] = one_spelling(move)
        self._is_in_control = in_control

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
            raise GapError(f"expected what was played in turn {self.turn}, got NIL")
        return Arrival.REPEATED if self._num_asked else Arrival.FIRST

    def _says_the_same(self, step: Step) -> bool:
        return _key(step) == _key(self.history[-1])

    def _is_stale(self, step: Step, can_follow: bool) -> bool:
        if self.answer is None or not can_follow:
            return True
        own = self._own_move(step)
        return own is not None and own.lower() != self.answer.lower()

    def _own_move(self, step: Step) -> str | None:
        """The move that a step names for our role, if it names one."""
        match step:
            case JointMove(moves):
                index = self.role_index
                return None if index is None or index >= len(moves) else moves[index]
            case SingleMove(move):
                return move if self._is_in_control else None
            case Percepts():
                return step.own_move


def _key(step: Step) -> object:
    """Equal for steps that say the same, in whatever case of letters."""
    match step:
        case JointMove(moves):
            return tuple(move.lower() for move in moves)
        case SingleMove(move):
            return move.lower()
        case Percepts(percepts, own_move):
            return tuple(percept.lower() for percept in percepts), (own_move or "").lower()
